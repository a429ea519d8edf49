package collective

import (
	"math/bits"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// Along lanes 1, 2, 4, 8 of 16 lanes, one line of elements is combined in 4 rounds of a butterfly:
//
//	%o = shfl.bfly %a, 1 ; %a = body(%a, %o) ; %o = shfl.bfly %a, 2 ; ...
//
// Both lanes of a pair run the body on the same two values with the arguments exchanged: all lanes hold the same bits only
// if the body commutes. It is not a tree with half the lanes in each round. A butterfly takes as many rounds, and leaves
// the result in all participating lanes, as the layout of the result says.
//
// With several lines, a lane of a pair combines half of them and the other lane the others. After some such rounds the
// lanes have different lines, each goes through the butterfly of the other rounds, and at the end all lanes read all
// lines:
//
//	%send = select %odd, %a, %b ; %keep = select %odd, %b, %a ; %o = shfl.bfly %send, 1 ; %a = body(%keep, %o)
//	... ; %all0 = shfl.idx %a, 0 ; %all1 = shfl.idx %a, 1
//
// 16 lines of 32 lanes take 32 shuffles and 16 runs of the body, not 80 of each.

// betweenLanes combines what the lanes of some masks have of each line, of each operand.
func betweenLanes(l *core.Lowering, op ir.Op, lines [][]ir.Value, lanes []uint32) ([][]ir.Value, error) {
	n := len(lines)
	rounds := halvings(op, n, lanes)
	halved, others := lanes[:rounds], lanes[rounds:]
	var err error
	for _, mask := range halved {
		odd := parity(l, linear.Stage{Lane: mask})
		half := len(lines) / 2
		for k, low := range lines[:half] {
			high := lines[half+k]
			if lines[k], err = combine(l, op, received(l, l.Choice(odd, low, high), mask), l.Choice(odd, high, low)); err != nil {
				return nil, err
			}
		}
		lines = lines[:half]
	}
	for k := range lines {
		for _, mask := range others {
			if lines[k], err = combine(l, op, received(l, lines[k], mask), lines[k]); err != nil {
				return nil, err
			}
		}
	}
	if rounds == 0 {
		return lines, nil
	}
	all := make([][]ir.Value, n)
	for k := range all {
		keeper := uint32(0) // the lane with this line
		for i, mask := range halved {
			if k&(n>>(i+1)) != 0 {
				keeper |= mask
			}
		}
		all[k] = ir.Map(lines[k%len(lines)], func(v ir.Value) ir.Value { return l.Of(v, keeper, among(halved)) })
	}
	return all, nil
}

// received returns what the lane of a pair sends.
func received(l *core.Lowering, sent []ir.Value, mask uint32) []ir.Value {
	return ir.Map(sent, func(v ir.Value) ir.Value { return l.Shuffle("bfly", v, l.Const32(int64(mask))) })
}

// among returns the lanes of several masks.
func among(masks []uint32) (all uint32) {
	for _, m := range masks {
		all |= m
	}
	return all
}

// What a shuffle and another instruction cost: of a clock of an SM, 32 and 64 results (CUDA C++ Programming Guide,
// Throughput of Native Arithmetic Instructions, compute capability 9.0: warp shuffle; compare, minimum, maximum).
const costOfShuffle, costOfOther = 2, 1

// leastSaved is the percentage of the cost that halvings must save: their rounds depend on each other, those of several
// butterflies do not. With 25, a loop that reduces four lines over eight lanes issued a third longer on sm_90.
const leastSaved = 45

// halvings returns in how many rounds lanes halve the lines.
func halvings(op ir.Op, lines int, lanes []uint32) (best int) {
	if bits.OnesCount32(among(lanes)) != len(lanes) { // the lanes of a pair differ in several bits
		return 0
	}
	n, body := op.NumOperands(), 0
	for range op.Body().Ops() {
		body++
	}
	round := n*costOfShuffle + (body-1)*costOfOther // of a line; the terminator is no instruction
	least := lines * len(lanes) * round * (100 - leastSaved) / 100
	halved := 0 // the cost of the rounds with halves
	for k := 1; k <= len(lanes) && lines>>k > 0; k++ {
		left := lines >> k
		halved += left*round + 2*left*n*costOfOther
		if cost := halved + (len(lanes)-k)*left*round + lines*n*costOfShuffle; cost <= least {
			best, least = k, cost
		}
	}
	return best
}
