package specializewarps

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Loads of one loop can fill the stages of one pipe, if those who multiply are done with one load before they wait for
// the next:
//
//	for { load K ; load V ; wait K ; S = dot_async Q, K ; threads ; wait V ; O = dot_async P, V, O }
//
// K and V then fill stages of the pipe one after the other, if both have the same size. That takes time: the load of V
// starts when Q K^T is complete. So they do only if shared memory has no room for a pipe of each, as in latent attention
// with 128 KiB each, and if there is no modulo schedule either. Loads that are in no loop can share its pipe as well.

// reuseStages makes loads of a loop share pipes.
func (p *plan) reuseStages() {
	var pipes []*pipe
	for _, r := range p.pipes {
		i := slices.IndexFunc(pipes, func(o *pipe) bool { return p.canShare(o, r) })
		if i < 0 {
			pipes = append(pipes, r)
			continue
		}
		for _, g := range r.groups {
			g.pipe = pipes[i]
		}
		pipes[i].groups, pipes[i].once = append(pipes[i].groups, r.groups...), false
	}
	p.pipes = pipes
}

// canShare reports whether the groups of two pipes can fill the stages of one.
func (p *plan) canShare(r, o *pipe) bool {
	fits := slices.EqualFunc(r.groups[0].buffers, o.groups[0].buffers, func(a, b *filled) bool {
		s, t := a.alloc.Result(0).Type().(*tileas.BufferType), b.alloc.Result(0).Type().(*tileas.BufferType)
		return s.Bytes() == t.Bytes() && a.alloc.Attr(tileas.AttrAlign) == b.alloc.Attr(tileas.AttrAlign)
	})
	if !fits || r.from != o.from || r.from != tileas.ByTMA || r.to != o.to || r.lag+o.lag > 0 {
		return false
	}
	return !slices.ContainsFunc(r.groups, func(a *group) bool {
		return slices.ContainsFunc(o.groups, func(b *group) bool {
			return (a.once() || b.once() || a.loopsWith(b)) && !p.before(a, b) && !p.before(b, a)
		})
	})
}

// before reports whether those who multiply are done with a group before they wait for another one: in the block of both,
// or where their blocks are part of one. The producer waits for that before it loads the latter. So it must have started
// all loads by then that MMAs up to there need.
func (p *plan) before(a, b *group) bool {
	if a.done().IsNil() || b.done().IsNil() {
		return false
	}
	first, start := ir.Siblings(a.issue(), b.issue())
	at := func(op ir.Op) ir.Op { return op.AncestorIn(start.Block().Region()) }
	done := at(a.done())
	if !first.IsBeforeInBlock(start) || !done.IsBeforeInBlock(at(b.wait())) {
		return false
	}
	return !slices.ContainsFunc(p.groups, func(g *group) bool {
		return !g.handed() && !at(g.wait()).IsNil() && !done.IsBeforeInBlock(at(g.wait())) && !at(g.issue()).IsBeforeInBlock(start)
	})
}

// done returns the operation after which the stage of a group is free; a zero Op if MMAs stay in flight.
func (g *group) done() ir.Op {
	if g.mmas {
		return g.lastReader
	}
	if g.late || g.awaitMMAs {
		return ir.Op{}
	}
	return g.release
}

// as returns a stage's buffer as that of a load, whose type differs if loads share stages.
func (w *writer) as(buffer ir.Value, load *filled) ir.Value {
	t := load.alloc.Result(0).Type()
	if buffer.Type() == t {
		return buffer
	}
	return w.b.Create(tileas.BufferReinterpret, []ir.Value{buffer}, []ir.Type{t}).Result(0)
}
