package linear

import "fmt"

// maxPlanBits bounds the registers, as log2, of plans that list them.
const maxPlanBits = 16

// ShufflePlan exchanges the values of a conversion inside each warp, in three
// steps. src are the registers of the source layout, dst those of the result:
//
//	staged[r] = src[r ^ Select(thread)]                  selects, no data leaves the lane
//	got[t]    = staged[Rounds[t].Register] of the lane Rounds[t].Lane ^ Source(thread)
//	dst[r]    = got[Results[r] ^ Place(thread)]          selects
//
// Select and Place are zero in most conversions. In each round every lane sends
// one register that is known at compile time, so a round is one shfl.sync.idx, or
// none at all when it is local. Rounds with the same Lane may share one shuffle by
// packing narrow elements.
type ShufflePlan struct {
	Select  ThreadFn
	Source  ThreadFn
	Rounds  []ShuffleRound
	Place   ThreadFn
	Results []int
}

// ShuffleRound is one exchange.
type ShuffleRound struct {
	Register uint32 // the staged register that is sent
	Lane     uint32 // XORed into the number of the lane to read
	Local    bool   // every lane reads itself: a move
}

// Shuffles returns the number of rounds that are not local.
func (p ShufflePlan) Shuffles() int {
	n := 0
	for _, r := range p.Rounds {
		if !r.Local {
			n++
		}
	}
	return n
}

// XorLanes reports whether every round reads lane^Rounds[t].Lane, so that
// shfl.sync.bfly with a constant does without computing a lane number.
func (p ShufflePlan) XorLanes() bool { return p.Source.isLane() }

// direction is a sum of lane bits of the result and where its values come from.
type direction struct {
	lanes uint64 // the lane bits
	at    uint64 // packed position in the source
	place uint64 // result registers that are received shifted along with it
}

// Shuffles plans a conversion of class LaneMove or cheaper. It takes one round per
// register of the result (copies excepted) whenever the source has enough
// different lanes to read from, which is the least possible.
//
// The conversion reads register A r ^ B l of lane C r ^ D l for register r of lane
// l. In one round a lane can send one register only, so two lanes that read the
// same lane must want the same register of it. Where D maps lanes to the same
// lane, each of them receives its registers in another order, r ^ Place(l): with
// E = C Place ^ D the lanes read apart. A linear function Q of the sending lane
// then tells what it sends: Q(E l) = A Place(l) ^ B l.
func (c Conversion) Shuffles() (ShufflePlan, error) {
	if c.Class > LaneMove {
		return ShufflePlan{}, fmt.Errorf("conversion of class '%s' cannot be done by shuffles in a warp", c.Class)
	}
	if c.Dst.Bits(Register) > maxPlanBits {
		return ShufflePlan{}, fmt.Errorf("conversion to 2^%d registers is too large for a shuffle plan", c.Dst.Bits(Register))
	}
	keep, copies := independent(c.Dst.axisBases(Register))
	regs := make([]uint64, len(keep)) // where bit i of the distinct registers comes from
	for i, bit := range keep {
		regs[i] = c.Map.cols[bit]
	}
	dirs, regs := c.spread(keep, regs)
	if len(regs) > maxPlanBits {
		return ShufflePlan{}, fmt.Errorf("conversion needs 2^%d shuffles, too many for a shuffle plan", len(regs))
	}

	lanes := c.Dst.Bits(Lane)
	points, ats, places := make([]uint64, lanes), make([]uint64, lanes), make([]uint64, lanes)
	for i, d := range dirs {
		points[i], ats[i], places[i] = d.lanes, d.at, d.place
	}
	ats, places = columns(lanes, points, ats), columns(lanes, points, places)
	register := func(v uint64) uint64 { return v & c.Map.to.mask(Register) }
	lane := c.laneOf

	reads, wants := make([]uint64, lanes), make([]uint64, lanes)
	for i := range lanes {
		v := ats[i] ^ apply(regs, places[i])
		reads[i], wants[i] = lane(v), register(v)
	}
	sends := columns(lanes, reads, wants)

	p := ShufflePlan{
		Select: ThreadFn{Lane: narrow(sends)},
		Source: ThreadFn{Lane: narrow(reads)},
		Place:  ThreadFn{Lane: narrow(places)},
	}
	uniform := func(a Axis) (sel, source []uint32) {
		for _, v := range c.Map.axisCols(a) {
			sel = append(sel, uint32(register(v)^apply(sends, lane(v))))
			source = append(source, uint32(lane(v)))
		}
		return sel, source
	}
	p.Select.Warp, p.Source.Warp = uniform(Warp)
	p.Select.Block, p.Source.Block = uniform(Block)
	p.Rounds = make([]ShuffleRound, 1<<len(regs))
	home := p.Source.isLane()
	for t := range p.Rounds {
		v := apply(regs, uint64(t))
		p.Rounds[t] = ShuffleRound{
			Register: uint32(register(v) ^ apply(sends, lane(v))),
			Lane:     uint32(lane(v)),
			Local:    home && lane(v) == 0,
		}
	}
	p.Results = make([]int, c.Dst.Size(Register))
	for r := range p.Results {
		p.Results[r] = int(apply(copies, uint64(r)))
	}
	return p, nil
}

