package sched

import (
	"iter"
	"math/rand/v2"

	"github.com/tilewright/tilewright/ir"
)

// A Coroutine runs in alternation with others of its kind: a warp role with the other roles of a CTA, or a CTA with the
// others of its cluster. One runs at a time. It hands over where others may notice what it does.
//
// It is built on iter.Pull, not on goroutines with channels. A switch costs tens of nanoseconds, nothing runs in
// parallel, and stop ends a coroutine that nobody resumes.
type Coroutine struct {
	Resume func() (struct{}, bool)
	Stop   func()
	yield  func(struct{}) bool
	Done   bool
	Err    error

	// The operation where it waits. It can go on when ready is nil or returns true.
	At    ir.Op
	ready func() bool
	Why   func() string

	favour uint64 // under Adversarial, the lowest of those that can go on runs
}

// Start prepares the coroutine to execute body when it is resumed.
func (c *Coroutine) Start(body func() error) {
	c.Resume, c.Stop = iter.Pull(func(yield func(struct{}) bool) {
		c.yield = yield
		c.Err = body()
		c.Done = true
	})
}

// Able reports whether the coroutine can go on.
func (c *Coroutine) Able() bool { return !c.Done && (c.ready == nil || c.ready()) }

// HandOver lets others go on until a condition holds. It returns left when another coroutine has failed, after which
// this one must end.
func (c *Coroutine) HandOver(left error, op ir.Op, ready func() bool, why func() string) error {
	c.At, c.ready, c.Why = op, ready, why
	if !c.yield(struct{}{}) {
		return left
	}
	return nil
}

// A Rota chooses which of several coroutines goes on: round robin, or by the seed, so that a run can be repeated. Under
// Adversarial one coroutine runs as far as it gets, and now and then another one is favoured.
type Rota struct {
	all     []*Coroutine
	last    int // the last one that ran
	random  *rand.Rand
	seeded  bool
	hostile bool
}

// NewRota returns a rota without coroutines. number makes the choices of each tile block differ.
func NewRota(seed uint64, adversarial bool, number uint64) Rota {
	return Rota{random: rand.New(rand.NewPCG(seed, number)), seeded: seed != 0, hostile: adversarial}
}

// Add appends a coroutine.
func (r *Rota) Add(c *Coroutine) {
	c.favour = r.random.Uint64()
	r.all = append(r.all, c)
	r.last = len(r.all) - 1
}

// Next returns the number of the coroutine that goes on, or -1 when none can. ended reports that all have ended.
func (r *Rota) Next() (n int, ended bool) {
	var able []int
	ended = true
	for i := range r.all {
		n := (r.last + 1 + i) % len(r.all)
		ended = ended && r.all[n].Done
		if r.all[n].Able() {
			able = append(able, n)
		}
	}
	if len(able) == 0 {
		return -1, ended
	}
	n = able[0]
	switch {
	case r.hostile:
		if r.random.IntN(8) == 0 {
			r.all[r.random.IntN(len(r.all))].favour = r.random.Uint64()
		}
		for _, o := range able {
			if r.all[o].favour < r.all[n].favour {
				n = o
			}
		}
	case r.seeded:
		n = able[r.random.IntN(len(able))]
	}
	r.last = n
	return n, false
}
