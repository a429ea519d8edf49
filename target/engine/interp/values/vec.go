package values

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/vector"
)

// A Vec is the elements of a tile in row-major order. Each is its bit pattern, zero-extended. A Vec does not change
// after the operation that made it. A narrow Vec has fewer elements than its tile, and each stands for as many equal
// neighbours. Where a body of scalar operations runs on vectors, a Vec of one element stands for any number.
//
// Every type takes 64 bits, an i1 too. That is eight times the memory of an i8 tile, and one representation for all
// operations, kernels and checks. Tiles are small: a few thousand elements usually, 2^24 at most. Packing by type would
// multiply the code of every operation by the widths.
//
// A tile that only MMAs read may have no elements here: they multiply it where it is in memory (Stored).
//
// Unspecified elements are a second list, which is nil for nearly all tiles. It costs an operation on specified tiles
// one comparison.
type Vec struct {
	Data  []uint64
	Undef []bool // which elements are unspecified; nil: none
	// Stored is where a tile stays in memory; Data has none of its elements then (core.Decoder.InMemory).
	Stored Stored
	refs   int32
	Fixed  bool // belongs to the program: never reused
	// MMA is the asynchronous MMA of which this is the result. Until it is waited for, all elements are unspecified.
	MMA *AsyncMMA
}

// An AsyncMMA is an asynchronous MMA that has started.
type AsyncMMA struct {
	Op     ir.Op
	Result *Vec // nil until it has been computed
	Mma    *tileas.MMAAttr
}

// IsUndef reports whether element i is unspecified.
func (v *Vec) IsUndef(i int) bool {
	if v.Undef == nil {
		return false
	}
	return v.Undef[min(i, len(v.Undef)-1)]
}

// MarkUndef marks element i as unspecified and gives it a fixed pattern. With a fixed pattern a mistake of the kernel
// repeats, run by run.
func (v *Vec) MarkUndef(i int) {
	if v.Undef == nil {
		v.Undef = make([]bool, len(v.Data))
	}
	v.Undef[i] = true
	v.Data[i] = 0
}

// UnionUndef returns the unspecified elements of an element-wise result of n elements: those unspecified in any
// operand.
func UnionUndef(n int, vs ...*Vec) []bool {
	var out []bool
	for _, v := range vs {
		if v.Undef == nil {
			continue
		}
		if out == nil {
			out = make([]bool, n)
		}
		for i := range out {
			out[i] = out[i] || v.Undef[min(i, len(v.Undef)-1)]
		}
	}
	return out
}

// A Pool keeps the unused Vecs of one machine, by the logarithm of their capacity.
type Pool struct {
	free     [bits.UintSize][]*Vec
	Scribble bool // overwrite released elements, to find uses after release
	Elements int  // allocated since the context was last checked
}

// Alloc returns a Vec of n elements with arbitrary values.
//
// Capacities are powers of two: a few lists serve all shapes of a kernel, and a loop reuses the memory of its previous
// iteration.
func (p *Pool) Alloc(n int) *Vec {
	p.Elements += n
	class := bits.Len(uint(n - 1))
	if list := p.free[class]; len(list) > 0 {
		v := list[len(list)-1]
		p.free[class] = list[:len(list)-1]
		v.Data, v.Undef, v.Stored, v.refs, v.MMA = v.Data[:n], nil, Stored{}, 1, nil
		return v
	}
	return &Vec{Data: make([]uint64, n, 1<<class), refs: 1}
}

// Retain adds a reference to v, which may be nil.
func (p *Pool) Retain(v *Vec) {
	if v != nil && !v.Fixed {
		v.refs++
	}
}

// Release drops a reference to v, which may be nil. The last one gives its memory back to the pool.
func (p *Pool) Release(v *Vec) {
	if v == nil || v.Fixed {
		return
	}
	if v.refs--; v.refs > 0 {
		return
	}
	if p.Scribble {
		for i := range v.Data {
			v.Data[i] = 0xdead_dead_dead_dead
		}
	}
	class := bits.Len(uint(cap(v.Data) - 1))
	p.free[class] = append(p.free[class], v)
}

// Scalar returns a tile of one element.
func (p *Pool) Scalar(x uint64) *Vec {
	v := p.Alloc(1)
	v.Data[0] = x
	return v
}

// A Stored is a matrix in memory, of elements of Size bytes. A row begins Step bytes after the one before.
type Stored struct {
	Bytes      []byte
	Step, Size int
}

// InMemory returns a tile that stays in memory.
func (p *Pool) InMemory(s Stored) *Vec {
	v := p.Alloc(1)
	v.Stored = s
	return v
}

// RowsOf returns the elements of a tile of f32 as numbers. The caller releases temp.
func (p *Pool) RowsOf(v *Vec, columns int) (r vector.Rows, temp *Vec) {
	if s := v.Stored; s.Bytes != nil {
		return vector.Rows{Data: unsafe.Slice((*float32)(unsafe.Pointer(&s.Bytes[0])), len(s.Bytes)/4), Stride: s.Step / 4}, nil
	}
	n := len(v.Data)
	temp = p.Alloc((n + 1) / 2)
	x := unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(temp.Data))), n)
	done := 0
	if store := vector.Store(4); store != nil {
		done = store(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(temp.Data))), 4*n), v.Data)
	}
	for i, b := range v.Data[done:] {
		x[done+i] = math.Float32frombits(uint32(b))
	}
	return vector.Rows{Data: x, Stride: columns}, temp
}

// Patterns returns v, or a copy of the rows that it has in memory, which nobody releases.
func (v *Vec) Patterns(rows, columns int) *Vec {
	s := v.Stored
	if s.Bytes == nil {
		return v
	}
	out := &Vec{Data: make([]uint64, 0, rows*columns)}
	for i := range rows {
		for j := range columns {
			out.Data = append(out.Data, FromBytes(s.Bytes[i*s.Step+j*s.Size:][:s.Size]))
		}
	}
	return out
}

// Zeros returns a tile of n zeros.
func (p *Pool) Zeros(n int) *Vec {
	v := p.Alloc(n)
	clear(v.Data)
	return v
}

// Unspecified returns a tile of which no element is specified.
func (p *Pool) Unspecified(n int) *Vec {
	v := p.Alloc(n)
	v.Undef = make([]bool, n)
	for i := range v.Data {
		v.Data[i], v.Undef[i] = 0, true
	}
	return v
}

// InFlight returns the result of an MMA that has only started.
func (p *Pool) InFlight(n int, of *AsyncMMA) *Vec {
	v := p.Unspecified(n)
	v.MMA = of
	return v
}

// Stretch returns n elements: those of v, or its only one repeated. The caller releases temp.
func (p *Pool) Stretch(v *Vec, n int) (data []uint64, temp *Vec) {
	if len(v.Data) == n {
		return v.Data, nil
	}
	t := p.Alloc(n)
	Repeat(t.Data, v.Data[:1], n)
	return t.Data, t
}

// Widened returns v, or a copy with n elements if v is narrow, which nobody releases.
func (p *Pool) Widened(v *Vec, n int) *Vec {
	if len(v.Data) == 1 || len(v.Data) == n {
		return v
	}
	w := &Vec{Data: make([]uint64, n)}
	Repeat(w.Data, v.Data, n/len(v.Data))
	return w
}
