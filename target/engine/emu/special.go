package emu

import (
	"strings"
	"time"
)

// specialRegs gives the value of each special register in one lane; they
// do not change while a CTA runs. All are 32 bits wide unless listed in
// wideSpecials.
var specialRegs = map[string]func(w *warp, lane int) uint64{
	"%laneid":       func(_ *warp, lane int) uint64 { return uint64(lane) },
	"%warpid":       func(w *warp, _ int) uint64 { return uint64(w.id) },
	"%nwarpid":      func(w *warp, _ int) uint64 { return uint64(len(w.cta.warps)) },
	"%smid":         func(*warp, int) uint64 { return 0 },
	"%nsmid":        func(*warp, int) uint64 { return 1 },
	"%gridid":       func(*warp, int) uint64 { return 1 },
	"WARP_SZ":       func(*warp, int) uint64 { return warpSize },
	"%lanemask_eq":  func(_ *warp, lane int) uint64 { return 1 << lane },
	"%lanemask_lt":  func(_ *warp, lane int) uint64 { return 1<<lane - 1 },
	"%lanemask_le":  func(_ *warp, lane int) uint64 { return 2<<lane - 1 },
	"%lanemask_gt":  func(_ *warp, lane int) uint64 { return mask(32) &^ (2<<lane - 1) },
	"%lanemask_ge":  func(_ *warp, lane int) uint64 { return mask(32) &^ (1<<lane - 1) },
	"%tid.x":        func(w *warp, lane int) uint64 { return uint64(w.thread(lane)[0]) },
	"%tid.y":        func(w *warp, lane int) uint64 { return uint64(w.thread(lane)[1]) },
	"%tid.z":        func(w *warp, lane int) uint64 { return uint64(w.thread(lane)[2]) },
	"%ntid.x":       func(w *warp, _ int) uint64 { return uint64(w.cta.run.block[0]) },
	"%ntid.y":       func(w *warp, _ int) uint64 { return uint64(w.cta.run.block[1]) },
	"%ntid.z":       func(w *warp, _ int) uint64 { return uint64(w.cta.run.block[2]) },
	"%ctaid.x":      func(w *warp, _ int) uint64 { return uint64(w.cta.id[0]) },
	"%ctaid.y":      func(w *warp, _ int) uint64 { return uint64(w.cta.id[1]) },
	"%ctaid.z":      func(w *warp, _ int) uint64 { return uint64(w.cta.id[2]) },
	"%nctaid.x":     func(w *warp, _ int) uint64 { return uint64(w.cta.run.grid[0]) },
	"%nctaid.y":     func(w *warp, _ int) uint64 { return uint64(w.cta.run.grid[1]) },
	"%nctaid.z":     func(w *warp, _ int) uint64 { return uint64(w.cta.run.grid[2]) },
	"%clusterid.x":  func(w *warp, _ int) uint64 { return uint64(w.cta.id[0] / w.cta.run.cluster[0]) },
	"%clusterid.y":  func(w *warp, _ int) uint64 { return uint64(w.cta.id[1] / w.cta.run.cluster[1]) },
	"%clusterid.z":  func(w *warp, _ int) uint64 { return uint64(w.cta.id[2] / w.cta.run.cluster[2]) },
	"%nclusterid.x": func(w *warp, _ int) uint64 { return uint64(w.cta.run.grid[0] / w.cta.run.cluster[0]) },
	"%nclusterid.y": func(w *warp, _ int) uint64 { return uint64(w.cta.run.grid[1] / w.cta.run.cluster[1]) },
	"%nclusterid.z": func(w *warp, _ int) uint64 { return uint64(w.cta.run.grid[2] / w.cta.run.cluster[2]) },

	"%cluster_ctaid.x":  func(w *warp, _ int) uint64 { return uint64(w.cta.id[0] % w.cta.run.cluster[0]) },
	"%cluster_ctaid.y":  func(w *warp, _ int) uint64 { return uint64(w.cta.id[1] % w.cta.run.cluster[1]) },
	"%cluster_ctaid.z":  func(w *warp, _ int) uint64 { return uint64(w.cta.id[2] % w.cta.run.cluster[2]) },
	"%cluster_nctaid.x": func(w *warp, _ int) uint64 { return uint64(w.cta.run.cluster[0]) },
	"%cluster_nctaid.y": func(w *warp, _ int) uint64 { return uint64(w.cta.run.cluster[1]) },
	"%cluster_nctaid.z": func(w *warp, _ int) uint64 { return uint64(w.cta.run.cluster[2]) },
	"%cluster_ctarank":  func(w *warp, _ int) uint64 { return uint64(w.cta.rank) },
	"%cluster_nctarank": func(w *warp, _ int) uint64 { return uint64(len(w.cta.group.ctas)) },

	// There is no graph, and nothing is counted.
	"%current_graph_exec": func(*warp, int) uint64 { return 0 },

	"%dynamic_smem_size": func(w *warp, _ int) uint64 { return uint64(w.cta.run.l.DynamicShared) },
	"%total_smem_size":   func(w *warp, _ int) uint64 { return uint64(w.cta.run.shared) },
	"%aggr_smem_size":    func(w *warp, _ int) uint64 { return uint64(w.cta.run.shared) },
}

