package tiles

import (
	"fmt"
	"strings"
)

// A Buffer is what a parameter points to.
type Buffer struct {
	Elem        string
	Count       int
	Least, Most int // integers that it is to hold; none: any
}

// A Kernel is a module with the entry @k, whose parameters are buffers. One tile block covers them.
type Kernel struct {
	Name    string
	Text    string
	Buffers []Buffer
}

// A source is a kernel while it is written.
type source struct {
	body    strings.Builder
	kernel  Kernel
	params  []string
	views   map[string]view
	ordered bool // each access comes after the one before
	tokens  int
}

type view struct {
	typ, tile string
	rank      int
}

func begin(name string, shape ...int) *source {
	s := &source{views: make(map[string]view)}
	s.kernel.Name = name + " " + strings.TrimSuffix(dims(shape), "x")
	s.line("%%t0 = make_token : token")
	s.line("%%zero = constant <i32: 0> : tile<i32>")
	return s
}

func (s *source) line(format string, args ...any) { fmt.Fprintf(&s.body, "  "+format+"\n", args...) }

func dims(shape []int) string {
	out := ""
	for _, n := range shape {
		out += fmt.Sprintf("%dx", n)
	}
	return out
}

func typ(elem string, shape ...int) string { return "tile<" + dims(shape) + elem + ">" }

