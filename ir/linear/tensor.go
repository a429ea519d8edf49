package linear

import "fmt"

// TMEM has 128 lanes of columns. The low bits of an element's offset in a buffer are the lane, and the bits above them
// are the column.
//
// A tile of 64 rows has half of the lanes, the first 16 of each 32 (PTX ISA, tcgen05, data path layout F). Its offsets
// have one bit of lanes less, and a column is 64 of them. The other lanes of its columns are free. Two such tiles in
// one column would need the same lifetime, and no measured kernel gained by it. A tile of more rows and few columns is
// several of these: only instructions of 64 rows have fewer than 16 columns (PTX ISA, tcgen05.mma, shapes).
const (
	LanesOfTMEM   = 1 << tmemLaneBits
	ColumnsOfTMEM = 512 // of 32 bits in each lane

	tmemLaneBits = 7
	wideBits     = 4 // log2 of the columns from which an instruction has 128 rows
	// A warp reaches the 32 lanes that the low two bits of its number name (PTX ISA, tcgen05, access restrictions).
	reachBits, reachWarps = 5, 2
)

// laneBits returns how many bits of the rows of a tile [.., M, N] name a lane.
func laneBits(log []uint8) (bits int, err error) {
	if r := len(log); r >= 2 && log[r-2] >= tmemLaneBits-1 {
		if log[r-1] < wideBits {
			return tmemLaneBits - 1, nil
		}
		return min(int(log[r-2]), tmemLaneBits), nil
	}
	shape := make([]int, len(log))
	for i, n := range log {
		shape[i] = 1 << n
	}
	return 0, fmt.Errorf("a tile of shape %v is not laid out in tensor memory, where it needs two dimensions and 64 rows", shape)
}

// TMEMLanes returns how many offsets of a tile in TMEM are a column of it: the lanes that it uses.
func TMEMLanes(shape []int) int {
	if r := len(shape); r >= 2 && (shape[r-2] < 1<<tmemLaneBits || shape[r-1] < 1<<wideBits) {
		return 1 << (tmemLaneBits - 1)
	}
	return 1 << tmemLaneBits
}

// TMEMCells stores a tile [.., M, N] as tcgen05.mma leaves its accumulator: a lane for each row of an instruction and
// a column for each of N. The tiles of instructions along M follow one after the other, and then those of batches.
func TMEMCells(shape []int) (Shared, error) { return TMEMOperand(shape, 0) }