// clocks are the special registers that change: they are read whenever an
// instruction names them.
var clocks = map[string]func(w *warp) uint64{
	"%clock":          func(w *warp) uint64 { return w.ticks() & mask(32) },
	"%clock_hi":       func(w *warp) uint64 { return w.ticks() >> 32 },
	"%clock64":        func(w *warp) uint64 { return w.ticks() },
	"%globaltimer":    func(*warp) uint64 { return uint64(time.Now().UnixNano()) },
	"%globaltimer_lo": func(*warp) uint64 { return uint64(time.Now().UnixNano()) & mask(32) },
	"%globaltimer_hi": func(*warp) uint64 { return uint64(time.Now().UnixNano()) >> 32 },
}

var wideSpecials = map[string]bool{"%gridid": true, "%current_graph_exec": true, "%clock64": true, "%globaltimer": true}

// ticks counts the warp's instructions.
func (w *warp) ticks() uint64 { return w.before + w.steps }

// specialSrc is a special register as an operand of type t.
func (d *decoder) specialSrc(o *operand, t scalar) src {
	// Nothing is reserved by the system, the driver passes nothing, and
	// performance monitors count nothing.
	if strings.HasPrefix(o.name, "%envreg") || strings.HasPrefix(o.name, "%pm") || strings.HasPrefix(o.name, "%reserved_smem_offset") {
		return d.konst(0)
	}
	value, clock := specialRegs[o.name], clocks[o.name]
	if value == nil && clock == nil {
		d.badOperand(o, "'%s' is not declared", o.name)
	}
	width := 32
	if wideSpecials[o.name] {
		width = 64
	}
	if t.bits() != width && !(t.bits() < width && t.bits() >= 16) || t.float() {
		d.badOperand(o, "special register '%s' of %d bits as an operand of type .%s", o.name, width, t)
	}
	slot, ok := d.specials[o.name]
	if !ok {
		slot = int32(d.p.nregs)
		d.p.nregs++
		d.specials[o.name] = slot
		fill := func(w *warp, out *lanes) {
			for i := range out {
				out[i] = value(w, i)
			}
		}
		if clock != nil {
			fill = func(_ *warp, out *lanes) { *out = lanes{} }
		}
		d.p.specials = append(d.p.specials, special{slot, fill})
	}
	if clock != nil {
		d.before = append(d.before, func(w *warp, m uint32) {
			v, out := clock(w), w.reg(slot)
			for m != 0 {
				out[next(&m)] = v
			}
		})
	}
	return src(slot)
}

// explicitCluster is a predicate that tells whether the launch has clusters.
func (d *decoder) explicitCluster(not bool) predSrc {
	if d.p.clustered == 0 {
		d.p.clustered = int32(d.p.npreds)
		d.p.npreds++
	}
	slot := d.p.clustered
	d.before = append(d.before, func(w *warp, m uint32) {
		v := uint32(0)
		if len(w.cta.group.ctas) > 1 {
			v = full
		}
		w.preds[slot], w.pinit[slot] = v, full
	})
	return predSrc{slot, not}
}
