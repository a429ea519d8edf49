package multicastcopies

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/analysis/uniform"
)

// A kernel holds the loads that become multicast, and what is known of their mbarriers.
type kernel struct {
	fn       ir.Op
	ctas     int
	uniform  *uniform.Sameness
	loads    []ir.Op
	barriers map[ir.Op]*emptyBarriers // by the allocation of their mbarriers
	chosen   []*emptyBarriers
}

// An emptyBarriers is one allocation of mbarriers that signal free stages, with the operations on it.
type emptyBarriers struct {
	inits []ir.Op
	uses  []ir.Op // waits and arrivals; MMAs arrive too, when they are done
	why   string  // why they cannot signal for all CTAs; "": they can
}

// choose chooses a load for multicast, or returns why not.
func (k *kernel) choose(load ir.Op) (why string) {
	if load.HasUnitAttr(tile.AttrTwoCTAs) {
		return "the tile is for the two-CTA MMAs of its pair"
	}
	if slices.ContainsFunc(load.Operands(), k.uniform.Differs) {
		return "each CTA loads a different tile"
	}
	if why := k.uniform.Uneven(load); why != "" {
		return why
	}
	if _, ok := tileas.RoleOf(load); !ok {
		return "without warp specialization a cluster barrier would precede it, with a fence of the GPU"
	}
	if _, late := tileas.RoleOf(load.OperandNamed("mbarrier").Through(isStageOrView).DefiningOp()); late { // CTAs meet around roles
		return "its mbarrier may not be initialized yet in another CTA"
	}
	r, why := k.barriersOf(load)
	if why != "" {
		return why
	}
	if r != nil && !slices.Contains(k.chosen, r) {
		k.chosen = append(k.chosen, r)
	}
	k.loads = append(k.loads, load)
	return ""
}

// barriersOf returns the mbarriers that signal that the stage of a producer's load is free; nil for a stage that is
// filled once.
func (k *kernel) barriersOf(load ir.Op) (*emptyBarriers, string) {
	// The producer waits right before its loads, with nothing but their coordinates and the expected bytes in between.
	op := load.FindPrev(func(op ir.Op) bool { return !ir.IsPure(op) && !op.Is(tileas.MbarrierExpect) && !op.Is(tileas.TMALoad) })
	if op.IsNil() || !op.Is(tileas.MbarrierWait) {
		if ir.InLoop(load) {
			return nil, "no mbarrier signals that its stage is free"
		}
		return nil, ""
	}
	root := op.Operand(0).Through(isStageOrView).DefiningOp()
	if root.IsNil() || !root.Is(tileas.AllocShared) {
		return nil, "the mbarrier that signals its free stage is unknown"
	}
	if k.barriers[root] == nil {
		r := &emptyBarriers{}
		k.barriers[root] = r
		r.find(k, root.Result(0))
	}
	r := k.barriers[root]
	return r, r.why
}

// isStageOrView reports whether an operation takes a stage of a buffer, or views it in another way.
func isStageOrView(op ir.Op) bool { return op.Is(tileas.BufferStage) || tileas.IsView(op) }

// find collects the operations on the mbarriers, and notes one that cannot work across CTAs.
func (r *emptyBarriers) find(k *kernel, v ir.Value) {
	for u := range v.Uses() {
		op := u.Owner()
		switch {
		case isStageOrView(op):
			r.find(k, op.Result(0))
		case op.Is(tileas.MbarrierInit):
			r.inits = append(r.inits, op)
		case op.Is(tileas.MbarrierWait), op.Is(tileas.MbarrierArrive), op.Is(tileas.TMEMDot), op.Is(tileas.MMACommit):
			// If only some CTAs arrived, the phase would never complete.
			if why := k.uniform.Uneven(op); why != "" {
				r.why = why
			}
			r.uses = append(r.uses, op)
		default:
			r.why = "'" + op.Name() + "' says when its stage is free, which it cannot say to other CTAs"
		}
	}
}

// rewrite turns the chosen loads into multicast loads.
func (k *kernel) rewrite() {
	c := k.fn.Context()
	for _, r := range k.chosen {
		for _, op := range r.inits {
			n, _ := op.IntAttr(tileas.AttrArrivals)
			op.SetAttr(tileas.AttrArrivals, c.IntAttr(c.Int(32), n*int64(k.ctas)))
		}
		for _, op := range r.uses {
			op.SetAttr(tileas.AttrCluster, c.Unit())
		}
	}
	maps := make(map[ir.Value]ir.Value)
	for _, load := range k.loads {
		load.SetAttr(tileas.AttrMulticast, c.Unit())
		k.splitMap(load, maps)
	}
	roles, _ := tileas.RoleOf(k.loads[0])
	tileas.MeetAround(roles.Op)
}

// splitMap gives a load a map with as many boxes as there are CTAs, if boxes can be that small.
func (k *kernel) splitMap(load ir.Op, made map[ir.Value]ir.Value) {
	old := load.OperandNamed(tileas.FieldMap)
	t := old.Type().(*tileas.TensorMapType)
	to := t.Parts(load.Context(), tileas.TMABoxes(load), k.ctas)
	def := old.DefiningOp()
	if to == t || def.IsNil() {
		return
	}
	// The type of a map determines the box. So a map that several loads use is cloned: the others may not be
	// multicast. A map that the CTA builds would be built twice, so it keeps its boxes.
	if made[old].IsNil() {
		if def.Is(tileas.BuildTensorMap) && !only(old, load) {
			return
		}
		if only(old, load) {
			old.SetType(to)
			return
		}
		b := ir.BuilderBefore(def)
		v := b.Clone(def, ir.NewMapping()).Result(0)
		v.SetType(to)
		made[old] = v
	}
	if made[old].Type() == ir.Type(to) {
		tile.SetOptional(load, tileas.FieldMap, made[old])
	}
}

func only(v ir.Value, user ir.Op) bool {
	return !v.UsedBy(func(op ir.Op) bool { return op != user })
}
