package insertbarriers

import (
	"maps"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
)

// Synchronised holds when barriers separate conflicting accesses.
var Synchronised = passes.NewProperty("synchronised", "has barriers between conflicting accesses of different threads")

var numBarriers = passes.NewStatistic("barriers", "barriers inserted")

// Pass is tileas-insert-barriers.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileas-insert-barriers",
	Title:       "TileASInsertBarriers",
	Summary:     "insert barriers between conflicting accesses",
	Doc:         "Finds accesses of shared memory, and token-ordered ones of global memory, that conflict with earlier ones of other threads, and puts barriers before them.",
	On:          "nv_tileas.func",
	Requires:    []*passes.Property{property.TileAS, property.SharedAllocated},
	Establishes: []*passes.Property{Synchronised},
	Statistics:  []*passes.Statistic{numBarriers},
	Run: func(r *passes.Run) error {
		in := &inserter{}
		in.block(r.Op.Body(), pending{})
		r.Add(numBarriers, in.inserted)
		return nil
	},
})

// pending is the set of accesses since the last barrier on some way.
type pending map[ir.Op]bool

func (p pending) join(q pending) (grew bool) {
	for op := range q {
		if !p[op] {
			p[op], grew = true, true
		}
	}
	return grew
}

// frame collects what reaches the head and the exit of a loop through continue and break.
type frame struct{ head, exit pending }

type inserter struct {
	frames   []*frame
	inserted int
}

// block walks a block from a state and returns the state behind it; nil when control does not reach its end.
func (in *inserter) block(b ir.Block, s pending) pending {
	if b.IsNil() {
		return s
	}
	for op := range b.Ops() {
		s = in.op(op, s)
		if s == nil {
			return nil
		}
	}
	return s
}

func (in *inserter) op(op ir.Op, s pending) pending {
	switch {
	case op.Is(tileas.Barrier):
		return pending{}
	case op.Is(scf.If):
		then := in.block(op.Region(0).First(), maps.Clone(s))
		other := in.block(op.Region(1).First(), s)
		if then == nil {
			return other
		}
		if other != nil {
			then.join(other)
		}
		return then
	case op.Is(scf.For), op.Is(scf.Loop):
		return in.loop(op, s)
	case op.Is(scf.Continue):
		in.frames[len(in.frames)-1].head.join(s)
		return nil
	case op.Is(scf.Break):
		in.frames[len(in.frames)-1].exit.join(s)
		return nil
	case op.Is(tileas.Level.Return):
		return nil
	}
	if !touchesMemory(op) {
		return s
	}
	for earlier := range s {
		if conflict(earlier, op) {
			ir.BuilderBefore(op).Create(tileas.Barrier, nil, nil)
			in.inserted++
			return pending{op: true}
		}
	}
	s[op] = true
	return s
}

func (in *inserter) loop(op ir.Op, s pending) pending {
	f := &frame{head: maps.Clone(s), exit: pending{}}
	if op.Is(scf.For) {
		f.exit = maps.Clone(s) // it may run zero times
	}
	in.frames = append(in.frames, f)
	for {
		before := maps.Clone(f.head)
		in.block(op.Body(), maps.Clone(f.head))
		if !before.join(f.head) {
			break
		}
	}
	in.frames = in.frames[:len(in.frames)-1]
	if op.Is(scf.For) {
		f.exit.join(f.head)
	}
	return f.exit
}
