package vector

import "github.com/tilewright/tilewright/ir/numeric"

// Kernels compute as many elements from the first one on as they can, and return that number. Operands are as long as
// the result.
type (
	Unary   func(out, a []uint64) int
	Binary  func(out, a, b []uint64) int
	Ternary func(out, a, b, c []uint64) int
)

// Answers are what a comparison says of two elements.
type Answers struct{ Less, Equal, Greater, Unordered uint64 }

// A Reduction brings x to n/32 of the base's logarithm of two and a rest.
type Reduction struct {
	Steps     float64 // per unit of x: 32 over the logarithm of two
	High, Low float64 // the length of a step; products of High and n are exact
	Unit      float64 // natural logarithm of the base
	Tiny      float64 // the power of this, and of less, is zero in f32
}

// An operation is one of the four of arithmetic on elements of a format.
type operation struct {
	op byte
	f  numeric.Format
}

// An order is a minimum or maximum, which may propagate NaNs.
type order struct {
	f                 numeric.Format
	larger, propagate bool
}

// What the processor has instructions for. A file of the architecture fills these.
var (
	arithmetic   map[operation]Binary
	flushing     map[byte]Binary
	orders       map[order]Binary
	neighbours   map[operation]Unary
	neighbouring map[order]Unary
	comparisons  map[numeric.Format]func(out, a, b []uint64, answers *Answers) int
	integers     map[byte]func(out, a, b []uint64, mask uint64) int
	conversions  map[[2]numeric.Format]Unary
	loads        map[uint64]func(out []uint64, data []byte, rows, step, ahead int) int
	columns      map[uint64]func(out []uint64, data []byte, n, row, step int)
	stores       map[uint64]func(data []byte, a []uint64) int
	widenings    map[numeric.Format]func(out []float64, data []byte, rows, step, ahead int) int

	// FMA is a fused multiply-add of f32, FMAFlushing that which flushes subnormal numbers.
	FMA, FMAFlushing Ternary
	// Split takes pairs apart.
	Split func(first, second, pairs []uint64) int
	// Xor changes the bits of elements that are set in x.
	Xor func(out, a []uint64, x uint64) int
	// CompareI answers how elements relate as signed numbers, of which the bits of x are changed.
	CompareI func(out, a, b []uint64, x uint64, answers *Answers) int
	// Repeat stores each element of a n times, of all of them or of none.
	Repeat func(out, a []uint64, n int) int
	// Sqrt is the square root of f32.
	Sqrt Unary
	// Select takes elements of b where those of a are odd, else those of c.
	Select Ternary
	// Exp raises the base of a reduction to the power of f32 elements. It stops at a group for which it is not sure.
	Exp func(out, a []uint64, base *Reduction, powers *[32]float64) int
	// Tanh is the hyperbolic tangent, with the reduction of e. It stops as Exp does.
	Tanh func(out, a []uint64, base *Reduction, powers *[32]float64) int
	// Panels are the products that the processor has instructions for, the widest first.
	Panels []Panel
	// PanelsF32 are those that round each addition to f32.
	PanelsF32 []PanelF32
)

// A set is a set of instructions that the processor has, and what chooses its kernels.
type set struct {
	name string
	use  func()
}

// sets has the set that is used first.
var sets []set

// Sets names the sets of instructions that the processor has. The first one is in use when the program starts.
func Sets() []string {
	var names []string
	for _, s := range sets {
		names = append(names, s.name)
	}
	return names
}

// Use makes the functions of this package return kernels of a set of [Sets]. It is for tests of all sets, since no other
// goroutine may call the package meanwhile.
func Use(name string) {
	for _, s := range sets {
		if s.name == name {
			s.use()
		}
	}
}

// Arithmetic returns the kernel of '+', '-', '*' or '/', or nil.
func Arithmetic(op byte, f numeric.Format) Binary { return arithmetic[operation{op, f}] }

// Flushing returns the kernel of an operation on f32 that flushes subnormal operands and results, or nil.
func Flushing(op byte) Binary { return flushing[op] }

// Order returns the kernel of a minimum or maximum, or nil.
func Order(f numeric.Format, larger, propagate bool) Binary {
	return orders[order{f, larger, propagate}]
}

