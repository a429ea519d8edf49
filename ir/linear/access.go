package linear

import "fmt"

// Access is a plan to load or store a distributed tile with plain ld and st
// instructions of one vector width. A thread accesses, for each op, the aligned
// vector at the offset Op.Offset ^ Thread(thread), counted in elements.
type Access struct {
	VecBits int // log2 of the elements of a vector
	Thread  ThreadFn
	Ops     []AccessOp
	// Copies names, for each register of the layout, the register in some op
	// that holds the same element. It is the identity unless the layout has
	// several registers for an element.
	Copies []int
	// Disjoint tells that Op.Offset ^ Thread is also their sum: the offsets of
	// the ops fit the immediate of the address.
	Disjoint bool
	Cost
}

// AccessOp is one vector access.
type AccessOp struct {
	Offset    uint32
	Registers []int // in the order of their offsets
}

// Cost is what an access of an entire tile costs each warp.
type Cost struct {
	Instructions int
	// Ways is the number of different words of a bank that the lanes which are
	// served together ask for: 1 is free of conflicts.
	Ways int
	// Wavefronts counts passes through shared memory, over all instructions.
	Wavefronts int
}

// registers is a basis of the distinct registers of a thread, split into the
// sub-space of a vector or word and the rest, with the offsets of both.
type registers struct {
	copies []uint64
	inner  []uint64 // register masks: bit i of the element in the vector
	outer  []uint64 // register masks whose offsets do not touch the vector
	cols   []uint64
}

// splitRegisters looks for registers whose offsets are the unit vectors of want.
func splitRegisters(cols, want []uint64) (registers, bool) {
	keep, copies := independent(cols)
	r := registers{cols: cols}
	r.copies = make([]uint64, len(copies))
	for i, c := range copies {
		r.copies[i] = scatter(keep, c)
	}
	var e echelon
	for _, bit := range keep {
		e.add(cols[bit], 1<<bit)
	}
	var taken echelon
	for _, w := range want {
		rest, mask := e.reduce(w, 0)
		if rest != 0 {
			return registers{}, false
		}
		r.inner = append(r.inner, mask)
		taken.add(mask, 0)
	}
	for _, bit := range keep {
		mask := uint64(1) << bit
		if _, ok := taken.add(mask, 0); !ok {
			continue
		}
		for i, w := range want {
			if cols[bit]&w != 0 {
				mask ^= r.inner[i]
			}
		}
		r.outer = append(r.outer, mask)
	}
	return r, true
}

// scatter moves bit i of v to bit keep[i].
func scatter(keep []int, v uint64) uint64 {
	var out uint64
	for i, bit := range keep {
		out |= v >> i & 1 << bit
	}
	return out
}

// outerOffsets returns the offset of each outer register bit.
func (r registers) outerOffsets() []uint64 {
	out := make([]uint64, len(r.outer))
	for i, m := range r.outer {
		out[i] = apply(r.cols, m)
	}
	return out
}

func (r registers) copyList() []int {
	out := make([]int, 1<<len(r.copies))
	for i := range out {
		out[i] = int(apply(r.copies, uint64(i)))
	}
	return out
}

// gather lists base XOR each sum of masks.
func gather(base uint64, masks []uint64) []int {
	out := make([]int, 1<<len(masks))
	for i := range out {
		out[i] = int(base ^ apply(masks, uint64(i)))
	}
	return out
}

// PlanAccess plans accesses of at most maxBits bits, the widest that the two
// layouts allow. It is a load and a store plan at once.
func PlanAccess(dist Layout, sh Shared, elemBits, maxBits int) (Access, error) {
	m, err := accessMap(dist, sh)
	if err != nil {
		return Access{}, err
	}
	regs, vec, cost, err := plainAccess(m, elemBits, maxBits)
	if err != nil {
		return Access{}, err
	}
	a := Access{VecBits: vec, Thread: threadFn(m, Offset), Copies: regs.copyList(), Cost: cost}
	offsets := regs.outerOffsets()
	a.Ops = make([]AccessOp, 1<<len(regs.outer))
	var used uint32
	for i := range a.Ops {
		a.Ops[i] = AccessOp{
			Offset:    uint32(apply(offsets, uint64(i))),
			Registers: gather(apply(regs.outer, uint64(i)), regs.inner),
		}
		used |= a.Ops[i].Offset
	}
	a.Disjoint = used&a.Thread.support() == 0
	return a, nil
}

func accessMap(dist Layout, sh Shared) (Map, error) {
	m, err := sh.Offsets(dist)
	if err != nil {
		return Map{}, err
	}
	if m.FromBits(Offset) != 0 {
		return Map{}, fmt.Errorf("layout of a buffer has no registers to access it with")
	}
	if m.FromBits(Register) > maxPlanBits {
		return Map{}, fmt.Errorf("access of 2^%d registers is too large to plan", m.FromBits(Register))
	}
	return m, nil
}

// plainAccess finds the widest vector and its cost.
func plainAccess(m Map, elemBits, maxBits int) (registers, int, Cost, error) {
	if _, err := elemLog(elemBits); err != nil {
		return registers{}, 0, Cost{}, err
	}
	threads := m.cols[m.from[Register]:]
	best, vec := registers{}, -1
	for v := 0; v <= m.ToBits(Offset) && elemBits<<v <= max(maxBits, elemBits); v++ {
		if reaches(threads, 1<<v-1) {
			break
		}
		regs, ok := splitRegisters(m.axisCols(Register), unit(v))
		if !ok {
			break
		}
		best, vec = regs, v
	}
	if elemBits<<vec < 8 {
		return registers{}, 0, Cost{}, fmt.Errorf("access of %d bits is less than a byte", elemBits<<vec)
	}
	cost := Cost{Instructions: 1 << len(best.outer)}
	passes, ways := wavefronts(m.axisCols(Lane), vec, elemBits)
	cost.Ways = ways
	cost.Wavefronts = cost.Instructions * passes
	return best, vec, cost, nil
}

// reaches reports whether some column has one of the bits.
func reaches(cols []uint64, mask uint64) bool {
	for _, c := range cols {
		if c&mask != 0 {
			return true
		}
	}
	return false
}

const (
	wordLog = 5 // log2 of the bits of a word, the width of a bank
	bankLog = 5 // log2 of the number of banks
)

// wavefronts counts the passes that one access of a warp takes. 128 bytes are served at once, so lanes with more than
// a word each are served in groups, one after the other. All groups, registers and warps conflict alike: they differ
// by an XOR, which permutes banks and words.
func wavefronts(lanes []uint64, vec, elemBits int) (passes, ways int) {
	elem, _ := elemLog(elemBits)
	bytesLog := vec + elem - 3
	group := min(len(lanes), max(0, bankLog+2-max(bytesLog, 2)))
	ways = conflictWays(lanes[:group], vec, elem)
	return ways << (len(lanes) - group), ways
}

// conflictWays counts the words per bank that a group of threads touches: its
// size divided by the number of banks.
func conflictWays(threads []uint64, vec, elem int) int {
	var words, banks echelon
	dim, rank := 0, 0
	add := func(word uint64) {
		if _, ok := words.add(word, 0); ok {
			dim++
		}
		if _, ok := banks.add(word&(1<<bankLog-1), 0); ok {
			rank++
		}
	}
	for _, offset := range threads {
		if elem <= wordLog {
			add(offset >> (wordLog - elem))
		} else {
			add(offset << (elem - wordLog))
		}
	}
	for i := range max(0, vec+elem-wordLog) {
		add(1 << i)
	}
	return 1 << (dim - rank)
}
