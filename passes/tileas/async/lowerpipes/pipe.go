package lowerpipes

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// A pipe is what becomes of a pipe_create.
type pipe struct {
	create      ir.Op
	typ         *tileas.PipeType
	full, empty ir.Value // mbarriers of the stages; empty is nil for a pipe that is filled once
	lag         int64    // of its releases
	drained     bool
	// How many warps fill and read it.
	fillers, readers int64
}

// users returns the operations on a pipe.
func (p *pipe) users() (out []ir.Op) {
	for u := range p.create.Result(0).Uses() {
		out = append(out, u.Owner())
	}
	return out
}

// makeMbarriers creates the mbarriers of a pipe.
func (p *pipe) makeMbarriers() {
	released := false
	for _, op := range p.users() {
		role, _ := tileas.RoleOf(op)
		switch {
		case op.Is(tileas.PipeAcquire):
			p.fillers = role.Warps
		case op.Is(tileas.PipeWait):
			p.readers = role.Warps
		case op.Is(tileas.PipeRelease):
			released, p.lag = true, tileas.Lag(op)
		case op.Is(tileas.PipeDrain):
			p.drained = true
		}
	}
	b := ir.BuilderBefore(p.create)
	b.Loc = p.create.Loc()
	p.full = mbarriers(b, p.typ.Stages(), p.expects(p.typ.From, p.fillers))
	if released {
		p.empty = mbarriers(b, p.typ.Stages(), p.expects(p.typ.To, p.readers))
	}
}

// ctas returns how many CTAs share the pipe.
func (p *pipe) ctas() int64 {
	if p.typ.TwoCTAs {
		return 2
	}
	return 1
}

// arrivals returns how many arrivals an end makes for a stage in its CTA.
func arrivals(end tileas.End, warps int64) int64 {
	switch {
	case end.Async():
		return 1
	case end == tileas.ByCopies:
		return warps * sm.WarpSize
	}
	return warps
}

// expects returns how many arrivals a phase takes. The threads of two CTAs arrive at one mbarrier.
func (p *pipe) expects(end tileas.End, warps int64) int64 {
	if end.Async() {
		return 1
	}
	return arrivals(end, warps) * p.ctas()
}

// both returns the attribute of operations that two CTAs do together.
func (p *pipe) both(b *ir.Builder) []ir.NamedAttr {
	if !p.typ.TwoCTAs {
		return nil
	}
	return []ir.NamedAttr{{Name: tile.AttrTwoCTAs, Value: b.Context().Unit()}}
}

// mbarriers creates n mbarriers, each initialized to a number of arrivals.
func mbarriers(b *ir.Builder, n, arrivals int64) ir.Value {
	all := b.Create(tileas.AllocShared, nil, []ir.Type{tileas.MbarrierBuffer(b.Context(), n)}).Result(0)
	for i := range n {
		one := all
		if n > 1 {
			one = b.Create(tileas.BufferStage, []ir.Value{all, constant(b, i)}, []ir.Type{tileas.MbarrierBuffer(b.Context(), 1)}).Result(0)
		}
		b.Create(tileas.MbarrierInit, []ir.Value{one}, nil, number(b, tileas.AttrArrivals, arrivals))
	}
	return all
}

// once reports whether a pipe is filled once.
func (p *pipe) once() bool { return p.empty.IsNil() }

func constant(b *ir.Builder, n int64) ir.Value { return arith.NewInt(b, b.Context().Int(32), n) }

func number(b *ir.Builder, name string, n int64) ir.NamedAttr {
	return ir.NamedAttr{Name: name, Value: b.Context().IntAttr(b.Context().Int(32), n)}
}
