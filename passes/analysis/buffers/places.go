package buffers

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow"
	"github.com/tilewright/tilewright/passes"
)

// Analysis is the cached form of [Analyze]. A pass that changes no buffers and no control flow preserves it.
var Analysis = passes.NewAnalysis("buffers", "memory that buffers may be", func(c *passes.Cache) (*Buffers, error) { return Analyze(c.Op()), nil })

// A Place is a range of the bytes of an allocation.
type Place struct {
	Root     ir.Op // an alloc_shared or alloc_tensor
	From, To int64 // bytes from its start, To exclusive
	// Ring says which slot it is, where only its index is known; the range is then of all slots. Zero: nothing is known.
	Ring Ring
}

// A Ring is a slot by a run-time index, and so many slots further in the ring.
type Ring struct {
	Index ir.Value
	Ahead int64
}

// Places is the memory that a value may be.
type Places struct {
	Any  bool // anything
	List []Place
}

// maxPlaces is from how many places on a value counts as anything: selects of slots multiply.
const maxPlaces = 64

func (p Places) with(q Places) Places {
	if p.Any || q.Any {
		return Places{Any: true}
	}
	out := p
	for _, x := range q.List {
		if !slices.Contains(out.List, x) {
			out.List = append(slices.Clip(out.List), x)
		}
	}
	if len(out.List) > maxPlaces {
		return Places{Any: true}
	}
	return out
}

func (p Places) equal(q Places) bool { return p.Any == q.Any && len(p.List) == len(q.List) } // they only grow

// Overlap reports whether the two may have a byte in common, whenever each is looked at. Different allocations have none, unless both have their place in the kernel's shared memory and those meet.
func (p Places) Overlap(q Places) bool { return p.overlap(q, false) }

// OverlapNow is Overlap for two accesses between which no value that they rest on has changed: slots by one index at different distances are then apart.
func (p Places) OverlapNow(q Places) bool { return p.overlap(q, true) }

func (p Places) overlap(q Places, now bool) bool {
	if p.Any || q.Any {
		return true
	}
	for _, a := range p.List {
		for _, b := range q.List {
			if a.overlaps(b) && !(now && a.Ring.apart(b.Ring) && a.Root == b.Root) {
				return true
			}
		}
	}
	return false
}

// apart reports whether two slots of one buffer differ.
func (r Ring) apart(o Ring) bool { return !r.Index.IsNil() && r.Index == o.Index && r.Ahead != o.Ahead }

func (p Place) overlaps(q Place) bool {
	at, placed := p.Root.IntAttr(tileas.AttrOffset)
	other, alsoPlaced := q.Root.IntAttr(tileas.AttrOffset)
	if p.Root != q.Root {
		if !placed || !alsoPlaced || p.Root.Def() != q.Root.Def() { // offsets in tensor memory are of their own
			return false
		}
		return p.From+at < q.To+other && q.From+other < p.To+at
	}
	return p.From < q.To && q.From < p.To
}

// Roots returns the allocations that the places are in.
func (p Places) Roots() []ir.Op {
	var out []ir.Op
	for _, x := range p.List {
		if !slices.Contains(out, x.Root) {
			out = append(out, x.Root)
		}
	}
	return out
}

// Buffers is what the analysis knows of one kernel.
type Buffers struct {
	root  ir.Op
	facts *dataflow.Facts[Places]
}

// Analyze analyses a kernel.
func Analyze(fn ir.Op) *Buffers {
	problem := dataflow.Forward[Places]{
		Join: Places.with, Equal: Places.equal, Transfer: transfer,
		Unknown: func(v ir.Value) Places { return Places{Any: isBuffer(v)} },
	}
	return &Buffers{root: fn, facts: problem.Run(fn)}
}

// Of returns the memory that a buffer may be.
func (b *Buffers) Of(v ir.Value) Places {
	if p, ok := b.facts.Of(v); ok {
		return p
	}
	return Places{Any: true}
}

func isBuffer(v ir.Value) bool {
	_, ok := v.Type().(*tileas.BufferType)
	return ok
}

func sizeOf(v ir.Value) int64 { return v.Type().(*tileas.BufferType).Bytes() }

// transfer returns the places of an operation's results; nil: of nothing that is known.
func transfer(op ir.Op, in []Places) []Places {
	if op.NumResults() != 1 || !isBuffer(op.Result(0)) {
		return nil
	}
	t := op.Result(0).Type().(*tileas.BufferType)
	switch {
	case op.Is(tileas.AllocShared), op.Is(tileas.AllocTensor):
		return []Places{{List: []Place{{Root: op, To: t.Bytes()}}}}
	case op.Is(tileas.BufferPermute), op.Is(tileas.BufferReinterpret):
		return in[:1]
	case op.Is(arith.Select):
		return []Places{in[1].with(in[2])}
	case op.Is(tileas.BufferSlot):
		ahead, _ := op.IntAttr(tileas.AttrAhead)
		if i, ok := ir.ConstantValue(op.Operand(1)).(*ir.IntegerAttr); ok {
			i := (i.Value + ahead) % op.Operand(0).Type().(*tileas.BufferType).Slots
			return []Places{part(in[0], sizeOf(op.Operand(0)), i*t.SlotBytes(), t.Bytes())}
		}
		return []Places{ring(in[0], sizeOf(op.Operand(0)), Ring{op.Operand(1), ahead})}
	case op.Is(tileas.BufferSlice):
		return []Places{part(in[0], sizeOf(op.Operand(0)), tileas.SliceOffset(op), t.Bytes())}
	}
	return nil
}

// part returns the bytes from an offset on, of a value of the given size. A place of another size is wider than the value (some slot of several) and stays as it is.
func part(whole Places, size, from, bytes int64) Places {
	out := Places{Any: whole.Any}
	for _, p := range whole.List {
		if p.To-p.From == size {
			p = Place{Root: p.Root, From: p.From + from, To: p.From + from + bytes, Ring: p.Ring}
		}
		out = out.with(Places{List: []Place{p}})
	}
	return out
}

// ring returns some slot of places of the given size. A place of another size is a part of such a buffer already, of which the index says nothing.
func ring(whole Places, size int64, r Ring) Places {
	out := Places{Any: whole.Any}
	for _, p := range whole.List {
		if p.To-p.From == size && p.Ring == (Ring{}) {
			p.Ring = r
		}
		out = out.with(Places{List: []Place{p}})
	}
	return out
}
