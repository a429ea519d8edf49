package values

import (
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/target/engine/interp/vector"
)

// Count returns the number of elements of a shape.
func Count(shape []int64) int {
	n := 1
	for _, d := range shape {
		n *= int(d)
	}
	return n
}

// Strides returns the distance of neighbours along each dimension of a row-major tile.
func Strides(shape []int64) []int64 {
	out := make([]int64, len(shape))
	n := int64(1)
	for i := len(shape) - 1; i >= 0; i-- {
		out[i] = n
		n *= shape[i]
	}
	return out
}

// PositionOf returns the coordinates of element i of a tile.
func PositionOf(shape []int64, i int) []int64 {
	at := make([]int64, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		at[d] = int64(i) % shape[d]
		i /= int(shape[d])
	}
	return at
}

// Place names element i of a tile by its coordinates.
func Place(shape []int64, i int) string {
	if len(shape) == 0 {
		return "element []"
	}
	at := PositionOf(shape, i)
	text := make([]string, len(at))
	for d, x := range at {
		text[d] = strconv.FormatInt(x, 10)
	}
	return "element [" + strings.Join(text, ", ") + "]"
}

// PlaceIn is Place for element i of n. Where the body of a reduction runs on vectors, the n elements are not those of a
// tile.
func PlaceIn(shape []int64, i, n int) string {
	if n != Count(shape) {
		return "an element"
	}
	return Place(shape, i)
}

// gather fills the elements of a tile of the given shape. The element at coordinates c is src[base +
// sum(c[d]*step[d])].
//
// Every change of shape is one of these:
//
//	broadcast    step 0 along the dimensions that are repeated
//	permute      the steps of the source, in the result's order
//	extract      the base of the part, the steps of the source
func gather[T any](dst, src []T, repeat func(dst, src []T, n int), shape []int64, base int64, step []int64) {
	if n := Repetitions(shape, step); n > 1 {
		repeat(dst, src[base:][:len(dst)/n], n)
		return
	}
	eachRow(shape, base, step, func(i, n int, at, by int64) {
		row := dst[i : i+n]
		switch by {
		case 0:
			repeat(row, src[at:][:1], n)
		case 1:
			copy(row, src[at:])
		default:
			for k := range row {
				row[k] = src[at]
				at += by
			}
		}
	})
}

// Repetitions returns how often each of adjacent elements is repeated, if that is all; else 0.
func Repetitions(shape, step []int64) int {
	n, next := int64(1), int64(0) // the step of the next dimension; 0: elements are repeated so far
	for d := len(shape) - 1; d >= 0; d-- {
		switch {
		case shape[d] == 1:
			continue
		case next == 0 && step[d] == 0:
			n *= shape[d]
			continue
		case step[d] != max(1, next):
			return 0
		}
		next = max(1, next) * shape[d]
	}
	return int(n)
}

// Repeat stores each element n times.
func Repeat(dst, src []uint64, n int) {
	done := 0
	if vector.Repeat != nil {
		done = vector.Repeat(dst, src, n)
	}
	repeatEach(dst[done*n:], src[done:], n)
}

func repeatEach[T any](dst, src []T, n int) {
	for i, x := range src {
		row := dst[i*n:][:n]
		for k := range row {
			row[k] = x
		}
	}
}

// scatter is the inverse of gather for rows whose elements are adjacent.
func scatter[T any](dst, src []T, shape []int64, base int64, step []int64) {
	eachRow(shape, base, step, func(i, n int, at, _ int64) { copy(dst[at:], src[i:i+n]) })
}

// eachRow visits the rows of a shape along its last dimension. Its function visit gets the number of the row's first
// element, the row's length, the offset of that element in the source, and the step between elements there.
func eachRow(shape []int64, base int64, step []int64, visit func(i, n int, at, by int64)) {
	last := len(shape) - 1
	if last < 0 {
		visit(0, 1, base, 1)
		return
	}
	n, total := int(shape[last]), Count(shape)
	coord := make([]int64, last)
	for i := 0; i < total; i += n {
		visit(i, n, base, step[last])
		for d := last - 1; d >= 0; d-- {
			coord[d]++
			base += step[d]
			if coord[d] < shape[d] {
				break
			}
			base -= coord[d] * step[d]
			coord[d] = 0
		}
	}
}

// Gather returns the tile whose element at coordinates c is element base + sum(c[d]*step[d]) of src.
func (p *Pool) Gather(src *Vec, shape []int64, base int64, step []int64) *Vec {
	r := p.Alloc(Count(shape))
	gather(r.Data, src.Data, Repeat, shape, base, step)
	if src.Undef != nil {
		r.Undef = make([]bool, len(r.Data))
		gather(r.Undef, src.Undef, repeatEach, shape, base, step)
	}
	return r
}

// Split returns the first and the second elements of pairs of neighbours.
func (p *Pool) Split(v *Vec) (first, second *Vec) {
	n := len(v.Data) / 2
	first, second = p.Alloc(n), p.Alloc(n)
	done := 0
	if vector.Split != nil {
		done = vector.Split(first.Data, second.Data, v.Data)
	}
	for i := done; i < n; i++ {
		first.Data[i], second.Data[i] = v.Data[2*i], v.Data[2*i+1]
	}
	if v.Undef != nil {
		first.Undef, second.Undef = make([]bool, n), make([]bool, n)
		for i := range n {
			first.Undef[i], second.Undef[i] = v.Undef[2*i], v.Undef[2*i+1]
		}
	}
	return first, second
}

// InsertPart stores a tile of the given shape into dst, which no slot holds yet: a Vec in a slot never changes.
func (p *Pool) InsertPart(dst, part *Vec, shape []int64, base int64, step []int64) {
	scatter(dst.Data, part.Data, shape, base, step)
	switch {
	case part.Undef != nil:
		if dst.Undef == nil {
			dst.Undef = make([]bool, len(dst.Data))
		}
		scatter(dst.Undef, part.Undef, shape, base, step)
	case dst.Undef != nil:
		scatter(dst.Undef, make([]bool, len(part.Data)), shape, base, step)
	}
}

// Element returns element k of v as a scalar.
func (p *Pool) Element(v *Vec, k int) *Vec {
	r := p.Scalar(v.Data[k])
	if v.IsUndef(k) {
		r.Undef = []bool{true}
	}
	return r
}

// CopyOf returns a copy of a tile that belongs to another machine's pool.
func (p *Pool) CopyOf(v *Vec) *Vec {
	out := p.Alloc(len(v.Data))
	copy(out.Data, v.Data)
	for i := range v.Data {
		if v.IsUndef(i) {
			out.MarkUndef(i)
		}
	}
	return out
}

// Decides reports whether element i is specified and absorbs holds for it: 0 decides a product, whatever the other
// operand is.
func (v *Vec) Decides(i int, absorbs func(x uint64) bool) bool {
	return !v.IsUndef(i) && absorbs(v.Data[min(i, len(v.Data)-1)])
}
