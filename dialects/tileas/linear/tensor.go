package linear

import "fmt"

// Tensor memory has 128 lanes of columns. Of the offset of an element in a buffer there, the low bits are the lane and those above the column.
//
// A tile of 64 rows has half of the lanes, the first 16 of each 32 (PTX ISA, tcgen05, data path layout F): its offsets have a bit of lanes less, and a column is 64 of them. The other lanes of its columns are free; two
// such tiles in one column would have to live and die together, and nothing was found that gains by it.
const (
	tensorLaneBits = 7
	// A warp reaches the 32 lanes that the low two bits of its number name (PTX ISA, tcgen05, access restrictions).
	reachBits, reachWarps = 5, 2
)

// laneBits returns how many bits of the rows of a tile [.., M, N] name a lane.
func laneBits(log []uint8) (bits int, err error) {
	if r := len(log); r >= 2 && log[r-2] >= tensorLaneBits-1 {
		return min(int(log[r-2]), tensorLaneBits), nil
	}
	shape := make([]int, len(log))
	for i, n := range log {
		shape[i] = 1 << n
	}
	return 0, fmt.Errorf("a tile of shape %v is not laid out in tensor memory, where it needs two dimensions and 64 rows", shape)
}

// TensorLanes returns how many offsets of a tile in tensor memory are a column of it: the lanes that it uses.
func TensorLanes(shape []int) int {
	if r := len(shape); r >= 2 && shape[r-2] < 1<<tensorLaneBits {
		return 1 << (tensorLaneBits - 1)
	}
	return 1 << tensorLaneBits
}

// TensorCells stores a tile [.., M, N] as tcgen05.mma leaves its sums: a lane for each row of an instruction and a column for each of N, the tiles of instructions along M one behind the other, and then those of batches.
func TensorCells(shape []int) (Shared, error) { return TensorFactor(shape, 0) }

// TensorFactor stores the factor A of a product, [.., M, K], as tcgen05.mma takes it from tensor memory: rows in lanes as those of the sum, and 1 << pack elements along K in each cell.
func TensorFactor(shape []int, pack int) (Shared, error) {
	log, err := logShape(shape)
	if err != nil {
		return Shared{}, err
	}
	lanes, err := laneBits(log)
	if err != nil {
		return Shared{}, err
	}
	b, m := newBuilder(log), len(log)-2
	if pack > b.left(m+1) {
		return Shared{}, fmt.Errorf("a tile of shape %v does not fill the cells of tensor memory", shape)
	}
	b.take(Offset, m+1, pack, false)
	b.take(Offset, m, lanes, false)
	b.take(Offset, m+1, b.left(m+1), false)
	for d := m; d >= 0; d-- {
		b.take(Offset, d, b.left(d), false)
	}
	l, err := b.layout()
	if err != nil {
		return Shared{}, err
	}
	return NewShared(l)
}

// TensorSum returns the layout in which warpsM x warpsN warps hold such a tile, at least four along M: each thread has a row, or several at a distance of 128, and of N a part that is contiguous. Of 64 rows a warp has
// 16, and the two halves of its lanes have a half of that part each.
func TensorSum(shape []int, warpsM, warpsN int) (Layout, error) {
	log, err := logShape(shape)
	if err != nil {
		return Layout{}, err
	}
	lanes, err := laneBits(log)
	if err != nil {
		return Layout{}, err
	}
	wm, ok1 := log2(warpsM)
	wn, ok2 := log2(warpsN)
	m, n := len(log)-2, len(log)-1
	inWarp := lanes - reachWarps
	if !ok1 || !ok2 || wm < reachWarps || wm > reachWarps+int(log[m])-lanes || wn+reachBits-inWarp > int(log[n]) {
		return Layout{}, fmt.Errorf("%d x %d warps do not share a tile of shape %v in tensor memory", warpsM, warpsN, shape)
	}
	b := newBuilder(log)
	b.take(Lane, m, inWarp, false)
	b.take(Warp, m, reachWarps, false)
	b.take(Register, n, b.left(n)-wn-(reachBits-inWarp), false)
	b.take(Lane, n, reachBits-inWarp, false)
	b.take(Register, m, b.left(m)-(wm-reachWarps), false)
	b.take(Warp, m, wm-reachWarps, false)
	b.take(Warp, n, wn, false)
	for d := range m {
		b.take(Register, m-1-d, b.left(m-1-d), false)
	}
	return b.layout()
}

// Scale factors of block-scaled products (PTX ISA, tcgen05, scale factor layouts 1X, 2X and 4X) are bytes: four along the depth are a word, in the lane of 32 that the row has and the column of the row's group of 32, and
// each quarter of the lanes has a copy, so that an offset counts bytes of one of them.
const (
	scaleWordBits = 2
	scaleRowBits  = 5
)

