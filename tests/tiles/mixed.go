package tiles

import "fmt"

// LayerNorm subtracts the mean of each row, divides by the deviation, and multiplies by weights of columns.
func LayerNorm(rows, columns int) Kernel {
	shape := []int{rows, columns}
	s := begin("layer norm", shape...)
	s.in2(shape, "f32")
	s.buffer("c", "f32", columns)
	s.view("weights", "c", "f32", []int{columns}, []int{columns})
	t := typ("f32", shape...)
	s.load("x", "in")
	s.load("w", "weights")
	s.constant("n", "f32", "128.0", rows)
	s.reduce("sum", "x", "addf", "f32", "0.0", 1, shape...)
	s.op("mean", "divf", typ("f32", rows), "sum", "n")
	s.spread("mm", "mean", "f32", []int{rows}, []int{rows, 1}, shape)
	s.op("d", "subf", t, "x", "mm")
	s.op("dd", "mulf", t, "d", "d")
	s.reduce("var", "dd", "addf", "f32", "0.0", 1, shape...)
	s.spread("vv", "var", "f32", []int{rows}, []int{rows, 1}, shape)
	s.op("root", "sqrt", t, "vv")
	s.op("q", "divf", t, "d", "root")
	s.spread("ww", "w", "f32", []int{columns}, []int{1, columns}, shape)
	s.op("y", "mulf", t, "q", "ww")
	s.store("y", "out")
	return s.finish()
}

// Centred subtracts from each element the sums of its row and of its column, so that no dimension is free of
// reductions.
func Centred(rows, columns int) Kernel {
	shape := []int{rows, columns}
	s := begin("rows and columns", shape...)
	s.in2(shape, "i32")
	t := typ("i32", shape...)
	s.load("x", "in")
	s.reduce("r", "x", "addi", "i32", "0", 1, shape...)
	s.reduce("c", "x", "addi", "i32", "0", 0, shape...)
	s.spread("rr", "r", "i32", []int{rows}, []int{rows, 1}, shape)
	s.spread("cc", "c", "i32", []int{columns}, []int{1, columns}, shape)
	s.op("y", "subi", t, "x", "rr")
	s.op("z", "subi", t, "y", "cc")
	s.store("z", "out")
	return s.finish()
}

// InPlace changes a tile where it is, and then again.
func InPlace(shape ...int) Kernel {
	s := begin("in place", shape...)
	s.ordered = true
	s.buffer("a", "i32", count(shape))
	s.view("in", "a", "i32", ragged(shape), shape)
	t := typ("i32", shape...)
	s.load("x", "in")
	s.op("y", "addi", t, "x", "x")
	s.store("y", "in")
	s.load("z", "in")
	s.op("w", "muli", t, "z", "z")
	s.store("w", "in")
	return s.finish()
}

// Shifted stores the sums of each element and the next one where the second of them was: no part may be stored before
// later ones are loaded.
func Shifted(n int) Kernel {
	s := begin("shifted", n)
	s.ordered = true
	s.buffer("a", "i32", n+16)
	s.view("in", "a", "i32", []int{n}, []int{n})
	t := typ("i32", n)
	s.line("%%i = iota : %s", t)
	s.line("%%r = reshape %%a_p : tile<ptr<i32>> -> tile<1xptr<i32>>")
	s.line("%%b = broadcast %%r : tile<1xptr<i32>> -> %s", typ("ptr<i32>", n))
	s.constant("one", "i32", "1", n)
	s.op("j", "addi", t, "i", "one")
	s.line("%%p = offset %%b, %%j : %[1]s, %[2]s -> %[1]s", typ("ptr<i32>", n), t)
	s.line("%%y, %%t1 = load_ptr_tko weak %%p token = %%t0 : %s -> %s, token", typ("ptr<i32>", n), t)
	s.tokens = 1
	s.load("x", "in")
	s.op("z", "addi", t, "x", "y")
	s.line("%%t3 = store_ptr_tko weak %%p, %%z token = %%t2 : %s, %s -> token", typ("ptr<i32>", n), t)
	return s.finish()
}

