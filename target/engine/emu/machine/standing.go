package machine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Standing is where threads are in the program that have not ended: those of the warps of one CTA, or of several
// CTAs whose warps stand alike.
type Standing struct {
	CTA         [3]uint32 // the first
	CTAs        int
	Warps       string // as in "0-3,7"
	Lanes       uint32 // those of each warp; ^0 where all that are left stand together
	Waits       bool   // at a barrier, an mbarrier or a collective
	Line        int    // of the PTX
	Instruction string
	Source      []Place
}

// Who names the threads.
func (s *Standing) Who() string {
	who := fmt.Sprintf("cta %d,%d,%d", s.CTA[0], s.CTA[1], s.CTA[2])
	if s.CTAs > 1 {
		who += fmt.Sprintf(" and %d more", s.CTAs-1)
	}
	if who += " warp"; strings.ContainsAny(s.Warps, "-,") {
		who += "s"
	}
	who += " " + s.Warps
	if s.Lanes != ^uint32(0) {
		who += fmt.Sprintf(" lanes %#x", s.Lanes)
	}
	return who
}

// What says what they do.
func (s *Standing) What() string {
	verb := "at"
	if s.Waits {
		verb = "waiting at"
	}
	return fmt.Sprintf("%s line %d '%s'", verb, s.Line, s.Instruction)
}

// maxStandings bounds a list: nobody reads about a thousand warps.
const maxStandings = 32

// standings lists where the threads of clusters are, or the first of them. CTAs of which each warp stands as in
// another one share entries.
func (r *run) standings(clusters []*Cluster) (out []Standing, more bool) {
	first := make(map[string]int) // the entries of a CTA that stands so, by a key of its entire state
	for _, g := range clusters {
		for _, c := range g.CTAs {
			list := c.standings(r)
			var key strings.Builder
			for i := range list {
				fmt.Fprintf(&key, "%s/%x/%d/%t;", list[i].Warps, list[i].Lanes, list[i].Line, list[i].Waits)
			}
			if at, ok := first[key.String()]; ok {
				for i := at; i < at+len(list) && i < len(out); i++ {
					out[i].CTAs++
				}
				continue
			}
			first[key.String()] = len(out)
			if out = append(out, list...); len(out) > maxStandings {
				return out[:maxStandings], true
			}
		}
	}
	return out, false
}

// standings groups the warps of a CTA by where they are.
func (c *CTA) standings(r *run) []Standing {
	type place struct {
		pc    int32
		lanes uint32
		waits bool
	}
	warps := make(map[place][]int)
	for _, w := range c.Warps {
		for _, s := range w.leaves {
			p := place{s.pc, s.mask, s.State != SplitReady || w.Stalled}
			if s.State == SplitBarrier {
				p.pc-- // comes after the barrier
			}
			if s.mask == w.Live && len(w.leaves) == 1 {
				p.lanes = ^uint32(0)
			}
			warps[p] = append(warps[p], w.ID)
		}
	}
	var out []Standing
	for p, ids := range warps {
		st := r.prog.Code[p.pc].Stmt
		slices.Sort(ids)
		out = append(out, Standing{CTA: c.ID, CTAs: 1, Warps: spans(ids), Lanes: p.lanes, Waits: p.waits,
			Line: int(st.Pos.Line), Instruction: st.Text, Source: places(r.prog.Module, st.Loc)})
	}
	slices.SortFunc(out, func(a, b Standing) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Warps, b.Warps), cmp.Compare(a.Lanes, b.Lanes))
	})
	return out
}

// spans writes sorted numbers as "0-3,7".
func spans(sorted []int) string {
	var sb strings.Builder
	for i := 0; i < len(sorted); {
		end := i
		for end+1 < len(sorted) && sorted[end+1] <= sorted[end]+1 {
			end++
		}
		if i > 0 {
			sb.WriteByte(',')
		}
		if fmt.Fprint(&sb, sorted[i]); end > i {
			fmt.Fprintf(&sb, "-%d", sorted[end])
		}
		i = end + 1
	}
	return sb.String()
}

// An Unfinished is the error of a launch that was stopped before its end: by its context, or at MaxSteps.
type Unfinished struct {
	Err         error
	At          []Standing // of the CTAs that have begun, the first of them
	More        bool       // there are others
	CTAs, Ended uint64     // of the grid
	Begun       uint64     // those that have not ended among them
}

func (u *Unfinished) Error() string { return u.Err.Error() }

func (u *Unfinished) Unwrap() error { return u.Err }

// unfinished says of a launch that was stopped where it stood. All workers have ended, so that every cluster that has
// begun is in the queue.
func (r *run) unfinished(err error) error {
	slices.SortFunc(r.queue, func(a, b *Cluster) int { return slices.Compare(reversed(a.CTAs[0].ID), reversed(b.CTAs[0].ID)) })
	for _, g := range r.queue {
		g.watchStuck(stopped)
	}
	u := &Unfinished{Err: err, CTAs: volume(r.grid), Ended: r.stats.CTAs}
	u.At, u.More = r.standings(r.queue)
	u.Begun = uint64(len(r.queue)) * volume(r.cluster)
	return u
}

// reversed makes an id comparable in the order of the grid, whose first dimension varies fastest.
func reversed(id [3]uint32) []uint32 { return []uint32{id[2], id[1], id[0]} }
