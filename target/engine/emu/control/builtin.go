package control

import (
	"strings"

	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// builtin is a function that the device runtime provides: it gets the
// arguments of one lane and returns its result.
//
// For each lane and not for a warp: each thread of a warp prints for itself, in the order of its lanes.
type builtin struct {
	params int
	run    func(w *machine.Warp, lane int, args []uint64) uint64
}

var builtins = map[string]builtin{
	"vprintf":      {2, vprintf},
	"__assertfail": {5, assertFail},
	"malloc":       {1, machine.Malloc},
	"free":         {1, machine.Free},
}

// Linking a device library would need its PTX; the few functions that compilers call without one are written here.
func decodeBuiltin(d *decode.Decoder, f *syntax.Function, rets, params []*syntax.Operand) {
	b, ok := builtins[f.Name]
	if !ok {
		d.Fail("function '%s' has no body and is not known to the emulator", f.Name)
	}
	if len(params) != b.params || len(rets) > 1 {
		d.Fail("'%s' is declared with %d parameters, it has %d", f.Name, len(params), b.params)
	}
	var from []paramPlace
	for i, p := range params {
		if f.Params[i].Size > 8 {
			d.Fail("parameter '%s' of '%s' has more than 8 bytes", f.Params[i].Name, f.Name)
		}
		from = append(from, actual(d, p, f.Params[i], false))
	}
	to := paramPlace{reg: machine.SlotSink}
	n := int64(4)
	if len(rets) == 1 {
		to, n = actual(d, rets[0], f.Results[0], true), min(f.Results[0].Size, 8)
	}
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		args := make([]uint64, len(from))
		frame := int64(w.Program.LocalSize)
		for m != 0 && w.Err == nil {
			i := machine.Next(&m)
			for k, p := range from {
				if p.local {
					args[k] = machine.Load(w.Local[int64(i)*frame+p.off:][:f.Params[k].Size])
				} else {
					args[k] = w.Lanes(p.reg)[i]
				}
			}
			v := b.run(w, i, args)
			if to.local {
				machine.Store(w.Local[int64(i)*frame+to.off:][:n], v)
			} else {
				w.Reg(int32(to.reg))[i] = v & num.Mask(int(8*n))
			}
		}
	}
}

// maxString bounds the strings that device code hands to a builtin.
const maxString = 1 << 16

// cString reads the zero-terminated string at a generic address.
func cString(w *machine.Warp, addr uint64, lane int) (string, bool) {
	var b strings.Builder
	for b.Len() < maxString {
		p := w.At(syntax.Generic, addr+uint64(b.Len()), 1, lane, false)
		if p == nil {
			return "", false
		}
		if p[0] == 0 {
			return b.String(), true
		}
		b.WriteByte(p[0])
	}
	w.Faultf(lane, "string at %#x is longer than %d bytes", addr, maxString)
	return "", false
}

// The trap that follows in compiled code would hide the message.
func assertFail(w *machine.Warp, lane int, args []uint64) uint64 {
	msg, ok1 := cString(w, args[0], lane)
	file, ok2 := cString(w, args[1], lane)
	fn, ok3 := cString(w, args[3], lane)
	if ok1 && ok2 && ok3 {
		w.FaultOf("assert", lane, "assertion '%s' failed at %s:%d in '%s'", msg, file, uint32(args[2]), fn)
	}
	return 0
}
