package nvvmtoptx

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptx"
	"github.com/tilewright/tilewright/target/sm"
)

func init() {
	add(map[*ir.OpDef]rule{
		nvvm.Barrier: func(e *emitter, o ir.Op) error {
			id, threads := named(o)
			e.body.BarSync(id, threads)
			return nil
		},
		nvvm.BarrierArrive: func(e *emitter, o ir.Op) error {
			id, threads := named(o)
			e.emit(ptx.OpBarArrive, nil, ptx.Int(int64(id)), ptx.Int(int64(threads)))
			return nil
		},
		nvvm.WarpSync:   func(e *emitter, _ ir.Op) error { e.emit(ptx.OpBarWarpSync, nil, ptx.Hex(allLanes)); return nil },
		nvvm.SetMaxNReg: (*emitter).setMaxNReg,
		nvvm.Shuffle:    (*emitter).shuffle, nvvm.ElectSync: (*emitter).elect,
		nvvm.VoteAny: func(e *emitter, o ir.Op) error {
			e.emit(ptx.OpVoteSync, mods(ptx.Any, ptx.PredType), ptx.R(e.def(o.Result(0))), ptx.R(e.reg(o.Operand(0))), ptx.Hex(allLanes))
			return nil
		},
	})
	for name, def := range nvvm.Sreg {
		add(map[*ir.OpDef]rule{def: readSpecial(specials[name])})
	}
}

// named returns which barrier an operation names, and how many threads meet there; 0: that of all.
func named(o ir.Op) (id, threads int) {
	i, _ := o.IntAttr(nvvm.AttrID)
	n, _ := o.IntAttr(nvvm.AttrThreads)
	return int(i), int(n)
}

func (e *emitter) setMaxNReg(o ir.Op) error {
	if err := e.need(o, sm.SetMaxNReg); err != nil {
		return err
	}
	n, _ := o.IntAttr(nvvm.AttrCount)
	way := ptx.Dec
	if o.HasUnitAttr(nvvm.AttrMore) {
		way = ptx.Inc
	}
	e.emit(ptx.OpSetMaxNReg, mods(way, ptx.Sync, ptx.Aligned, ptx.U32), ptx.Int(n))
	return nil
}

// specials gives the special registers their values in the PTX model. %laneid is there for IR that others write: the
// lowering computes the lane from %tid, which it needs anyway.
var specials = map[string]ptx.Special{
	"tid.x": ptx.SregTidX, "laneid": ptx.SregLaneID,
	"ctaid.x": ptx.SregCtaIDX, "ctaid.y": ptx.SregCtaIDY, "ctaid.z": ptx.SregCtaIDZ,
	"nctaid.x": ptx.SregNCtaIDX, "nctaid.y": ptx.SregNCtaIDY, "nctaid.z": ptx.SregNCtaIDZ,
	"clusterid.x": ptx.SregClusterIDX, "clusterid.y": ptx.SregClusterIDY, "clusterid.z": ptx.SregClusterIDZ,
	"nclusterid.x": ptx.SregNClusterIDX, "nclusterid.y": ptx.SregNClusterIDY, "nclusterid.z": ptx.SregNClusterIDZ,
	"cluster_ctarank": ptx.SregClusterCtaRank,
}

// readSpecial is the rule of reading a special register.
func readSpecial(s ptx.Special) rule {
	return func(e *emitter, o ir.Op) error {
		if s == 0 {
			return o.Errorf("has no PTX instruction")
		}
		// Cluster registers exist from sm_90 on, also in launches without clusters, where each CTA is one.
		if s >= ptx.SregClusterIDX && s <= ptx.SregIsExplicitCluster {
			if err := e.need(o, sm.Clusters); err != nil {
				return err
			}
		}
		e.emit(ptx.OpMov, mods(ptx.U32), ptx.R(e.def(o.Result(0))), ptx.Sreg(s))
		return nil
	}
}

const (
	// All lanes take part: control is uniform, so that none can have left (PTX ISA, shfl.sync: a lane that is named
	// must execute it).
	allLanes = 0xffffffff
	// The clamp of a shuffle: the last lane of the warp to read from, or the first for shuffles upwards.
	clampLast, clampFirst = 31, 0
)

var shuffles = map[string]struct {
	mod   ptx.Mod
	clamp int64
}{"idx": {ptx.Idx, clampLast}, "down": {ptx.Down, clampLast}, "bfly": {ptx.Bfly, clampLast}, "up": {ptx.Up, clampFirst}}

// shuffle moves 32 bits; mov takes an f32 there and back.
//
// The clamp c of shfl is 31 with a segment of 32 lanes: lanes that would be read beyond it return the reader's
// own value. The mask of a segment is in bits 8 to 12 (PTX ISA, "shfl.sync"). The result of `elect` that names the lane is not used.
func (e *emitter) elect(o ir.Op) error {
	return e.guarded(o, sm.ElectSync, ptx.OpElectSync, nil, ptx.Pair(0, e.def(o.Result(0))), ptx.Hex(allLanes))
}

func (e *emitter) shuffle(o ir.Op) error {
	s, ok := shuffles[o.StringAttr(nvvm.AttrMode)]
	if !ok {
		return o.Errorf("has no shuffle mode")
	}
	d, v := e.def(o.Result(0)), e.reg(o.Operand(0))
	segment, _ := o.IntAttr(nvvm.AttrSegment)
	e.emit(ptx.OpShflSync, mods(s.mod, ptx.B32), ptx.R(d), ptx.R(v), e.use(o.Operand(1)), ptx.Int(segment<<8|s.clamp), ptx.Hex(allLanes))
	return nil
}
