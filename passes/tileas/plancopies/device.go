package plancopies

import (
	"fmt"
	"math/big"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/cost"
	"github.com/tilewright/tilewright/passes/tileas/copies"
	"github.com/tilewright/tilewright/target/sm"
)

// Maps that tile blocks make cost each of them time before its first copy, which the turns of the loop must bring in again.
//
// A tile block goes to global memory and back to take a slot, to write a map, and to have each thread see it (tileastonvvm/devicemaps.go): trips one after the other, with nothing to do meanwhile. A turn gains the issue slots of the
// threads' copies that there would be instead (package cost). All of it is an estimate: no GPU was at hand.
//
// On sm_90 a map costs 3 x 479 cycles, a turn gains 27 for 128 x 64 elements of f16 copied by 128 threads, and 12 for half as many: 54 and 120 turns.
const (
	mapTrips = 3
	// assumedTurns is how often a loop is taken to run of which nothing is known: as for depths of 4096 and 8192, the larger matrices of language models, in steps of 32 and 64.
	assumedTurns = 128
)

// paysForMap gives up a bulk tensor copy that runs too seldom to pay for a map that the tile block makes itself.
func (p *planner) paysForMap(c *copies.Copy, why string) (*copies.Copy, string) {
	if c == nil || !p.device {
		return c, why
	}
	m := cost.NewModel(p.arch, p.warps)
	bytes := int(c.Buffer.TileBytes())
	gain := m.CopyByThreads(bytes).Busy[sm.UnitIssue] - m.CopyByMap(bytes, len(c.Boxes.Places)).Busy[sm.UnitIssue]
	if turns, price := p.turns(c.Load), int64(mapTrips*p.arch.Memory().Global); turns*int64(gain) < price {
		return nil, fmt.Sprintf("a map that each tile block makes costs about %d cycles, and %d copies gain about %d each", price, turns, gain)
	}
	return c, ""
}

// turns returns how often an operation is executed, by the bounds of the loops around it: of the inner loop as assumed where they are not known, of others once.
func (p *planner) turns(op ir.Op) int64 {
	n, assumed := int64(1), int64(assumedTurns)
	for at := op.ParentOp(); !at.Is(tileas.Level.Func); at = at.ParentOp() {
		if !at.Is(scf.For) {
			continue
		}
		least, most := p.trips(at)
		n = min(n*max(least, min(most, assumed)), assumedTurns*assumedTurns) // far beyond what decides anything
		assumed = 1
	}
	return n
}

// trips returns how often a loop runs at least and at most.
func (p *planner) trips(loop ir.Op) (least, most int64) {
	lower, upper, step := p.ranges.Of(loop.Operand(0)), p.ranges.Of(loop.Operand(1)), p.ranges.Of(loop.Operand(2))
	count := func(from, to, by int64) int64 {
		// Bounds may be the least and the largest number of 64 bits.
		d := new(big.Int).Sub(big.NewInt(to), big.NewInt(from))
		d.Add(d, big.NewInt(by-1)).Quo(d, big.NewInt(by))
		if !d.IsInt64() {
			return 1 << 62
		}
		return max(0, d.Int64())
	}
	return count(lower.SMax, upper.SMin, max(1, step.SMax)), count(lower.SMin, upper.SMax, max(1, step.SMin))
}