// Onwards stores what it loads through one parameter through the other, one element further, and adds to it. Whether
// the two are the same memory is for the caller to say.
func Onwards(n int) Kernel {
	s := begin("onwards", n)
	s.ordered = true
	s.buffer("a", "i32", n+16)
	s.view("in", "a", "i32", []int{n}, []int{n})
	s.buffer("b", "i32", n+16)
	s.line("%%one = constant <i32: 1> : tile<i32>")
	s.line("%%next_p = offset %%b, %%one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>")
	s.view("out", "next", "i32", []int{n}, []int{n})
	t := typ("i32", n)
	s.load("x", "in")
	s.constant("ones", "i32", "1", n)
	s.op("y", "addi", t, "x", "ones")
	s.store("y", "out")
	return s.finish()
}

// Transposed transposes a square where it is.
func Transposed(n int) Kernel {
	s := begin("transpose in place", n, n)
	s.ordered = true
	s.buffer("a", "i32", n*n)
	s.view("in", "a", "i32", []int{n, n}, []int{n, n})
	s.load("x", "in")
	s.line("%%y = permute %%x [1, 0] : %[1]s -> %[1]s", typ("i32", n, n))
	s.store("y", "in")
	return s.finish()
}

// Least finds the least element of each row, all of which are positive, so that a sum that begins at zero shows.
func Least(rows, columns int) Kernel {
	shape := []int{rows, columns}
	s := begin("least", shape...)
	s.buffer("a", "i32", count(shape))
	s.view("in", "a", "i32", shape, shape)
	s.buffer("b", "i32", rows)
	s.view("out", "b", "i32", []int{rows}, []int{rows})
	t := typ("i32", shape...)
	s.load("x", "in")
	s.constant("one", "i32", "1", shape...)
	s.constant("positive", "i32", "2147483647", shape...)
	s.op("y", "andi", t, "x", "positive")
	s.op("z", "ori", t, "y", "one")
	s.reduce("m", "z", "mini", "i32", "2147483647", 1, shape...)
	s.store("m", "out")
	return s.finish()
}

// Masked loads through pointers under a mask, with something in the place of the rest, and stores likewise: two
// elements of each place.
func Masked(n int) Kernel {
	s := begin("masked", n)
	s.ordered = true
	s.buffer("a", "i32", n)
	t, pt := typ("i32", n), typ("ptr<i32>", n)
	s.line("%%i = iota : %s", t)
	s.line("%%r = reshape %%a_p : tile<ptr<i32>> -> tile<1xptr<i32>>")
	s.line("%%b = broadcast %%r : tile<1xptr<i32>> -> %s", pt)
	s.constant("two", "i32", "2", n)
	s.constant("limit", "i32", "1000", n)
	s.line("%%half = divi %%i, %%two unsigned : %s", t)
	s.line("%%p = offset %%b, %%half : %[1]s, %[2]s -> %[1]s", pt, t)
	s.line("%%m = cmpi greater_than %%i, %%limit, signed : %s -> %s", t, typ("i1", n))
	s.line("%%x, %%t1 = load_ptr_tko weak %%p, %%m, %%two token = %%t0 : %s, %s, %s -> %s, token", pt, typ("i1", n), t, t)
	s.op("y", "addi", t, "x", "two")
	s.line("%%t2 = store_ptr_tko weak %%p, %%y, %%m token = %%t1 : %s, %s, %s -> token", pt, t, typ("i1", n))
	return s.finish()
}

