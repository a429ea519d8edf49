package generate

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/target/engine/launch"
)

// An elem is the type of the elements of a tile.
type elem struct {
	name  string
	width int
	float bool
	dtype launch.DType
	low   string // what no number is below, for floats: negative infinity if there is one
	high  string
	moved bool     // whether it can only be moved and converted: arithmetic does not take it
	some  []string // literals, where not all of the usual ones are numbers of the type
}

var (
	i1   = &elem{name: "i1", width: 1, dtype: launch.I1}
	i8   = &elem{name: "i8", width: 8, dtype: launch.I8}
	i16  = &elem{name: "i16", width: 16, dtype: launch.I16}
	i32  = &elem{name: "i32", width: 32, dtype: launch.I32}
	i64  = &elem{name: "i64", width: 64, dtype: launch.I64}
	f16  = &elem{name: "f16", width: 16, float: true, dtype: launch.F16, low: "0xFC00", high: "0x7C00"}
	bf16 = &elem{name: "bf16", width: 16, float: true, dtype: launch.BF16, low: "0xFF80", high: "0x7F80"}
	f32  = &elem{name: "f32", width: 32, float: true, dtype: launch.F32, low: "0xFF800000", high: "0x7F800000"}
	tf32 = &elem{name: "tf32", width: 32, float: true, dtype: launch.TF32, moved: true, low: "0xFF800000", high: "0x7F800000", some: []string{"0.0", "-0.0", "1.0", "-2.5", "1024.0"}}
	f64  = &elem{name: "f64", width: 64, float: true, dtype: launch.F64, low: "0xFFF0000000000000", high: "0x7FF0000000000000"}

	f8e4m3 = &elem{name: "f8E4M3FN", width: 8, float: true, dtype: launch.F8E4M3, moved: true, low: "-448.0", high: "448.0",
		some: []string{"0.0", "-0.0", "1.0", "-1.0", "0.5", "-2.5", "448.0", "-100.0"}}
	f8e5m2 = &elem{name: "f8E5M2", width: 8, float: true, dtype: launch.F8E5M2, moved: true, low: "0xFC", high: "0x7C",
		some: []string{"0.0", "-0.0", "1.0", "-1.0", "0.5", "-2.5", "57344.0", "-96.0"}}
	f8e8m0 = &elem{name: "f8E8M0FNU", width: 8, float: true, dtype: launch.F8E8M0, moved: true, some: []string{"1.0", "2.0", "0.5", "1024.0", "0.0078125"}}
)

var (
	integers = []*elem{i8, i16, i32, i64} // those that arithmetic is done on
	floats   = []*elem{f16, bf16, f32, f64}
	common   = slices.Concat(integers, floats)
	narrow   = []*elem{f8e4m3, f8e5m2, f8e8m0, tf32}      // those that buffers hold and arithmetic does not take
	stored   = slices.Concat(common, narrow, []*elem{i1}) // those that buffers hold
)

// min and max are the limits of an integer type, read as signed.
func (e *elem) min() int64 { return math.MinInt64 >> (64 - e.width) }
func (e *elem) max() int64 { return math.MaxInt64 >> (64 - e.width) }

// A shape lists the sizes of a tile. They are powers of two.
type shape []int

func (s shape) size() int {
	n := 1
	for _, d := range s {
		n *= d
	}
	return n
}

func (s shape) String() string {
	parts := make([]string, len(s))
	for i, d := range s {
		parts[i] = strconv.Itoa(d)
	}
	return strings.Join(parts, "x")
}

// log2 is the number of bits of an index into n elements.
func log2(n int) int { return bits.Len(uint(n)) - 1 }

// A typ is the type of a tile.
type typ struct {
	shape shape
	elem  *elem
}

func (t typ) String() string {
	if len(t.shape) == 0 {
		return "tile<" + t.elem.name + ">"
	}
	return fmt.Sprintf("tile<%sx%s>", t.shape, t.elem.name)
}

func (t typ) is(u typ) bool { return t.elem == u.elem && t.shape.String() == u.shape.String() }

func (t typ) of(e *elem) typ      { return typ{t.shape, e} }
func (t typ) shaped(s ...int) typ { return typ{s, t.elem} }

// ptr is the type of a tile of pointers to the elements.
func (t typ) ptr() string {
	if len(t.shape) == 0 {
		return "tile<ptr<" + t.elem.name + ">>"
	}
	return fmt.Sprintf("tile<%sxptr<%s>>", t.shape, t.elem.name)
}

// A value is an SSA value that is a tile.
type value struct {
	name string
	typ
	clean bool // never NaN
}

func scalar(e *elem) typ { return typ{nil, e} }

// spell returns what f makes of each element.
func spell[T any](in []T, f func(T) string) []string {
	out := make([]string, len(in))
	for i, x := range in {
		out[i] = f(x)
	}
	return out
}
