package linear

import "fmt"

// Reduction is a plan to combine the elements of a tile along one dimension. Every thread that took part ends with the
// result. First the registers of each group are combined. Then lanes, warps and CTAs that differ by a mask are
// combined, for each sum of masks: n masks are n rounds of a butterfly. Copies of an element are combined once.
type Reduction struct {
	Result    Layout  // Slice of the dimension
	Registers [][]int // for each register of Result, the registers to combine
	Lanes     []uint32
	Warps     []uint32 // through shared memory
	Blocks    []uint32
}

// PlanReduction plans a reduction along dim. It fails for a layout in which
// elements of the same result sit in different registers of different threads;
// such a tile needs a conversion first.
func PlanReduction(l Layout, dim int) (Reduction, error) {
	full, err := l.RemoveDim(dim)
	if err != nil {
		return Reduction{}, err
	}
	if l.in[Offset] != 0 {
		return Reduction{}, fmt.Errorf("layout of a buffer cannot be reduced by threads")
	}
	if l.Bits(Register) > maxPlanBits {
		return Reduction{}, fmt.Errorf("reduction of 2^%d registers is too large to plan", l.Bits(Register))
	}
	p := Reduction{Result: full.CompactRegisters()}
	// Positions with the same result, modulo positions with the same element,
	// are what has to be combined. Take them from one axis after the other.
	same := kernel(l.bases)
	need := len(kernel(full.bases)) - len(same)
	var groups []uint64
	for a := range Offset {
		var axis []uint64
		for _, v := range kernel(full.axisBases(a)) {
			axis = append(axis, v<<l.in.shift(a))
		}
		masks := extend(same, axis)
		same = append(same, masks...)
		need -= len(masks)
		for _, v := range masks {
			bits := uint32(v >> l.in.shift(a))
			switch a {
			case Register:
				groups = append(groups, v)
			case Lane:
				p.Lanes = append(p.Lanes, bits)
			case Warp:
				p.Warps = append(p.Warps, bits)
			case Block:
				p.Blocks = append(p.Blocks, bits)
			}
		}
	}
	if need > 0 {
		return Reduction{}, fmt.Errorf("reduction along dimension %d combines different registers of different threads: %s", dim, l)
	}
	keep, _ := independent(full.axisBases(Register))
	p.Registers = make([][]int, p.Result.Size(Register))
	for r := range p.Registers {
		p.Registers[r] = gather(scatter(keep, uint64(r)), groups)
	}
	return p, nil
}
