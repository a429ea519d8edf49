package tiles

import "fmt"

// Elementwise computes exp(x*x) + x of a tile, the last elements of which are outside of the buffers.
func Elementwise(shape ...int) Kernel {
	s := begin("element-wise", shape...)
	s.in2(shape, "f32")
	t := typ("f32", shape...)
	s.load("x", "in")
	s.op("y", "mulf", t, "x", "x")
	s.op("z", "exp", t, "y")
	s.op("w", "addf", t, "z", "x")
	s.store("w", "out")
	return s.finish()
}

// in2 adds an input and an output with ragged views.
func (s *source) in2(shape []int, elem string) {
	for i, name := range []string{"in", "out"} {
		s.buffer([]string{"a", "b"}[i], elem, count(shape))
		s.view(name, []string{"a", "b"}[i], elem, ragged(shape), shape)
	}
}

// ragged is a shape with the last elements of each dimension left out.
func ragged(shape []int) []int {
	out := make([]int, len(shape))
	for i, n := range shape {
		out[i] = max(1, n-3*(i+1))
	}
	return out
}

// Add adds two tiles of integers; ordered: with each access after the one before, so that nothing but their objects
// tells them apart.
func Add(elem string, ordered bool, shape ...int) Kernel {
	s := begin("add "+elem, shape...)
	s.ordered = ordered
	s.in2(shape, elem)
	s.buffer("c", elem, count(shape))
	s.view("more", "c", elem, shape, shape)
	s.load("x", "in")
	s.load("y", "more")
	s.op("z", "addi", typ(elem, shape...), "x", "y")
	s.store("z", "out")
	return s.finish()
}

// Reduce sums rows or columns of a matrix.
func Reduce(dim, rows, columns int) Kernel {
	shape := []int{rows, columns}
	s := begin([]string{"column sums", "row sums"}[dim], shape...)
	s.buffer("a", "f32", count(shape))
	s.view("in", "a", "f32", ragged(shape), shape)
	to := []int{shape[1-dim]}
	s.buffer("b", "f32", to[0])
	s.view("out", "b", "f32", to, to)
	s.load("x", "in")
	s.reduce("r", "x", "addf", "f32", "0.0", dim, shape...)
	s.store("r", "out")
	return s.finish()
}

// Sum sums a tile of one dimension of integers, and their squares.
func Sum(n int) Kernel {
	s := begin("sum", n)
	s.buffer("a", "i32", n)
	s.view("in", "a", "i32", []int{n}, []int{n})
	s.buffer("b", "i32", 2)
	s.view("out", "b", "i32", []int{2}, []int{2})
	t := typ("i32", n)
	s.load("x", "in")
	s.reduce("r", "x", "addi", "i32", "0", 0, n)
	s.op("y", "muli", t, "x", "x")
	s.reduce("q", "y", "addi", "i32", "0", 0, n)
	for _, v := range []string{"r", "q"} {
		s.line("%%%[1]s1 = reshape %%%[1]s : tile<i32> -> tile<1xi32>", v)
	}
	s.line("%%both = cat %%r1, %%q1 dim = 0 : tile<1xi32>, tile<1xi32> -> tile<2xi32>")
	s.store("both", "out")
	return s.finish()
}

// ArgMax finds the greatest element of each row and its place.
func ArgMax(rows, columns int) Kernel {
	shape := []int{rows, columns}
	s := begin("places of maxima", shape...)
	s.buffer("a", "i32", count(shape))
	s.view("in", "a", "i32", shape, shape)
	for _, name := range []string{"b", "c"} {
		s.buffer(name, "i32", rows)
		s.view(name+"out", name, "i32", []int{rows}, []int{rows})
	}
	s.load("x", "in")
	s.line("%%i = iota : %s", typ("i32", columns))
	s.spread("j", "i", "i32", []int{columns}, []int{1, columns}, shape)
	t, r := typ("i32", shape...), typ("i32", rows)
	s.line("%%m:2 = reduce %%x, %%j dim=1 identities=[-2147483648 : i32, 0 : i32] : %s, %s -> %s, %s (%%a0: tile<i32>, %%e0: tile<i32>, %%a1: tile<i32>, %%e1: tile<i32>) {", t, t, r, r)
	s.line("  %%more = cmpi greater_than %%e0, %%a0, signed : tile<i32> -> tile<i1>")
	s.line("  %%same = cmpi equal %%e0, %%a0, signed : tile<i32> -> tile<i1>")
	s.line("  %%first = cmpi less_than %%e1, %%a1, signed : tile<i32> -> tile<i1>")
	s.line("  %%tie = andi %%same, %%first : tile<i1>")
	s.line("  %%take = ori %%more, %%tie : tile<i1>")
	s.line("  %%v = select %%take, %%e0, %%a0 : tile<i1>, tile<i32>")
	s.line("  %%p = select %%take, %%e1, %%a1 : tile<i1>, tile<i32>")
	s.line("  yield %%v, %%p : tile<i32>, tile<i32>")
	s.line("}")
	s.store("m#0", "bout")
	s.store("m#1", "cout")
	return s.finish()
}

// Scan computes running sums along a dimension.
func Scan(dim int, reverse bool, shape ...int) Kernel {
	s := begin(fmt.Sprintf("scan along %d, reverse %t,", dim, reverse), shape...)
	s.in2(shape, "i32")
	s.load("x", "in")
	s.scan("y", "x", "addi", "i32", "0", dim, reverse, shape...)
	s.store("y", "out")
	return s.finish()
}

// Softmax computes the softmax of rows; of one dimension: of all elements.
func Softmax(shape ...int) Kernel {
	s := begin("softmax", shape...)
	s.in2(shape, "f32")
	t := typ("f32", shape...)
	dim := len(shape) - 1
	rows := shape[:dim]
	line := append(append([]int(nil), rows...), 1)
	s.load("x", "in")
	s.reduce("m", "x", "maxf", "f32", "0xff800000", dim, shape...)
	s.spread("mm", "m", "f32", rows, line, shape)
	s.op("d", "subf", t, "x", "mm")
	s.op("e", "exp", t, "d")
	s.reduce("n", "e", "addf", "f32", "0.0", dim, shape...)
	s.spread("nn", "n", "f32", rows, line, shape)
	s.op("q", "divf", t, "e", "nn")
	s.store("q", "out")
	return s.finish()
}

// Transpose stores columns as rows.
func Transpose(rows, columns int) Kernel {
	s := begin("transpose", rows, columns)
	s.buffer("a", "f32", rows*columns)
	s.view("in", "a", "f32", ragged([]int{rows, columns}), []int{rows, columns})
	s.buffer("b", "f32", rows*columns)
	s.view("out", "b", "f32", []int{columns, rows}, []int{columns, rows})
	s.load("x", "in")
	s.line("%%y = permute %%x [1, 0] : %s -> %s", typ("f32", rows, columns), typ("f32", columns, rows))
	s.store("y", "out")
	return s.finish()
}
