package interp

import (
	"iter"
	"math/rand/v2"

	"github.com/tilewright/tilewright/ir"
)

// A coroutine is a part of a tile block that takes turns with others of its kind: a role with the other roles of a team, or a CTA with the others of its cluster. One runs at a time, and hands over where others may notice what it does.
//
// iter.Pull and not goroutines with channels: a switch costs tens of nanoseconds, nothing runs at the same time, and a coroutine that nobody resumes is ended by its stop.
type coroutine struct {
	resume func() (struct{}, bool)
	stop   func()
	yield  func(struct{}) bool
	done   bool
	err    error

	// Where it stands: it can go on when ready is nil or says so.
	at    ir.Op
	ready func() bool
	why   func() string

	favour uint64 // under Adversarial the least of those that can go on does
}

// start makes the coroutine one that executes body when it is resumed.
func (c *coroutine) start(body func() error) {
	c.resume, c.stop = iter.Pull(func(yield func(struct{}) bool) {
		c.yield = yield
		c.err = body()
		c.done = true
	})
}

func (c *coroutine) able() bool { return !c.done && (c.ready == nil || c.ready()) }

// handOver lets others go on, until a condition holds. It returns left if there is no going on, since another one has failed.
func (c *coroutine) handOver(left error, op ir.Op, ready func() bool, why func() string) error {
	c.at, c.ready, c.why = op, ready, why
	if !c.yield(struct{}{}) {
		return left
	}
	return nil
}

// A rota chooses which of several coroutines goes on: one after the other, or as the seed says, so that a run can be repeated. Under Adversarial one runs as far as it gets, and now and then another one is favoured.
type rota struct {
	all     []*coroutine
	last    int // that ran
	random  *rand.Rand
	seeded  bool
	hostile bool
}

func newRota(e *Engine, number uint64) rota {
	return rota{random: rand.New(rand.NewPCG(e.Seed, number)), seeded: e.Seed != 0, hostile: e.Adversarial}
}

// add enters one, which is behind those that were entered before.
func (r *rota) add(c *coroutine) {
	c.favour = r.random.Uint64()
	r.all = append(r.all, c)
	r.last = len(r.all) - 1
}

// next returns the number of the one to go on; -1 when none can, and ended when all have ended.
func (r *rota) next() (n int, ended bool) {
	var able []int
	ended = true
	for i := range r.all {
		n := (r.last + 1 + i) % len(r.all)
		ended = ended && r.all[n].done
		if r.all[n].able() {
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
