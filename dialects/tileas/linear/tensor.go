package linear

import "fmt"

// Tensor memory has 128 lanes of columns. Of the offset of an element in a buffer there, the low bits are the lane and those above the column.
const (
	tensorLaneBits = 7
	// A warp reaches the 32 lanes that the low two bits of its number name (PTX ISA, tcgen05, access restrictions).
	reachBits, reachWarps = 5, 2
)

// TensorCells stores a tile [M, N] as tcgen05.mma leaves its sums for an M of 128: a lane for each row of an instruction and a column for each of N, the tiles of instructions along M one behind the other.
func TensorCells(shape []int) (Shared, error) {
	log, err := logShape(shape)
	if err != nil {
		return Shared{}, err
	}
	if len(log) != 2 || log[0] < tensorLaneBits {
		return Shared{}, fmt.Errorf("a tile of shape %v is not laid out in tensor memory, where it needs two dimensions and 128 rows", shape)
	}
	b := newBuilder(log)
	b.take(Offset, 0, tensorLaneBits, false)
	b.take(Offset, 1, b.left(1), false)
	b.take(Offset, 0, b.left(0), false)
	l, err := b.layout()
	if err != nil {
		return Shared{}, err
	}
	return NewShared(l)
}

// TensorSum returns the layout in which warpsM x warpsN warps hold such a tile, at least four along M: each thread has a row, or several at a distance of 128, and of N a part that is contiguous.
func TensorSum(shape []int, warpsM, warpsN int) (Layout, error) {
	log, err := logShape(shape)
	if err != nil {
		return Layout{}, err
	}
	wm, ok1 := log2(warpsM)
	wn, ok2 := log2(warpsN)
	switch {
	case len(log) != 2 || log[0] < tensorLaneBits:
		return Layout{}, fmt.Errorf("a tile of shape %v is not laid out in tensor memory, where it needs two dimensions and 128 rows", shape)
	case !ok1 || !ok2 || wm < reachWarps || wm > reachWarps+int(log[0])-tensorLaneBits || wn > int(log[1]):
		return Layout{}, fmt.Errorf("%d x %d warps do not share a tile of shape %v in tensor memory", warpsM, warpsN, shape)
	}
	b := newBuilder(log)
	b.take(Lane, 0, reachBits, false)
	b.take(Warp, 0, reachWarps, false)
	b.take(Register, 1, b.left(1)-wn, false)
	b.take(Register, 0, b.left(0)-(wm-reachWarps), false)
	b.take(Warp, 0, wm-reachWarps, false)
	b.take(Warp, 1, wn, false)
	return b.layout()
}

// A TensorPlan moves a tile between registers and tensor memory: each warp its lanes, a register for each column.
type TensorPlan struct {
	Columns []uint32 // of each register, from the warp's first
	Warp    []uint32 // columns that bits of the number of the warp, from the third on, add
}

// PlanTensor finds the column of each register. The lanes must be those that threads and warps reach.
func PlanTensor(dist Layout, cells Shared) (TensorPlan, error) {
	m, err := cells.Offsets(dist)
	if err != nil {
		return TensorPlan{}, err
	}
	wrong := fmt.Errorf("threads do not reach the lanes of tensor memory where their elements are: %s", dist)
	lanes, warps := m.component(Lane, Offset), m.component(Warp, Offset)
	if len(lanes) != reachBits || len(warps) < reachWarps {
		return TensorPlan{}, wrong
	}
	for i, at := range append(append(make([]uint64, 0, tensorLaneBits), lanes...), warps[:reachWarps]...) {
		if at != 1<<i {
			return TensorPlan{}, wrong
		}
	}
	var p TensorPlan
	for _, at := range warps[reachWarps:] {
		if at&(1<<tensorLaneBits-1) != 0 {
			return TensorPlan{}, wrong
		}
		p.Warp = append(p.Warp, uint32(at>>tensorLaneBits))
	}
	registers := m.component(Register, Offset)
	for r := range 1 << len(registers) {
		at := uint64(0)
		for i, c := range registers {
			if r>>i&1 != 0 {
				at ^= c
			}
		}
		if at&(1<<tensorLaneBits-1) != 0 {
			return TensorPlan{}, wrong
		}
		p.Columns = append(p.Columns, uint32(at>>tensorLaneBits))
	}
	return p, nil
}