func (c Conversion) laneOf(v uint64) uint64 {
	return v & c.Map.to.mask(Lane) >> c.Map.to.shift(Lane)
}

// spread finds a basis of the lanes of the result. For each direction of the basis it finds a position to read from
// and registers to shift by. Lanes which read the same lane then want the same register of it. It may append bits to
// regs: further rounds.
func (c Conversion) spread(keep []int, regs []uint64) ([]direction, []uint64) {
	n := c.Dst.Bits(Lane)
	from := c.Map.axisCols(Lane)
	var dirs []direction
	var read echelon // the lanes that are read so far
	var stuck []uint64
	for i := range n {
		if same, ok := read.add(c.laneOf(from[i]), 1<<i); ok {
			dirs = append(dirs, direction{lanes: 1 << i, at: from[i]})
		} else {
			stuck = append(stuck, same)
		}
	}
	// Lanes that hold copies of other registers, or of the same, want nothing
	// new: they receive what those receive.
	var held echelon
	for i, bit := range keep {
		held.add(c.Dst.axisBases(Register)[bit], 1<<i)
	}
	var apart []uint64
	for i, lanes := range stuck {
		relation, ok := held.add(apply(c.Dst.axisBases(Lane), lanes), 1<<(len(keep)+i))
		if ok {
			apart = append(apart, lanes)
			continue
		}
		place := relation & (1<<len(keep) - 1)
		sum := apply(stuck, relation>>len(keep))
		dirs = append(dirs, direction{lanes: sum, at: apply(regs, place), place: place})
	}
	others := kernel(c.Src.bases[:c.Src.Bits(Register)+c.Src.Bits(Lane)])
	for _, lanes := range apart {
		d := direction{lanes: lanes, at: apply(from, lanes)}
		switch i, j := firstNew(&read, others, c.laneOf), firstNew(&read, regs, c.laneOf); {
		case i >= 0: // another lane holds a copy
			d.at ^= others[i]
			read.add(c.laneOf(others[i]), 0)
		case j >= 0: // another register is received meanwhile
			d.place = 1 << j
			read.add(c.laneOf(regs[j]), 0)
		default: // a round for each of them
			d.place = 1 << len(regs)
			regs = append(regs, d.at)
		}
		dirs = append(dirs, d)
	}
	return dirs, regs
}

func firstNew(e *echelon, vs []uint64, key func(uint64) uint64) int {
	for i, v := range vs {
		if !e.contains(key(v)) {
			return i
		}
	}
	return -1
}

// independent splits generators: keep are the indices of those that are
// independent of earlier ones, cols expresses each generator by the kept ones.
func independent(vs []uint64) (keep []int, cols []uint64) {
	var e echelon
	cols = make([]uint64, len(vs))
	for i, v := range vs {
		bit := uint64(1) << len(keep)
		if rest, x := e.reduce(v, 0); rest == 0 {
			cols[i] = x
			continue
		}
		e.add(v, bit)
		cols[i] = bit
		keep = append(keep, i)
	}
	return keep, cols
}
