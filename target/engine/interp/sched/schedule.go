package sched

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tilewright/tilewright/target/engine/interp/fault"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A Schedule hands out the tile blocks of a launch, and notes which one failed.
//
// Workers start tile blocks in the order of their numbers, as many at a time as there are workers. The result does not
// depend on the scheduling if tile blocks share nothing, or only what commutes: integer sums, minima, maxima, bits.
//
// Float atomics, results of atomics, and locks do depend on it. An ordered launch runs one tile block at a time, from
// beginning to end, in the order of their numbers. A tile block that waits for another one passes its turn on, by a
// rule that depends on nothing but the program.
type Schedule struct {
	Total  uint64
	Next   atomic.Uint64 // the tile block to start next
	Done   atomic.Uint64
	Failed atomic.Uint64 // the first one that failed, by number; above all numbers: none
	stop   context.CancelFunc

	Group   sync.WaitGroup
	Spawn   func() // starts one more worker
	Ordered bool

	mu          sync.Mutex
	err         error // of failed
	interrupted error // of the context
	stood       []standing
	stoodOthers uint64
	live        []*Turn
}

// A Turn is the right to run in an ordered launch. A tile block has one from when it begins until it ends.
type Turn struct{ wake chan struct{} }

// Init prepares the schedule of a launch. stop ends the launch.
func (s *Schedule) Init(total uint64, ordered bool, stop context.CancelFunc) {
	s.Total, s.Ordered, s.stop = total, ordered, stop
	s.Failed.Store(math.MaxUint64)
}

// ErrStopped ends a tile block of a launch that has failed already.
var ErrStopped = errors.New("another tile block failed")

// Start returns the number of the next tile block to run.
func (s *Schedule) Start() (block uint64, ok bool) {
	block = s.Next.Add(1) - 1
	return block, block < s.Total && block < s.Failed.Load()
}

// Fail notes why a tile block ended early. Of those that fail the first one counts: the error of a launch must not
// depend on which worker came across its own first. Tile blocks before it therefore go on.
func (s *Schedule) Fail(block uint64, err error, ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case errors.Is(err, ErrStopped):
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		s.interrupt(block, err)
	case block < s.Failed.Load():
		s.err = err
		s.Failed.Store(block)
		if s.Ordered {
			s.stop()
		}
	}
}

// Result returns how a launch ended, when all workers have.
func (s *Schedule) Result() error {
	if s.err != nil || s.interrupted == nil {
		return s.err
	}
	slices.SortFunc(s.stood, func(a, b standing) int { return cmp.Compare(a.block, b.block) })
	u := &launch.Unfinished{Err: s.interrupted, Blocks: s.Total, Ended: s.Done.Load(), Begun: uint64(len(s.stood)) + s.stoodOthers, More: s.stoodOthers > 0}
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

// maxStood bounds the tile blocks that a stopped launch reports. Each worker has one, but of an ordered launch all may
// have begun.
const maxStood = 32

// interrupt notes that a tile block ends because the launch is to end. The caller holds s.mu.
func (s *Schedule) interrupt(block uint64, err error) {
	var f *launch.Fault
	if errors.As(err, &f) {
		if len(s.stood) < maxStood {
			s.stood = append(s.stood, standing{block, fault.StandingOf(f)})
		} else {
			s.stoodOthers++
		}
	}
	if s.interrupted = err; f != nil {
		var at *fault.Stopped
		if errors.As(err, &at) {
			s.interrupted = at.Unwrap()
		}
	}
}

// Begin gives a turn to a tile block that starts.
func (s *Schedule) Begin() *Turn {
	t := &Turn{wake: make(chan struct{}, 1)}
	s.mu.Lock()
	s.live = append(s.live, t)
	s.mu.Unlock()
	return t
}

// End takes the turn from a tile block that has ended. The next tile block that has begun gets it, else one that has
// not, which the caller must start, else the first that has begun.
func (s *Schedule) End(t *Turn) (startNext bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.live, t)
	s.live = slices.Delete(s.live, i, i+1)
	return s.wakeFrom(i)
}

// Pass hands a turn from a waiting tile block to another one, and returns when it comes back.
//
// The rule is round robin. Any rule would do that depends on the program only. The time a tile block has waited, by
// which an operating system decides, does not.
func (s *Schedule) Pass(ctx context.Context, t *Turn) error {
	s.mu.Lock()
	if s.wakeFrom(slices.Index(s.live, t) + 1) {
		s.Spawn()
	}
	s.mu.Unlock()
	select {
	case <-t.wake:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Schedule) wakeFrom(i int) (startNext bool) {
	switch {
	case i < len(s.live):
		s.live[i].wake <- struct{}{}
	case s.Next.Load() < s.Total:
		return true
	case len(s.live) > 0:
		s.live[0].wake <- struct{}{}
	}
	return false
}
