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
var Analysis = passes.NewAnalysis("buffers", "memory that buffers may be", func(c *passes.Cache) *Buffers { return Analyze(c.Op()) })

// A Place is a range of bytes of an allocation.
type Place struct {
	Root     ir.Op // an alloc_shared or alloc_tmem
	From, To int64 // bytes from its start, To exclusive
	// Stage identifies the stage if only its index is known. The range then covers all stages. Zero: unknown.
	Stage Stage
}

// A Stage is a stage number: a run-time index plus a constant, modulo the number of stages.
type Stage struct {
	Index ir.Value
	Ahead int64
}

// Places is the memory that a value may be.
type Places struct {
	Any  bool // any memory
	List []Place
}

// maxPlaces is the most places of a value before it counts as any memory: selects of stages multiply.
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

func (p Places) equal(q Places) bool { return p.Any == q.Any && len(p.List) == len(q.List) } // places only grow, so equal numbers are equal sets

// Overlap reports whether the two may have a byte in common. Different allocations have none, unless both have offsets
// in shared memory that overlap. If now is true, no value that the two accesses depend on has changed between them:
// stages with the same index and different constants are then disjoint.
func (p Places) Overlap(q Places, now bool) bool {
	return p.Any || q.Any || slices.ContainsFunc(p.List, func(a Place) bool {
		return slices.ContainsFunc(q.List, func(b Place) bool {
			apart := !a.Stage.Index.IsNil() && a.Stage.Index == b.Stage.Index && a.Stage.Ahead != b.Stage.Ahead
			return a.overlaps(b) && !(now && apart && a.Root == b.Root)
		})
	})
}

func (p Place) overlaps(q Place) bool {
	at, placed := p.Root.IntAttr(tileas.AttrOffset)
	other, alsoPlaced := q.Root.IntAttr(tileas.AttrOffset)
	if p.Root != q.Root { // offsets in shared memory and TMEM are unrelated
		return placed && alsoPlaced && p.Root.Def() == q.Root.Def() && p.From+at < q.To+other && q.From+other < p.To+at
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

// A Buffers is the result of the analysis of a kernel.
type Buffers struct {
	root  ir.Op
	facts *dataflow.Facts[Places]
}

// Analyze analyses a kernel.
func Analyze(fn ir.Op) *Buffers {
	problem := dataflow.Forward[Places]{
		Join: Places.with, Equal: Places.equal, Transfer: transfer,
		Unknown: func(v ir.Value) Places { return Places{Any: tileas.IsBuffer(v)} },
		Trivial: func(v ir.Value) bool { return !tileas.IsBuffer(v) },
	}
	return &Buffers{root: fn, facts: problem.Run(fn)}
}

// Of returns the memory that a buffer may be.
func (b *Buffers) Of(v ir.Value) Places {
	if p, ok := b.facts.Of(v); ok {
		return p
	}
	return Places{Any: tileas.IsBuffer(v)}
}

func sizeOf(v ir.Value) int64 { return v.Type().(*tileas.BufferType).Bytes() }

// transfer sets the places of an operation's results, which are unknown so far.
func transfer(op ir.Op, in, out []Places) {
	if op.Is(tileas.PipeAcquire) || op.Is(tileas.PipeWait) {
		inPipe(op, out)
	}
	if op.NumResults() != 1 || !tileas.IsBuffer(op.Result(0)) {
		return
	}
	t := op.Result(0).Type().(*tileas.BufferType)
	switch {
	case op.Is(tileas.AllocShared), op.Is(tileas.AllocTMEM):
		out[0] = Places{List: []Place{{Root: op, To: t.Bytes()}}}
	case op.Is(tileas.BufferPermute), op.Is(tileas.BufferReinterpret):
		out[0] = in[0]
	case op.Is(arith.Select):
		out[0] = in[1].with(in[2])
	case op.Is(tileas.BufferStage):
		ahead, _ := op.IntAttr(tileas.AttrAhead)
		if i, ok := ir.ConstantValue(op.Operand(1)).(*ir.IntegerAttr); ok {
			i := (i.Value + ahead) % op.Operand(0).Type().(*tileas.BufferType).Stages
			out[0] = part(in[0], sizeOf(op.Operand(0)), i*t.StageBytes(), t.Bytes())
			break
		}
		// A place of another size is part of such a buffer already, and its stage is unknown.
		out[0] = in[0].each(sizeOf(op.Operand(0)), func(p *Place) {
			if p.Stage == (Stage{}) {
				p.Stage = Stage{op.Operand(1), ahead}
			}
		})
	case op.Is(tileas.BufferSlice):
		out[0] = part(in[0], sizeOf(op.Operand(0)), tileas.SliceOffset(op), t.Bytes())
	}
}

// inPipe sets the places of a stage of a pipe: some stages of its buffers, and an mbarrier that is the pipe's own.
func inPipe(op ir.Op, out []Places) {
	create := op.Operand(0).DefiningOp()
	for i := range out {
		root := create
		if i < create.NumOperands() {
			root = create.Operand(i).DefiningOp()
		}
		if root.IsNil() || !root.Is(tileas.AllocShared) && !root.Is(tileas.AllocTMEM) && root != create {
			return
		}
		bytes := sizeOf(op.Result(i))
		if root != create {
			bytes = sizeOf(root.Result(0))
		}
		out[i] = Places{List: []Place{{Root: root, To: bytes}}}
	}
}

// part returns the bytes from an offset on, of a value of the given size. A place of another size covers more than the
// value (some stage of several), and stays unchanged.
func part(whole Places, size, from, bytes int64) Places {
	return whole.each(size, func(p *Place) { p.From, p.To = p.From+from, p.From+from+bytes })
}

// each returns the places with those of the given size changed.
func (p Places) each(size int64, change func(*Place)) Places {
	out := Places{Any: p.Any}
	for _, x := range p.List {
		if x.To-x.From == size {
			change(&x)
		}
		out = out.with(Places{List: []Place{x}})
	}
	return out
}
