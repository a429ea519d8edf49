package cluster

import (
	"fmt"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
)

func init() {
	for _, l := range core.Levels {
		core.Define(core.Table{l.CTARank: {Run: ctaRank}, l.ClusterSync: {Run: Barrier}})
	}
}

// ctaRank returns the rank of the CTA in its tile block.
func ctaRank(d *core.Decoder, op ir.Op) (core.Action, error) {
	out := d.Result(op, 0)
	return func(m *core.Machine) error {
		m.Put(out, m.Scalar(uint64(m.Rank)))
		return nil
	}, nil
}

// Barrier waits for the other CTAs. Their effect on this CTA's memory needs no epochs: only asynchronous copies
// write it, which mbarriers count.
func Barrier(d *core.Decoder, op ir.Op) (core.Action, error) {
	return func(m *core.Machine) error {
		if _, err := m.PeersOf(op); err != nil {
			return err
		}
		c := m.CTA.Cluster
		round := c.Rounds
		c.Come++
		over := func() bool {
			if c.Rounds == round && c.Come+c.Ended() == len(c.Ctas) {
				c.Rounds, c.Come = c.Rounds+1, 0
				c.Learn()
				for _, t := range c.Ctas {
					t.Stored, t.ReadBy = t.Stored[:0], t.ReadBy[:0]
				}
			}
			return c.Rounds != round
		}
		m.Epoch.Since = m.Epoch.Since[:0]
		return m.CTA.HandOver(op, over, func() string { return fmt.Sprintf("%d of %d CTAs have arrived", c.Come+c.Ended(), len(c.Ctas)) })
	}, nil
}
