package lowerpipes

import (
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

// makeMbarriers creates the mbarriers of a pipe.
func (p *pipe) makeMbarriers() {
	released := false
	for u := range p.create.Result(0).Uses() {
		op := u.Owner()
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
	b := ir.BuilderBefore(p.create).WithLoc(p.create.Loc())
	p.full = tileas.NewMbarriers(b, p.typ.Stages(), p.expects(p.typ.From, p.fillers))
	if released {
		p.empty = tileas.NewMbarriers(b, p.typ.Stages(), p.expects(p.typ.To, p.readers))
	}
}

// ctas returns how many CTAs share the pipe.
func (p *pipe) ctas() int64 {
	if p.typ.TwoCTAs {
		return 2
	}
	return 1
}

// arrivals returns how many arrivals threads make for a stage in their CTA.
func arrivals(end tileas.End, warps int64) int64 {
	if end == tileas.ByCopies {
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
	return b.Context().UnitIf(p.typ.TwoCTAs, tile.AttrTwoCTAs)
}

// once reports whether a pipe is filled once.
func (p *pipe) once() bool { return p.empty.IsNil() }