func count(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// buffer adds a parameter.
func (s *source) buffer(name, elem string, n int) {
	s.kernel.Buffers = append(s.kernel.Buffers, Buffer{Elem: elem, Count: n})
	s.params = append(s.params, fmt.Sprintf("%%%s: tile<ptr<%s>>", name, elem))
	s.line("%%%[1]s_p = assume div_by<16>, %%%[1]s : tile<ptr<%[2]s>>", name, elem)
}

// view names a view of a buffer, as a tensor of extents in rows of so many elements, cut into tiles of a shape.
func (s *source) view(name, buffer, elem string, extents, shape []int) {
	strides := make([]string, len(shape))
	inner := 1
	for i := len(shape) - 1; i >= 0; i-- {
		strides[i] = fmt.Sprint(inner)
		inner *= shape[i]
	}
	var sizes []string
	for _, n := range extents {
		sizes = append(sizes, fmt.Sprint(n))
	}
	t := fmt.Sprintf("tensor_view<%s%s, strides=[%s]>", dims(extents), elem, strings.Join(strides, ","))
	s.line("%%%s_v = make_tensor_view %%%s_p, shape = [%s], strides = [%s] : %s", name, buffer, strings.Join(sizes, ", "), strings.Join(strides, ", "), t)
	p := fmt.Sprintf("partition_view<tile=(%s), padding_value = zero, %s>", strings.TrimSuffix(dims(shape), "x"), t)
	s.line("%%%[1]s_w = make_partition_view %%%[1]s_v : %[2]s", name, p)
	s.views[name] = view{p, typ(elem, shape...), len(shape)}
}

func (s *source) token() (before, after int) {
	if s.ordered {
		before = s.tokens
	}
	s.tokens++
	return before, s.tokens
}

func (v view) index() (values, types string) {
	return strings.TrimSuffix(strings.Repeat("%zero, ", v.rank), ", "), "tile<i32>"
}

// load loads the tile of a view.
func (s *source) load(value, name string) {
	v := s.views[name]
	before, after := s.token()
	at, index := v.index()
	s.line("%%%s, %%t%d = load_view_tko weak %%%s_w[%s] token = %%t%d : %s, %s -> %s, token", value, after, name, at, before, v.typ, index, v.tile)
}

// store stores a tile.
func (s *source) store(value, name string) {
	v := s.views[name]
	before, after := s.token()
	at, index := v.index()
	s.line("%%t%d = store_view_tko weak %%%s, %%%s_w[%s] token = %%t%d : %s, %s, %s -> token", after, value, name, at, before, v.tile, v.typ, index)
}

// pointers makes the pointers to the elements of a buffer with constant strides, and a mask of those whose number
// along each dimension is below a limit.
func (s *source) pointers(name, buffer, elem string, strides, limits, shape []int) {
	t, pt, mt := typ("i32", shape...), typ("ptr<"+elem+">", shape...), typ("i1", shape...)
	line := make([]int, len(shape))
	for d := range line {
		line[d] = 1
	}
	s.line("%%%s_b = reshape %%%s_p : tile<ptr<%s>> -> %s", name, buffer, elem, typ("ptr<"+elem+">", line...))
	s.line("%%%[1]s_q0 = broadcast %%%[1]s_b : %[2]s -> %[3]s", name, typ("ptr<"+elem+">", line...), pt)
	s.constant(name+"_m0", "i1", "true", shape...)
	for d, n := range shape {
		at := fmt.Sprintf("%s_%d", name, d)
		line[d] = n
		s.line("%%%s_i = iota : %s", at, typ("i32", n))
		s.spread(at+"_j", at+"_i", "i32", []int{n}, line, shape)
		line[d] = 1
		s.constant(at+"_k", "i32", fmt.Sprint(strides[d]), shape...)
		s.op(at+"_o", "muli", t, at+"_j", at+"_k")
		s.line("%%%[1]s_q%[2]d = offset %%%[1]s_q%[3]d, %%%[4]s_o : %[5]s, %[6]s -> %[5]s", name, d+1, d, at, pt, t)
		s.constant(at+"_n", "i32", fmt.Sprint(limits[d]), shape...)
		s.line("%%%[1]s_in = cmpi less_than %%%[1]s_j, %%%[1]s_n, signed : %[2]s -> %[3]s", at, t, mt)
		s.op(fmt.Sprintf("%s_m%d", name, d+1), "andi", mt, fmt.Sprintf("%s_m%d", name, d), at+"_in")
	}
}

// loadThrough loads through pointers, with zero in the place of masked elements.
func (s *source) loadThrough(value, name, elem, zero string, shape []int) {
	before, after := s.token()
	rank, pt, mt, t := len(shape), typ("ptr<"+elem+">", shape...), typ("i1", shape...), typ(elem, shape...)
	s.constant(value+"_z", elem, zero, shape...)
	s.line("%%%[1]s, %%t%[2]d = load_ptr_tko weak %%%[3]s_q%[4]d, %%%[3]s_m%[4]d, %%%[1]s_z token = %%t%[5]d : %[6]s, %[7]s, %[8]s -> %[8]s, token", value, after, name, rank, before, pt, mt, t)
}

// storeThrough stores through pointers.
func (s *source) storeThrough(value, name, elem string, shape []int) {
	before, after := s.token()
	rank := len(shape)
	s.line("%%t%[1]d = store_ptr_tko weak %%%[2]s_q%[3]d, %%%[4]s, %%%[2]s_m%[3]d token = %%t%[5]d : %[6]s, %[7]s, %[8]s -> token", after, name, rank, value, before,
		typ("ptr<"+elem+">", shape...), typ(elem, shape...), typ("i1", shape...))
}

// op writes an operation all of whose values are of one type.
func (s *source) op(result, name, t string, operands ...string) {
	s.line("%%%s = %s %%%s : %s", result, name, strings.Join(operands, ", %"), t)
}

// constant makes a tile of equal elements.
func (s *source) constant(result, elem, value string, shape ...int) {
	s.line("%%%s = constant <%s: %s> : %s", result, elem, value, typ(elem, shape...))
}

// spread reshapes a tile and repeats it.
func (s *source) spread(result, value, elem string, from, line, shape []int) {
	s.line("%%%s_r = reshape %%%s : %s -> %s", result, value, typ(elem, from...), typ(elem, line...))
	s.line("%%%[1]s = broadcast %%%[1]s_r : %[2]s -> %[3]s", result, typ(elem, line...), typ(elem, shape...))
}

// signs is what operations say of their integers.
var signs = map[string]string{"mini": " signed", "maxi": " signed"}

// reduce combines along a dimension.
func (s *source) reduce(result, value, op, elem, identity string, dim int, shape ...int) {
	to := append(append([]int(nil), shape[:dim]...), shape[dim+1:]...)
	s.line("%%%s = reduce %%%s dim=%d identities=[%s : %s] : %s -> %s (%%%[1]s_a: tile<%[5]s>, %%%[1]s_e: tile<%[5]s>) {", result, value, dim, identity, elem,
		typ(elem, shape...), typ(elem, to...))
	s.line("  %%%[1]s_s = %[2]s %%%[1]s_a, %%%[1]s_e%[4]s : tile<%[3]s>", result, op, elem, signs[op])
	s.line("  yield %%%s_s : tile<%s>", result, elem)
	s.line("}")
}

// scan combines up to each element along a dimension.
func (s *source) scan(result, value, op, elem, identity string, dim int, reverse bool, shape ...int) {
	s.line("%%%s = scan %%%s dim=%d reverse=%t identities=[%s : %s] : %s -> %s (%%%[1]s_a: tile<%[6]s>, %%%[1]s_e: tile<%[6]s>) {", result, value, dim, reverse, identity, elem,
		typ(elem, shape...), typ(elem, shape...))
	s.line("  %%%[1]s_s = %[2]s %%%[1]s_a, %%%[1]s_e : tile<%[3]s>", result, op, elem)
	s.line("  yield %%%s_s : tile<%s>", result, elem)
	s.line("}")
}

func (s *source) finish() Kernel {
	s.kernel.Text = "cuda_tile.module @m {\nentry @k(" + strings.Join(s.params, ", ") + ") {\n" + s.body.String() + "  return\n}\n}\n"
	return s.kernel
}
