package onchip

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/target/engine/interp/inflight"
)

// A Pipe is the state of a pipe: how often its ends have gone round, and an mbarrier for each side of a stage. One
// arrival of the end that fills or reads completes a phase.
type Pipe struct {
	Type                       *tileas.PipeType
	At                         Location // of its mbarriers: those of full stages, then those of free ones
	Buffers                    []Location
	Full, Empty                []*inflight.Mbarrier
	Acquired, Waited, Released uint64
	Kept                       bool // the stage acquired last was not committed, and comes back
}

// PipeBytes returns the bytes of the mbarriers of a pipe.
func PipeBytes(t *tileas.PipeType) uint64 { return 2 * uint64(t.Stages()) * inflight.MbarrierBytes }

// AddPipe makes a pipe. Pipes are of one CTA, as its shared memory is.
func (s *SharedMemory) AddPipe(p *Pipe) {
	mbarrier := func(arrivals int64) *inflight.Mbarrier {
		b := &inflight.Mbarrier{Arrivals: arrivals, Pending: arrivals}
		lo := p.At.Address() + uint64(len(p.Full)+len(p.Empty))*inflight.MbarrierBytes
		s.Extents = append(s.Extents, &Extent{Lo: lo, Hi: lo + inflight.MbarrierBytes, Owner: p.At.Owner(), Mbarrier: b})
		return b
	}
	for range p.Type.Stages() {
		p.Full = append(p.Full, mbarrier(1))
	}
	readers := int64(1)
	if p.Type.TwoCTAs && !p.Type.To.Async() { // the threads of both CTAs arrive at the even one
		readers = 2
	}
	for range p.Type.Stages() {
		p.Empty = append(p.Empty, mbarrier(readers))
	}
	if s.Pipes == nil {
		s.Pipes = make(map[Location]*Pipe)
	}
	s.Pipes[p.At] = p
}

// Stage returns where the buffers of the n-th stage are, counted from the first that was filled.
func (p *Pipe) Stage(n uint64) (out []Location) {
	for i, at := range p.Buffers {
		out = append(out, at+Location(n%uint64(p.Type.Stages())*uint64(p.Type.Buffers[i].StageBytes())))
	}
	return out
}

// Signal returns where the mbarrier of the n-th stage is that an asynchronous end signals.
func (p *Pipe) Signal(n uint64, fills bool) Location {
	i := n % uint64(p.Type.Stages())
	if !fills {
		i += uint64(p.Type.Stages())
	}
	return p.At + Location(i*inflight.MbarrierBytes)
}