// Reshaped reduces a tile of one dimension as a matrix, and stores it with the sums.
func Reshaped(rows, columns int) Kernel {
	n := rows * columns
	s := begin("reshaped", rows, columns)
	s.in2([]int{n}, "i32")
	s.load("x", "in")
	s.line("%%y = reshape %%x : %s -> %s", typ("i32", n), typ("i32", rows, columns))
	s.reduce("r", "y", "addi", "i32", "0", 1, rows, columns)
	s.spread("rr", "r", "i32", []int{rows}, []int{rows, 1}, []int{rows, columns})
	s.op("z", "subi", typ("i32", rows, columns), "y", "rr")
	s.line("%%w = reshape %%z : %s -> %s", typ("i32", rows, columns), typ("i32", n))
	s.store("w", "out")
	return s.finish()
}

// Accumulated sums rows in a loop of the program that carries the sum, with the number of the iteration, and what of
// a row is beyond it.
func Accumulated(trips, columns int) Kernel {
	s := begin(fmt.Sprintf("carried through %d iterations,", trips), columns)
	s.buffer("a", "i32", max(1, trips)*columns)
	s.view("in", "a", "i32", []int{max(1, trips), columns - 3}, []int{1, columns})
	s.buffer("b", "i32", columns)
	s.view("out", "b", "i32", []int{columns}, []int{columns})
	t := typ("i32", columns)
	s.line("%%trips = constant <i32: %d> : tile<i32>", trips)
	s.line("%%step = constant <i32: 1> : tile<i32>")
	s.line("%%j = iota : %s", t)
	s.constant("init", "i32", "5", columns)
	v := s.views["in"]
	s.line("%%sum = for %%k in (%%zero to %%trips, step %%step) : tile<i32> iter_values(%%acc = %%init) -> (%s) {", t)
	s.line("%%row, %%ta = load_view_tko weak %%in_w[%%k, %%zero] token = %%t0 : %s, tile<i32> -> %s, token", v.typ, v.tile)
	s.line("%%x = reshape %%row : %s -> %s", v.tile, t)
	s.line("%%k_r = reshape %%k : tile<i32> -> tile<1xi32>")
	s.line("%%kk = broadcast %%k_r : tile<1xi32> -> %s", t)
	s.op("kj", "muli", t, "kk", "j")
	s.op("y", "addi", t, "x", "kj")
	s.op("next", "addi", t, "acc", "y")
	s.line("continue %%next : %s", t)
	s.line("}")
	s.store("sum", "out")
	return s.finish()
}

// Looped adds tiles in a loop of the program, after a test that may leave the kernel.
func Looped(n int) Kernel {
	s := begin("in a loop", n)
	s.ordered = true
	s.in2([]int{n}, "i32")
	t := typ("i32", n)
	s.line("%%three = constant <i32: 3> : tile<i32>")
	s.line("%%step = constant <i32: 1> : tile<i32>")
	s.line("%%last = for %%k in (%%zero to %%three, step %%step) : tile<i32> iter_values(%%tk = %%t0) -> (token) {")
	s.line("%%kk_r = reshape %%k : tile<i32> -> tile<1xi32>")
	s.line("%%kk = broadcast %%kk_r : tile<1xi32> -> %s", t)
	v := s.views["in"]
	s.line("%%x, %%ta = load_view_tko weak %%in_w[%%zero] token = %%tk : %s, tile<i32> -> %s, token", v.typ, t)
	s.op("y", "addi", t, "x", "kk")
	s.line("%%tb = store_view_tko weak %%y, %%in_w[%%zero] token = %%ta : %s, %s, tile<i32> -> token", t, v.typ)
	s.line("continue %%tb : token")
	s.line("}")
	s.line("%%never = cmpi equal %%three, %%step, signed : tile<i32> -> tile<i1>")
	s.line("if %%never {")
	s.line("return")
	s.line("}")
	w := s.views["out"]
	s.line("%%z, %%tc = load_view_tko weak %%in_w[%%zero] token = %%last : %s, tile<i32> -> %s, token", v.typ, t)
	s.line("%%td = store_view_tko weak %%z, %%out_w[%%zero] token = %%tc : %s, %s, tile<i32> -> token", t, w.typ)
	return s.finish()
}
