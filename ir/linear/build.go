package linear

import (
	"fmt"
	"slices"
)

// builder collects bases per axis while a layout is put together.
type builder struct {
	shape []uint8
	used  []uint8 // bits of each dimension that have a basis
	bases [Element][]uint64
}

func newBuilder(shape []uint8) *builder {
	return &builder{shape: shape, used: make([]uint8, len(shape))}
}

// take gives the next n bits of a dimension to an axis. Bits beyond the extent
// become zero bases: the axis then holds copies. Copies in registers serve no one
// and are left out, unless keep is set.
func (b *builder) take(a Axis, dim, n int, keep bool) {
	shift := 0
	for _, w := range b.shape[dim+1:] {
		shift += int(w)
	}
	for range n {
		if b.used[dim] < b.shape[dim] {
			b.bases[a] = append(b.bases[a], 1<<(shift+int(b.used[dim])))
			b.used[dim]++
		} else if a != Register || keep {
			b.bases[a] = append(b.bases[a], 0)
		}
	}
}

// left returns how many bits of a dimension have no basis yet.
func (b *builder) left(dim int) int { return int(b.shape[dim] - b.used[dim]) }

func (b *builder) layout() (Layout, error) {
	l := Layout{shape: b.shape}
	for a, list := range b.bases {
		if len(list) > MaxAxisBits {
			return Layout{}, fmt.Errorf("layout has %d bases for %s, at most %d are supported", len(list), Axis(a), MaxAxisBits)
		}
		l.in[a] = uint8(len(list))
		l.bases = append(l.bases, list...)
	}
	if n := l.in.total(); n > MaxInputBits {
		return Layout{}, fmt.Errorf("layout has %d input bits, at most %d are supported", n, MaxInputBits)
	}
	return l, nil
}

// Identity1D returns the layout of a one-dimensional tile of n elements whose
// element i is at index i of the axis.
func Identity1D(a Axis, n int) (Layout, error) { return along(a, n, n) }

// Zeros1D returns the layout of a single element, of rank 1, that every index of
// the axis holds.
func Zeros1D(a Axis, n int) (Layout, error) { return along(a, n, 1) }

func along(a Axis, n, elements int) (Layout, error) {
	if a >= Element {
		return Layout{}, fmt.Errorf("%s is not an input of a layout", a)
	}
	size, ok := log2(n)
	if !ok {
		return Layout{}, fmt.Errorf("extent %d of %s is not a power of two", n, a)
	}
	shape, err := logShape([]int{elements})
	if err != nil {
		return Layout{}, err
	}
	b := newBuilder(shape)
	b.take(a, 0, size, true)
	return b.layout()
}

// Product repeats the tile of a in the pattern of b: the low bits of every axis and of every dimension come from a,
// the high bits from b. As matrices, both stand on a common diagonal (arXiv 2505.23819); that is how a fragment
// becomes a warp's tile, and that the tile of a block.
func Product(a, b Layout) (Layout, error) {
	if len(a.shape) != len(b.shape) {
		return Layout{}, fmt.Errorf("product of layouts of %d and %d dimensions", len(a.shape), len(b.shape))
	}
	shape := make([]int, len(a.shape))
	for i := range shape {
		shape[i] = 1 << (a.shape[i] + b.shape[i])
	}
	log, err := logShape(shape)
	if err != nil {
		return Layout{}, err
	}
	out := newBuilder(log)
	for axis := range Element {
		for _, v := range a.axisBases(axis) {
			out.bases[axis] = append(out.bases[axis], a.embed(v, log, nil))
		}
		for _, v := range b.axisBases(axis) {
			out.bases[axis] = append(out.bases[axis], b.embed(v, log, a.shape))
		}
	}
	if len(out.bases[Offset]) > 0 && len(out.bases[Register])+len(out.bases[Lane])+len(out.bases[Warp])+len(out.bases[Block]) > 0 {
		return Layout{}, fmt.Errorf("product of the layout of a buffer and the layout of a distributed tile")
	}
	return out.layout()
}

// embed moves flat coordinates of l into a larger shape, each dimension shifted
// left by the given number of bits.
func (l Layout) embed(flat uint64, shape, by []uint8) uint64 {
	var out uint64
	shift := 0
	for i := len(shape) - 1; i >= 0; i-- {
		c := flat & (1<<l.shape[i] - 1)
		flat >>= l.shape[i]
		if by != nil {
			c <<= by[i]
		}
		out |= c << shift
		shift += int(shape[i])
	}
	return out
}