// Neighbours returns the kernel of Arithmetic that combines the elements of pairs, or nil. The pairs are twice as many
// elements as the results.
func Neighbours(op byte, f numeric.Format) Unary { return neighbours[operation{op, f}] }

// NeighboursInOrder is Neighbours of Order.
func NeighboursInOrder(f numeric.Format, larger, propagate bool) Unary {
	return neighbouring[order{f, larger, propagate}]
}

// Compare returns the kernel that answers how elements relate, or nil.
func Compare(f numeric.Format, answers *Answers) Binary {
	k := comparisons[f]
	if k == nil {
		return nil
	}
	return func(out, a, b []uint64) int { return k(out, a, b, answers) }
}

// Integer returns the kernel of '+', '-', '&', '|' or '^' on integers, of which a mask keeps the lower bits, or nil.
func Integer(op byte, mask uint64) Binary {
	k := integers[op]
	if k == nil {
		return nil
	}
	return func(out, a, b []uint64) int { return k(out, a, b, mask) }
}

// Convert returns the kernel of a conversion to nearest even, or nil.
func Convert(from, to numeric.Format) Unary { return conversions[[2]numeric.Format{from, to}] }

// Load returns what extends elements of a size in bytes, or nil. They are some rows without gaps, step bytes apart, and
// more than one only if it computes entire rows. It asks the caches for the bytes that are so far ahead of those, where
// there need not be any.
func Load(size uint64) func(out []uint64, data []byte, rows, step, ahead int) int { return loads[size] }

// Widen returns Load of numbers of a format as f64, or nil. NaNs keep no bits but that they are some.
func Widen(f numeric.Format) func(out []float64, data []byte, rows, step, ahead int) int {
	return widenings[f]
}

// RowsAhead is how many rows before a row is read the caches are asked for it. Rows of a tile are far apart in memory, so
// that a processor does not see by itself what comes next.
const RowsAhead = 8

// Columns and ColumnRows are how many columns LoadColumns reads at once, and of how many rows at a time.
const (
	Columns    = 8
	ColumnRows = 4
)

// LoadColumns returns what extends elements of a size in bytes, or nil. It reads n elements of each of [Columns] columns,
// which are step bytes apart. Element i of a column belongs to row i of out, where rows are row elements apart. The
// elements of a column have no gaps; n is a multiple of [ColumnRows].
func LoadColumns(size uint64) func(out []uint64, data []byte, n, row, step int) { return columns[size] }

// Store returns what stores the lower bytes of elements, or nil.
func Store(size uint64) func(data []byte, a []uint64) int { return stores[size] }

// PanelRows is how many rows of sums a panel is multiplied into at a time.
const PanelRows = 4

// WidestPanel is the largest width of a panel of f64. One of f32 is up to twice as wide.
const WidestPanel = 32

// A Panel multiplies columns of a matrix that lie row after row without gaps. Strides are in elements.
type Panel struct {
	Width int
	// Pack copies k rows of Width elements of a matrix, at least one.
	Pack func(panel, y *float64, k, stride int)
	// Add adds to PanelRows rows of Width sums the products of k elements of as many rows of x with the rows of a
	// panel. Each sum is rounded once after each product, in the order of k.
	Add func(sum, x, panel *float64, k, sumStride, xStride int)
	// AddF32 is Add with sums that begin and end as patterns of f32.
	AddF32 func(out, sum *uint64, x, panel *float64, k, sumStride, xStride int)
}

// Rows are a matrix of f32, of which a row begins Stride elements after the one before.
type Rows struct {
	Data   []float32
	Stride int
}

// From returns the rows from one on.
func (r Rows) From(row int) Rows { return Rows{r.Data[row*r.Stride:], r.Stride} }

// A PanelF32 is a [Panel] of f32. Sums are patterns.
type PanelF32 struct {
	Width int
	// Pack copies k rows of Width elements of a matrix, at least one.
	Pack func(panel, y *float32, k, stride int)
	// Add adds to PanelRows rows of Width sums the products of k elements of as many rows of x with the rows of a
	// panel. Each sum is rounded once after each product, in the order of k.
	Add func(out, sum *uint64, x, panel *float32, k, sumStride, xStride int)
}
