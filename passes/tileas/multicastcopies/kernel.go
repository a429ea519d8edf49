package multicastcopies

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/sameness"
)

// A kernel is what is known of one, and the copies that are chosen.
type kernel struct {
	fn    ir.Op
	ctas  int
	same  *sameness.Sameness
	loads []ir.Op
	rings map[ir.Op]*ring // by the allocation of their mbarriers
	order []*ring
}

// A ring is mbarriers that say when slots are free.
type ring struct {
	inits, waits, arrivals []ir.Op
	why                    string // it cannot say so for all CTAs
}

// add chooses a copy, or says why it stays as it is.
func (k *kernel) add(load ir.Op) (why string) {
	for _, v := range load.Operands() {
		if k.same.Differs(v) {
			return "it is another tile in each"
		}
	}
	if why := k.same.Comes(load); why != "" {
		return why
	}
	if _, ok := tileas.RoleOf(load); ok {
		r, why := k.free(load)
		if why != "" {
			return why
		}
		if r != nil && !slices.Contains(k.order, r) {
			k.order = append(k.order, r)
		}
	}
	k.loads = append(k.loads, load)
	return ""
}

// free returns the ring that says when the slot of a copy of a role is free; nil where it is filled once.
func (k *kernel) free(load ir.Op) (*ring, string) {
	op := load.Prev()
	for !op.IsNil() && harmless(op) {
		op = op.Prev()
	}
	if op.IsNil() || !op.Is(tileas.MbarrierWait) {
		if ir.InLoop(load) {
			return nil, "no mbarrier says when its slot is free"
		}
		return nil, ""
	}
	root := op.Operand(0).DefiningOp()
	for !root.IsNil() && isPart(root) {
		root = root.Operand(0).DefiningOp()
	}
	if root.IsNil() || !root.Is(tileas.AllocShared) {
		return nil, "nobody knows which mbarrier says when its slot is free"
	}
	if k.rings[root] == nil {
		r := &ring{}
		k.rings[root] = r
		r.find(k, root.Result(0))
	}
	r := k.rings[root]
	return r, r.why
}

// harmless reports whether an operation may stand between the wait for a slot and the copies to it.
func harmless(op ir.Op) bool {
	return ir.IsPure(op) || op.Is(tileas.MbarrierExpect) || op.Is(tileas.TMALoad)
}

// isPart reports whether an operation takes a slot of a buffer, or looks at it in another way.
func isPart(op ir.Op) bool { return op.Is(tileas.BufferSlot) || tileas.IsView(op) }

// find finds what is done to the mbarriers of a ring.
func (r *ring) find(k *kernel, v ir.Value) {
	for u := range v.Uses() {
		op := u.Owner()
		switch {
		case isPart(op):
			r.find(k, op.Result(0))
		case op.Is(tileas.MbarrierInit):
			r.inits = append(r.inits, op)
		case op.Is(tileas.MbarrierWait), op.Is(tileas.MbarrierArrive):
			if why := k.same.Comes(op); why != "" {
				r.why = why
			}
			if op.Is(tileas.MbarrierWait) {
				r.waits = append(r.waits, op)
			} else {
				r.arrivals = append(r.arrivals, op)
			}
		default:
			r.why = "'" + op.Name() + "' says when its slot is free, which it cannot say to other CTAs"
		}
	}
}

// write makes the chosen copies multicast copies.
func (k *kernel) write() {
	c := k.fn.Context()
	for _, r := range k.order {
		for _, op := range r.inits {
			n, _ := op.IntAttr(tileas.AttrArrivals)
			op.SetAttr(tileas.AttrArrivals, c.IntAttr(c.Int(32), n*int64(k.ctas)))
		}
		for _, op := range slices.Concat(r.waits, r.arrivals) {
			op.SetAttr(tileas.AttrCluster, c.Unit())
		}
	}
	maps := make(map[ir.Value]ir.Value)
	var roles ir.Op
	outside := false
	for _, load := range k.loads {
		load.SetAttr(tileas.AttrMulticast, c.Unit())
		k.halve(load, maps)
		switch region, ok := tileas.RoleOf(load); {
		case ok:
			roles = region.Op
		default:
			outside = true
			if !covered(load) {
				barrier(load)
			}
		}
	}
	if !roles.IsNil() { // behind them their memory, to which arrivals may be on the way, becomes other buffers'
		barrier(roles)
		barrier(roles.Next())
	}
	if !outside {
		return
	}
	k.fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.Level.Return) {
			barrier(op)
		}
		return ir.Advance
	})
}

func barrier(in ir.Op) {
	b := ir.BuilderBefore(in)
	b.Loc = in.Loc()
	b.Create(tileas.ClusterBarrier, nil, nil)
}

// covered reports whether the barrier in front of an earlier copy is one for this copy too.
func covered(load ir.Op) bool {
	for op := load.Prev(); !op.IsNil(); op = op.Prev() {
		if op.Is(tileas.ClusterBarrier) {
			return true
		}
		if !harmless(op) {
			return false
		}
	}
	return false
}

// halve gives a copy a map of as many boxes as there are CTAs, where boxes can be so small.
func (k *kernel) halve(load ir.Op, made map[ir.Value]ir.Value) {
	at, _ := load.OperandRange(load.Def().OperandField(tileas.FieldMap))
	old := load.Operand(at)
	t := old.Type().(*tileas.TensorMapType)
	to := t.Parts(load.Context(), tileas.TensorBoxes(load), k.ctas)
	def := old.DefiningOp()
	if to == t || def.IsNil() {
		return
	}
	// Copies with one map have buffers of one type, or others that take as many boxes: the type of the map says what a box is.
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
		load.SetOperand(at, made[old])
	}
}

func only(v ir.Value, user ir.Op) bool {
	for u := range v.Uses() {
		if u.Owner() != user {
			return false
		}
	}
	return true
}
