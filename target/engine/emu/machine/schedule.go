package machine

import (
	"fmt"
)

func (r *run) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
	r.stop = true
	r.wake.Broadcast()
}

// worker executes clusters until none is left. It starts new ones while the machine has room for them, and otherwise
// goes on with those whose quantum had ended.
func (r *run) worker() {
	var sheet *Profile
	if p := r.Launch.Profile; p != nil {
		sheet = p.sheet()
		defer func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			p.merge(sheet)
		}()
	}
	for {
		g := r.take()
		if g == nil {
			return
		}
		g.attach(sheet)
		done, err := g.advance(min(quantum, r.maxSteps))
		if done && sheet != nil {
			g.settle(sheet)
		}
		if err != nil {
			r.fail(err)
			return
		}
		r.give(g, done)
	}
}

// The lock is not held while a cluster is made and its memory is filled, which takes longer than its turns in small
// kernels.
func (r *run) take() *Cluster {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		switch {
		case r.stop || r.next >= r.clusters && r.resident == 0:
			r.wake.Broadcast()
			return nil
		case r.next < r.clusters && r.resident < r.limit:
			r.resident++
			id := r.number(r.next)
			r.next++
			var g *Cluster
			if n := len(r.idle); n > 0 {
				g, r.idle = r.idle[n-1], r.idle[:n-1]
			}
			r.mu.Unlock()
			if g == nil {
				g = newCluster(r)
			}
			g.start(id)
			r.mu.Lock()
			return g
		case len(r.queue) > 0:
			g := r.queue[0]
			r.queue = r.queue[1:]
			return g
		}
		r.wake.Wait()
	}
}

// Finished clusters are kept: registers and shared memory of the next one are the same in size.
func (r *run) give(g *Cluster, done bool) {
	if ended := r.settle(g, done); done && r.Launch.Progress != nil {
		r.Launch.Progress(ended, volume(r.grid))
	}
}

// settle counts what a cluster did and returns how many CTAs have ended.
func (r *run) settle(g *Cluster, done bool) uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, w := g.count()
	r.stats.WarpInstructions += s
	r.stats.ThreadInstructions += w
	if done {
		r.stats.CTAs += uint64(len(g.CTAs))
		r.resident--
		r.idle = append(r.idle, g)
	} else {
		r.queue = append(r.queue, g)
	}
	if r.stats.WarpInstructions > r.maxSteps && r.err == nil {
		r.err = fmt.Errorf("%s: '%s' after %d warp instructions: %w", r.prog.Module.Name, r.prog.Entry.Name, r.stats.WarpInstructions, ErrSteps)
		r.stop = true
	}
	r.wake.Signal()
	if r.stop || done {
		r.wake.Broadcast()
	}
	return r.stats.CTAs
}

// cancelResident bounds the clusters in execution of a program that cancels
// launches, so that some are left to be cancelled.
//
// Otherwise small grids would all be resident at once, and try_cancel would have nothing to cancel in any test.
const cancelResident = 4

// Cancel takes the next cluster that has not started out of the grid, and
// returns its first CTA.
//
// A cluster that has started cannot be cancelled, so that the grid's counter is all that it takes
// ("clusterlaunchcontrol.try_cancel").
func (r *run) Cancel() (first [3]uint32, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next >= r.clusters || r.stop {
		return first, false
	}
	r.next++
	return r.first(r.number(r.next - 1)), true
}

// first is the first CTA of the cluster of that number in the grid.
func (r *run) first(id uint64) (at [3]uint32) {
	for i := range at {
		n := uint64(r.grid[i] / r.cluster[i])
		at[i] = uint32(id%n) * r.cluster[i]
		id /= n
	}
	return at
}
