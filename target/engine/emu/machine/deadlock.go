package machine

import (
	"fmt"
	"strings"
)

// Deadlock is the error of a launch in which every live warp of a cluster
// waits.
type Deadlock struct {
	Module string
	CTA    [3]uint32
	// Waiting describes, for each waiting group of lanes, the warp, its
	// lanes and the instruction.
	Waiting []string
}

func (d *Deadlock) Error() string {
	return fmt.Sprintf("%s: deadlock in cta %d,%d,%d: %s", d.Module, d.CTA[0], d.CTA[1], d.CTA[2], strings.Join(d.Waiting, "; "))
}

func (g *Cluster) deadlock() error {
	d := &Deadlock{Module: g.run.prog.Module.Name, CTA: g.CTAs[0].ID}
	for _, c := range g.CTAs {
		for _, w := range c.Warps {
			for _, s := range w.leaves {
				pc := s.pc
				if s.State == SplitBarrier {
					pc-- // stands behind the barrier
				}
				st := g.run.prog.Code[pc].Stmt
				who := fmt.Sprintf("warp %d", w.ID)
				if len(g.CTAs) > 1 {
					who = fmt.Sprintf("cta %d,%d,%d warp %d", c.ID[0], c.ID[1], c.ID[2], w.ID)
				}
				if s.mask != w.Live || len(w.leaves) > 1 {
					who += fmt.Sprintf(" lanes %#x", s.mask)
				}
				d.Waiting = append(d.Waiting, fmt.Sprintf("%s waits at line %d '%s'", who, st.Pos.Line, st.Text))
			}
		}
	}
	// A message with a thousand warps helps nobody.
	if n := len(d.Waiting); n > 32 {
		d.Waiting = append(d.Waiting[:32], fmt.Sprintf("and %d more", n-32))
	}
	return d
}

// where names what the first running warp is doing.
func (g *Cluster) where() string {
	for _, w := range g.warps {
		if w.Cur != nil {
			st := g.run.prog.Code[w.Cur.pc].Stmt
			return fmt.Sprintf("line %d '%s' in cta %d,%d,%d warp %d", st.Pos.Line, st.Text, w.CTA.ID[0], w.CTA.ID[1], w.CTA.ID[2], w.ID)
		}
	}
	return "the end of a quantum"
}
