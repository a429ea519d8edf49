package machine

import (
	"time"

	"github.com/tilewright/tilewright/target/engine/emu/num"
)

// SpecialFill asks that a slot hold a special register's value in every warp.
type SpecialFill struct {
	Slot int32
	Fill func(w *Warp, out *Lanes)
}

// SpecialRegisters gives the value of each special register in one lane; they
// do not change while a CTA runs. All are 32 bits wide unless listed in
// WideSpecials.
//
// They are filled in when a warp starts instead of being read by name: an instruction that uses %tid.x is one on
// registers like any other. Those that a kernel does not name cost nothing.
var SpecialRegisters = map[string]func(w *Warp, lane int) uint64{
	"%laneid":       func(_ *Warp, lane int) uint64 { return uint64(lane) },
	"%warpid":       func(w *Warp, _ int) uint64 { return uint64(w.ID) },
	"%nwarpid":      func(w *Warp, _ int) uint64 { return uint64(len(w.CTA.Warps)) },
	"%smid":         func(*Warp, int) uint64 { return 0 },
	"%nsmid":        func(*Warp, int) uint64 { return 1 },
	"%gridid":       func(*Warp, int) uint64 { return 1 },
	"WARP_SZ":       func(*Warp, int) uint64 { return WarpSize },
	"%lanemask_eq":  func(_ *Warp, lane int) uint64 { return 1 << lane },
	"%lanemask_lt":  func(_ *Warp, lane int) uint64 { return 1<<lane - 1 },
	"%lanemask_le":  func(_ *Warp, lane int) uint64 { return 2<<lane - 1 },
	"%lanemask_gt":  func(_ *Warp, lane int) uint64 { return num.Mask(32) &^ (2<<lane - 1) },
	"%lanemask_ge":  func(_ *Warp, lane int) uint64 { return num.Mask(32) &^ (1<<lane - 1) },
	"%tid.x":        func(w *Warp, lane int) uint64 { return uint64(w.thread(lane)[0]) },
	"%tid.y":        func(w *Warp, lane int) uint64 { return uint64(w.thread(lane)[1]) },
	"%tid.z":        func(w *Warp, lane int) uint64 { return uint64(w.thread(lane)[2]) },
	"%ntid.x":       func(w *Warp, _ int) uint64 { return uint64(w.CTA.Run.block[0]) },
	"%ntid.y":       func(w *Warp, _ int) uint64 { return uint64(w.CTA.Run.block[1]) },
	"%ntid.z":       func(w *Warp, _ int) uint64 { return uint64(w.CTA.Run.block[2]) },
	"%ctaid.x":      func(w *Warp, _ int) uint64 { return uint64(w.CTA.ID[0]) },
	"%ctaid.y":      func(w *Warp, _ int) uint64 { return uint64(w.CTA.ID[1]) },
	"%ctaid.z":      func(w *Warp, _ int) uint64 { return uint64(w.CTA.ID[2]) },
	"%nctaid.x":     func(w *Warp, _ int) uint64 { return uint64(w.CTA.Run.grid[0]) },
	"%nctaid.y":     func(w *Warp, _ int) uint64 { return uint64(w.CTA.Run.grid[1]) },
	"%nctaid.z":     func(w *Warp, _ int) uint64 { return uint64(w.CTA.Run.grid[2]) },
	"%clusterid.x":  func(w *Warp, _ int) uint64 { return uint64(w.CTA.ID[0] / w.CTA.Run.cluster[0]) },
	"%clusterid.y":  func(w *Warp, _ int) uint64 { return uint64(w.CTA.ID[1] / w.CTA.Run.cluster[1]) },
	"%clusterid.z":  func(w *Warp, _ int) uint64 { return uint64(w.CTA.ID[2] / w.CTA.Run.cluster[2]) },
	"%nclusterid.x": func(w *Warp, _ int) uint64 { return uint64(w.CTA.Run.grid[0] / w.CTA.Run.cluster[0]) },
	"%nclusterid.y": func(w *Warp, _ int) uint64 { return uint64(w.CTA.Run.grid[1] / w.CTA.Run.cluster[1]) },
	"%nclusterid.z": func(w *Warp, _ int) uint64 { return uint64(w.CTA.Run.grid[2] / w.CTA.Run.cluster[2]) },

	"%cluster_ctaid.x":  func(w *Warp, _ int) uint64 { return uint64(w.CTA.ID[0] % w.CTA.Run.cluster[0]) },
	"%cluster_ctaid.y":  func(w *Warp, _ int) uint64 { return uint64(w.CTA.ID[1] % w.CTA.Run.cluster[1]) },
	"%cluster_ctaid.z":  func(w *Warp, _ int) uint64 { return uint64(w.CTA.ID[2] % w.CTA.Run.cluster[2]) },
	"%cluster_nctaid.x": func(w *Warp, _ int) uint64 { return uint64(w.CTA.Run.cluster[0]) },
	"%cluster_nctaid.y": func(w *Warp, _ int) uint64 { return uint64(w.CTA.Run.cluster[1]) },
	"%cluster_nctaid.z": func(w *Warp, _ int) uint64 { return uint64(w.CTA.Run.cluster[2]) },
	"%cluster_ctarank":  func(w *Warp, _ int) uint64 { return uint64(w.CTA.Rank) },
	"%cluster_nctarank": func(w *Warp, _ int) uint64 { return uint64(len(w.CTA.Cluster.CTAs)) },

	// There is no graph, and nothing is counted.
	"%current_graph_exec": func(*Warp, int) uint64 { return 0 },

	"%dynamic_smem_size": func(w *Warp, _ int) uint64 { return uint64(w.CTA.Run.Launch.DynamicShared) },
	"%total_smem_size":   func(w *Warp, _ int) uint64 { return uint64(w.CTA.Run.shared) },
	"%aggr_smem_size":    func(w *Warp, _ int) uint64 { return uint64(w.CTA.Run.shared) },
}

// Clocks are the special registers that change: they are read whenever an
// instruction names them.
var Clocks = map[string]func(w *Warp) uint64{
	"%clock":          func(w *Warp) uint64 { return w.ticks() & num.Mask(32) },
	"%clock_hi":       func(w *Warp) uint64 { return w.ticks() >> 32 },
	"%clock64":        func(w *Warp) uint64 { return w.ticks() },
	"%globaltimer":    func(*Warp) uint64 { return uint64(time.Now().UnixNano()) },
	"%globaltimer_lo": func(*Warp) uint64 { return uint64(time.Now().UnixNano()) & num.Mask(32) },
	"%globaltimer_hi": func(*Warp) uint64 { return uint64(time.Now().UnixNano()) >> 32 },
}

// WideSpecials are those of 64 bits.
var WideSpecials = map[string]bool{"%gridid": true, "%current_graph_exec": true, "%clock64": true, "%globaltimer": true}

// ticks counts the warp's instructions.
//
// A clock of instructions is repeatable, and grows, which is all that a kernel may expect of %clock.
func (w *Warp) ticks() uint64 { return w.before + w.steps }
