package core

import (
	"runtime"

	"github.com/tilewright/tilewright/target/engine/interp/sched"
)

// progress tells whether a tile block gets on, or waits for another one.
type progress struct {
	turn       *sched.Turn // of an ordered launch
	iterations int         // loop iterations that read memory which others may change
	busy       int         // those of them that changed memory
	Ordered    bool        // the current iteration read such memory
	Changed    bool        // the current iteration changed memory
	replaced   bool        // another tile block was started, since this one may be waiting
}

// After patience iterations that read memory which others may change, a tile block counts as waiting. If each of them
// changed memory as well, it does so after Longest.
const (
	patience = 8
	Longest  = 1 << 12
)

// Wait lets other tile blocks run, since this one may be waiting for them. A worker whose tile block was replaced ends
// with that one.
//
// Only loops that read memory which others may change call it. Nothing else can wait in Tile IR, which has no barrier
// between tile blocks.
func (m *Machine) Wait() error {
	s := &m.Launch.Schedule
	if m.iterations++; m.iterations >= Longest && s.Failed.Load() < s.Total {
		return sched.ErrStopped // what it waits for may never come
	}
	if m.Changed {
		m.busy++
	}
	switch {
	case m.turn != nil:
		if m.iterations-m.busy >= patience || m.iterations >= Longest {
			m.iterations, m.busy = patience-1, 0
			return s.Pass(m.Ctx, m.turn)
		}
	case m.iterations >= patience && !m.replaced:
		m.replaced = true
		if s.Next.Load() < s.Total {
			s.Spawn()
		}
		runtime.Gosched()
	default:
		runtime.Gosched()
	}
	return nil
}