func scaleSides(shape []int, rowsDim int) (log []uint8, depth int, err error) {
	if log, err = logShape(shape); err != nil {
		return nil, 0, err
	}
	if depth = 1 - rowsDim; len(log) != 2 || log[depth] < scaleWordBits || log[rowsDim] < scaleRowBits {
		return nil, 0, fmt.Errorf("a tile of scales of shape %v is not laid out in tensor memory, where it needs four along the depth and 32 rows", shape)
	}
	return log, depth, nil
}

// TensorScales stores the scales of the factor whose rows, or columns, are along a dimension.
func TensorScales(shape []int, rowsDim int) (Shared, error) {
	log, depth, err := scaleSides(shape, rowsDim)
	if err != nil {
		return Shared{}, err
	}
	b := newBuilder(log)
	b.take(Offset, depth, scaleWordBits, false)
	b.take(Offset, rowsDim, b.left(rowsDim), false)
	b.take(Offset, depth, b.left(depth), false)
	l, err := b.layout()
	if err != nil {
		return Shared{}, err
	}
	return NewShared(l)
}

// TensorScaleThreads returns the layout in which warps store them: four warps have copies, for the quarters of the lanes, and more of them columns of their own as far as there are some.
func TensorScaleThreads(shape []int, rowsDim, warps int) (Layout, error) {
	log, depth, err := scaleSides(shape, rowsDim)
	if err != nil {
		return Layout{}, err
	}
	w, ok := log2(warps)
	if !ok || w < reachWarps {
		return Layout{}, fmt.Errorf("%d warps do not reach all lanes of tensor memory", warps)
	}
	b := newBuilder(log)
	b.take(Register, depth, scaleWordBits, false)
	b.take(Lane, rowsDim, scaleRowBits, false)
	for range reachWarps {
		b.bases[Warp] = append(b.bases[Warp], 0)
	}
	own := min(w-reachWarps, b.left(rowsDim))
	b.take(Register, rowsDim, b.left(rowsDim)-own, false)
	b.take(Register, depth, b.left(depth), false)
	b.take(Warp, rowsDim, w-reachWarps, true)
	return b.layout()
}

// A TensorForm says how the elements of a tile are in the cells of tensor memory.
type TensorForm struct {
	Pack     int  // log2 of the elements of a word, which follow each other in the registers of a thread
	Quarters bool // each quarter of the lanes has a copy
}

// A TensorPlan moves a tile between registers and tensor memory: each warp its lanes, a word for each column.
type TensorPlan struct {
	Columns []uint32 // of each word, from the warp's first
	Pack    int      // elements of a word
	Warp    []uint32 // columns that bits of the number of the warp, from the third on, add
	// Half says that a warp has 16 lanes of tensor memory; its upper 16 threads move columns so far from those of the lower ones.
	Half  bool
	Split uint32
}

// PlanTensor finds the column of each word. The lanes must be those that threads and warps reach.
func PlanTensor(dist Layout, cells Shared, form TensorForm) (TensorPlan, error) {
	m, err := cells.Offsets(dist)
	if err != nil {
		return TensorPlan{}, err
	}
	bits, own := reachBits, 0
	if !form.Quarters {
		own = reachWarps
		if bits, err = laneBits(cells.layout.shape); err != nil {
			return TensorPlan{}, err
		}
	}
	wrong := fmt.Errorf("threads do not reach the lanes of tensor memory where their elements are: %s", dist)
	registers, lanes, warps := m.component(Register, Offset), m.component(Lane, Offset), m.component(Warp, Offset)
	inWarp := bits - own
	if len(lanes) != reachBits || len(warps) < reachWarps || len(registers) < form.Pack {
		return TensorPlan{}, wrong
	}
	// What is in place, from the lowest bit of an offset on: the elements of a word, the lanes of a warp, those of the quarters.
	inPlace := append(append(make([]uint64, 0, tensorLaneBits), registers[:form.Pack]...), lanes[:inWarp]...)
	inPlace = append(inPlace, warps[:own]...)
	for i, at := range inPlace {
		if at != 1<<i {
			return TensorPlan{}, wrong
		}
	}
	for _, at := range warps[own:reachWarps] {
		if at != 0 {
			return TensorPlan{}, wrong
		}
	}
	column := func(at uint64) uint32 {
		if at&(1<<len(inPlace)-1) != 0 {
			err = wrong
		}
		return uint32(at >> len(inPlace))
	}
	p := TensorPlan{Pack: 1 << form.Pack}
	if p.Half = inWarp < reachBits; p.Half {
		p.Split = column(lanes[inWarp])
	}
	for _, at := range warps[reachWarps:] {
		p.Warp = append(p.Warp, column(at))
	}
	registers = registers[form.Pack:]
	for r := range 1 << len(registers) {
		at := uint64(0)
		for i, c := range registers {
			if r>>i&1 != 0 {
				at ^= c
			}
		}
		p.Columns = append(p.Columns, column(at))
	}
	// Columns of the upper threads are those of the lower ones and the distance, which is a sum only where no register has its bits.
	for _, at := range p.Columns {
		if at&p.Split != 0 {
			err = wrong
		}
	}
	return p, err
}
