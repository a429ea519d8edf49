package interp

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tilewright/tilewright/target/engine/launch"
)

// Tile blocks are started in the order of their numbers, as many at a time as there are workers. What they compute does not depend on how they
// are scheduled as long as they see nothing of each other, or only what commutes: sums of integers, minima, maxima, bits. Float atomics,
// values that atomics return, and locks are different: ordered launches run one tile block at a time, from beginning to end, in the order of
// their numbers. One that waits for another one passes its turn on, by a rule that depends on nothing but the program.

// patience is how many iterations in which memory was read that others may change pass before a tile block counts as waiting; progress is how
// many, where each of them changed memory as well.
const (
	patience = 8
	progress = 1 << 12
)

// A schedule is which tile blocks of a launch run, and which one has failed.
type schedule struct {
	total  uint64
	next   atomic.Uint64 // the tile block to start next
	done   atomic.Uint64
	failed atomic.Uint64 // the first one that failed, by number; none: larger than all
	stop   context.CancelFunc

	group   sync.WaitGroup
	spawn   func() // starts one more worker
	ordered bool

	mu          sync.Mutex
	err         error // of failed
	interrupted error // of the context
	stood       []standing
	stoodOthers uint64
	live        []*turn
}

// A turn is a tile block of an ordered launch that has begun and not ended.
type turn struct{ wake chan struct{} }

func (s *schedule) init(total uint64, ordered bool, stop context.CancelFunc) {
	s.total, s.ordered, s.stop = total, ordered, stop
	s.failed.Store(math.MaxUint64)
}

// errStopped ends a tile block whose launch has failed already.
var errStopped = errors.New("another tile block failed")

// start returns the number of the next tile block to run.
func (s *schedule) start() (block uint64, ok bool) {
	block = s.next.Add(1) - 1
	return block, block < s.total && block < s.failed.Load()
}

// fail notes why a tile block ended early. Of those that fail the first one counts, so that the error of a launch does not depend on which
// one came across its own first; those before it therefore go on.
func (s *schedule) fail(block uint64, err error, ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case errors.Is(err, errStopped):
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		s.interrupt(block, err)
	case block < s.failed.Load():
		s.err = err
		s.failed.Store(block)
		if s.ordered {
			s.stop()
		}
	}
}

// result returns how a launch ended, when all workers have.
func (s *schedule) result() error {
	if s.err != nil || s.interrupted == nil {
		return s.err
	}
	slices.SortFunc(s.stood, func(a, b standing) int { return cmp.Compare(a.block, b.block) })
	u := &launch.Unfinished{Err: s.interrupted, Blocks: s.total, Ended: s.done.Load(), Begun: uint64(len(s.stood)) + s.stoodOthers, More: s.stoodOthers > 0}
	for _, at := range s.stood {
		u.At = append(u.At, at.Standing)
	}
	return u
}

// A standing is where a tile block was when the launch was stopped.
type standing struct {
	block uint64
	launch.Standing
}

// maxStood bounds the tile blocks of which a launch that was stopped tells; each worker has one, but of an ordered launch all may have begun.
const maxStood = 32

// interrupt notes that a tile block ends because the launch is to end. It runs under s.mu.
func (s *schedule) interrupt(block uint64, err error) {
	var f *launch.Fault
	if errors.As(err, &f) {
		if len(s.stood) < maxStood {
			s.stood = append(s.stood, standing{block, standingOf(f)})
		} else {
			s.stoodOthers++
		}
	}
	if s.interrupted = err; f != nil {
		var at *stopped
		if errors.As(err, &at) {
			s.interrupted = at.error
		}
	}
}

// begin gives a turn to a tile block, which the one that runs has started.
func (s *schedule) begin() *turn {
	t := &turn{wake: make(chan struct{}, 1)}
	s.mu.Lock()
	s.live = append(s.live, t)
	s.mu.Unlock()
	return t
}

// end gives the turn of a tile block that has ended to the next one that has begun, or else to one that has not, which the caller must start then,
// or else to the first that has begun.
func (s *schedule) end(t *turn) (startNext bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.live, t)
	s.live = slices.Delete(s.live, i, i+1)
	return s.wakeFrom(i)
}

// pass gives the turn of a tile block that waits to another one, and returns when it comes back.
//
// The rule is round robin. Any rule would do that depends on the program only; the time that a block
// waited, which an operating system would go by, does not.
func (s *schedule) pass(ctx context.Context, t *turn) error {
	s.mu.Lock()
	if s.wakeFrom(slices.Index(s.live, t) + 1) {
		s.spawn()
	}
	s.mu.Unlock()
	select {
	case <-t.wake:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *schedule) wakeFrom(i int) (startNext bool) {
	switch {
	case i < len(s.live):
		s.live[i].wake <- struct{}{}
	case s.next.Load() < s.total:
		return true
	case len(s.live) > 0:
		s.live[0].wake <- struct{}{}
	}
	return false
}

// wait lets other tile blocks run, for this one may be waiting for them. Its own worker ends with a tile block that was replaced.
//
// Only loops are looked at, where memory was read that others may change: nothing else can wait in Tile IR, which has
// no barrier between tile blocks.
func (m *machine) wait() error {
	s := &m.run.schedule
	if m.turns++; m.turns >= progress && s.failed.Load() < s.total {
		return errStopped // what it waits for may not come
	}
	if m.changed {
		m.busy++
	}
	switch {
	case m.turn != nil:
		if m.turns-m.busy >= patience || m.turns >= progress {
			m.turns, m.busy = patience-1, 0
			return s.pass(m.ctx, m.turn)
		}
	case m.turns >= patience && !m.replaced:
		m.replaced = true
		if s.next.Load() < s.total {
			s.spawn()
		}
		runtime.Gosched()
	default:
		runtime.Gosched()
	}
	return nil
}