// Blocked distributes a tile in blocks: each thread owns sizePerThread adjacent elements. The lanes of a warp and the
// warps of a CTA form grids of threadsPerWarp and warpsPerCTA. order lists the dimensions with the fastest one first.
// A tile that is larger than the grid wraps around into more registers; a smaller one is held by several lanes or
// warps. These are Triton's blocked layouts, which arXiv 2505.23819 shows to be linear. The code below treats them as
// any other layout.
func Blocked(shape, sizePerThread, threadsPerWarp, warpsPerCTA, order []int) (Layout, error) {
	log, err := logShape(shape)
	if err != nil {
		return Layout{}, err
	}
	if err := checkOrder(order, len(shape)); err != nil {
		return Layout{}, err
	}
	b := newBuilder(log)
	for _, level := range []struct {
		axis   Axis
		name   string
		extent []int
	}{
		{Register, "size per thread", sizePerThread},
		{Lane, "threads per warp", threadsPerWarp},
		{Warp, "warps per block", warpsPerCTA},
	} {
		extent, err := logShape(level.extent)
		if err != nil {
			return Layout{}, fmt.Errorf("%s: %w", level.name, err)
		}
		if len(extent) != len(log) {
			return Layout{}, fmt.Errorf("%s has %d dimensions, the shape has %d", level.name, len(extent), len(log))
		}
		for _, dim := range order {
			b.take(level.axis, dim, int(extent[dim]), false)
		}
	}
	for _, dim := range order {
		b.take(Register, dim, b.left(dim), false)
	}
	return b.layout()
}

// Coalesced chooses the blocked layout for plain global accesses of a tile. Each thread holds up to vectorBits
// adjacent bits of the fastest dimension. The lanes follow in order, then the warps. Threads that find no element hold
// copies.
func Coalesced(shape []int, elemBits, vectorBits, lanes, warps int, order []int) (Layout, error) {
	log, err := logShape(shape)
	if err != nil {
		return Layout{}, err
	}
	if err := checkOrder(order, len(shape)); err != nil {
		return Layout{}, err
	}
	laneBits, ok1 := log2(lanes)
	warpBits, ok2 := log2(warps)
	if !ok1 || !ok2 {
		return Layout{}, fmt.Errorf("%d lanes and %d warps are not powers of two", lanes, warps)
	}
	if elemBits <= 0 {
		return Layout{}, fmt.Errorf("element width %d is not positive", elemBits)
	}
	// No thread takes a vector while another one has nothing to do.
	total := 0
	for _, b := range log {
		total += int(b)
	}
	vec := 0
	for vec < total-laneBits-warpBits && elemBits<<(vec+1) <= vectorBits {
		vec++
	}
	b := newBuilder(log)
	if len(order) > 0 {
		b.take(Register, order[0], min(vec, int(log[order[0]])), false)
	}
	for _, level := range []struct {
		axis Axis
		bits int
	}{{Lane, laneBits}, {Warp, warpBits}} {
		left := level.bits
		for _, dim := range order {
			n := min(left, b.left(dim))
			b.take(level.axis, dim, n, false)
			left -= n
		}
		// Zero bases and not fewer of them: a warp has 32 lanes whether or not there is work for them, and
		// conversions must know what each one holds.
		for range left {
			b.bases[level.axis] = append(b.bases[level.axis], 0)
		}
	}
	for _, dim := range order {
		b.take(Register, dim, b.left(dim), false)
	}
	return b.layout()
}

// EntireLines chooses the layout in which as few threads as possible share a line of elements along a dimension. Of 256 x
// 64 elements in four warps, each thread has two rows: what is computed along them needs no other thread.
func EntireLines(shape []int, lanes, warps, dim int) (Layout, error) {
	if dim < 0 || dim >= len(shape) {
		return Layout{}, fmt.Errorf("a tile of %d dimensions has no dimension %d", len(shape), dim)
	}
	order := slices.DeleteFunc(ContiguousFirst(len(shape), len(shape)-1), func(d int) bool { return d == dim })
	return Coalesced(shape, 1, 1, lanes, warps, append(order, dim))
}

func checkOrder(order []int, dims int) error {
	if len(order) != dims {
		return fmt.Errorf("order %v has %d entries, the shape has %d dimensions", order, len(order), dims)
	}
	seen := make([]bool, dims)
	for _, d := range order {
		if d < 0 || d >= dims || seen[d] {
			return fmt.Errorf("order %v is not a permutation of %d dimensions", order, dims)
		}
		seen[d] = true
	}
	return nil
}
