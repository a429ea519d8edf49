package decode

import (
	"strings"

	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// specialSrc is a special register as an operand of type t.
func (d *Decoder) specialSrc(o *syntax.Operand, t syntax.Type) machine.Src {
	// Nothing is reserved by the system, the driver passes nothing, and
	// performance monitors count nothing.
	if strings.HasPrefix(o.Name, "%envreg") || strings.HasPrefix(o.Name, "%pm") || strings.HasPrefix(o.Name, "%reserved_smem_offset") {
		return d.Const(0)
	}
	value, clock := machine.SpecialRegisters[o.Name], machine.Clocks[o.Name]
	if value == nil && clock == nil {
		d.FailAt(o, "'%s' is not declared", o.Name)
	}
	width := 32
	if machine.WideSpecials[o.Name] {
		width = 64
	}
	if t.Bits() != width && !(t.Bits() < width && t.Bits() >= 16) || t.Float() {
		d.FailAt(o, "special register '%s' of %d bits as an operand of type .%s", o.Name, width, t)
	}
	slot, ok := d.specials[o.Name]
	if !ok {
		slot = int32(d.Program.Regs)
		d.Program.Regs++
		d.specials[o.Name] = slot
		fill := func(w *machine.Warp, out *machine.Lanes) {
			for i := range out {
				out[i] = value(w, i)
			}
		}
		if clock != nil {
			fill = func(_ *machine.Warp, out *machine.Lanes) { *out = machine.Lanes{} }
		}
		d.Program.Specials = append(d.Program.Specials, machine.SpecialFill{Slot: slot, Fill: fill})
	}
	if clock != nil || o.Name == "%smid" || o.Name == "%warpid" {
		d.Order().Result = true // of the schedule
	}
	if clock != nil {
		d.before = append(d.before, func(w *machine.Warp, m uint32) {
			v, out := clock(w), w.Reg(slot)
			for m != 0 {
				out[machine.Next(&m)] = v
			}
		})
	}
	return machine.Src(slot)
}

// explicitCluster is a predicate for whether the launch has clusters.
func (d *Decoder) explicitCluster(not bool) machine.PredSrc {
	if d.Program.Clustered == 0 {
		d.Program.Clustered = int32(d.Program.Preds)
		d.Program.Preds++
	}
	slot := d.Program.Clustered
	d.before = append(d.before, func(w *machine.Warp, m uint32) {
		v := uint32(0)
		if len(w.CTA.Cluster.CTAs) > 1 {
			v = machine.Full
		}
		w.Preds[slot], w.PredInit[slot] = v, machine.Full
	})
	return machine.PredSrc{Slot: slot, Not: not}
}