// TMEMOperand stores operand A of an MMA, [.., M, K], as tcgen05.mma takes it from TMEM. Rows are in lanes, as those
// of the accumulator, and 1 << pack elements along K are in each cell.
func TMEMOperand(shape []int, pack int) (Shared, error) {
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

// TMEMAccumulator returns the layout in which warpsM x warpsN warps hold such a tile, at least four along M. Each
// thread has one row, or several at a distance of 128, and a contiguous part of N. Of 64 rows a warp has 16, and each
// half of its lanes has half of that part.
func TMEMAccumulator(shape []int, warpsM, warpsN int) (Layout, error) {
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

// Scales of block-scaled MMAs are bytes in TMEM (PTX ISA, tcgen05, scale factor layouts 1X, 2X and 4X). Four scales
// along K are a word. The row determines its lane of 32, and the row's group of 32 its column. Each quarter of the
// lanes has a copy, so an offset counts bytes of one copy.
const (
	scaleWordBits = 2
	scaleRowBits  = 5
)

func scaleSides(shape []int, rowsDim int) (log []uint8, kExtent int, err error) {
	if log, err = logShape(shape); err != nil {
		return nil, 0, err
	}
	if kExtent = 1 - rowsDim; len(log) != 2 || log[kExtent] < scaleWordBits || log[rowsDim] < scaleRowBits {
		return nil, 0, fmt.Errorf("a tile of scales of shape %v is not laid out in tensor memory, where it needs four along K and 32 rows", shape)
	}
	return log, kExtent, nil
}

// TMEMScales stores the scales of the factor whose rows, or columns, are along a dimension.
func TMEMScales(shape []int, rowsDim int) (Shared, error) {
	log, kExtent, err := scaleSides(shape, rowsDim)
	if err != nil {
		return Shared{}, err
	}
	b := newBuilder(log)
	b.take(Offset, kExtent, scaleWordBits, false)
	b.take(Offset, rowsDim, b.left(rowsDim), false)
	b.take(Offset, kExtent, b.left(kExtent), false)
	l, err := b.layout()
	if err != nil {
		return Shared{}, err
	}
	return NewShared(l)
}

// TMEMScaleThreads returns the layout in which warps store the scales. Four warps have copies, for the quarters of the
// lanes. More warps have columns of their own, as far as there are columns.
func TMEMScaleThreads(shape []int, rowsDim, warps int) (Layout, error) {
	log, kExtent, err := scaleSides(shape, rowsDim)
	if err != nil {
		return Layout{}, err
	}
	w, ok := log2(warps)
	if !ok || w < reachWarps {
		return Layout{}, fmt.Errorf("%d warps do not reach all lanes of tensor memory", warps)
	}
	b := newBuilder(log)
	b.take(Register, kExtent, scaleWordBits, false)
	b.take(Lane, rowsDim, scaleRowBits, false)
	for range reachWarps {
		b.bases[Warp] = append(b.bases[Warp], 0)
	}
	own := min(w-reachWarps, b.left(rowsDim))
	b.take(Register, rowsDim, b.left(rowsDim)-own, false)
	b.take(Register, kExtent, b.left(kExtent), false)
	b.take(Warp, rowsDim, w-reachWarps, true)
	return b.layout()
}

// A TMEMForm says how the elements of a tile are in the cells of TMEM.
type TMEMForm struct {
	Pack     int  // log2 of the elements of a word, which follow each other in the registers of a thread
	Quarters bool // each quarter of the lanes has a copy
}

// A TMEMPlan moves a tile between registers and TMEM: each warp its lanes, a word for each column.
type TMEMPlan struct {
	Columns []uint32 // of each word, from the warp's first
	Pack    int      // elements of a word
	Warp    []uint32 // columns that bits of the number of the warp, from the third on, add
	// Half says that a warp has 16 lanes of TMEM; its upper 16 threads move columns so far from those of the lower
	// ones.
	Half  bool
	Split uint32
}

// PlanTMEM finds the column of each word. The lanes must be those that threads and warps reach.
func PlanTMEM(dist Layout, cells Shared, form TMEMForm) (TMEMPlan, error) {
	m, err := cells.Offsets(dist)
	if err != nil {
		return TMEMPlan{}, err
	}
	bits, own := reachBits, 0
	if !form.Quarters {
		own = reachWarps
		if bits, err = laneBits(cells.layout.shape); err != nil {
			return TMEMPlan{}, err
		}
	}
	wrong := fmt.Errorf("threads do not reach the lanes of tensor memory where their elements are: %s", dist)
	registers, lanes, warps := m.component(Register, Offset), m.component(Lane, Offset), m.component(Warp, Offset)
	inWarp := bits - own
	if len(lanes) != reachBits || len(warps) < reachWarps || len(registers) < form.Pack {
		return TMEMPlan{}, wrong
	}
	// What is in place, from the lowest bit of an offset on: the elements of a word, the lanes of a warp, those of
	// the quarters.
	inPlace := append(append(make([]uint64, 0, tmemLaneBits), registers[:form.Pack]...), lanes[:inWarp]...)
	inPlace = append(inPlace, warps[:own]...)
	for i, at := range inPlace {
		if at != 1<<i {
			return TMEMPlan{}, wrong
		}
	}
	for _, at := range warps[own:reachWarps] {
		if at != 0 {
			return TMEMPlan{}, wrong
		}
	}
	column := func(at uint64) uint32 {
		if at&(1<<len(inPlace)-1) != 0 {
			err = wrong
		}
		return uint32(at >> len(inPlace))
	}
	p := TMEMPlan{Pack: 1 << form.Pack}
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
	// Columns of the upper threads are those of the lower ones and the distance, which is a sum only where no
	// register has its bits.
	for _, at := range p.Columns {
		if at&p.Split != 0 {
			err = wrong
		}
	}
	return p, err
}
