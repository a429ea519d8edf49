package generate

import (
	"fmt"
	"strconv"
	"strings"
)

// address makes pointers into a buffer.
func (g *gen) address(base string, e *elem, index value) (name string, t typ) {
	t = index.of(e)
	p := base
	if len(t.shape) > 0 {
		ones := typ{make(shape, len(t.shape)), e}
		for i := range ones.shape {
			ones.shape[i] = 1
		}
		p = g.name()
		g.line("%s = reshape %s : %s -> %s", p, base, scalar(e).ptr(), ones.ptr())
		if t.shape.size() > 1 {
			q := g.name()
			g.line("%s = broadcast %s : %s -> %s", q, p, ones.ptr(), t.ptr())
			p = q
		}
	}
	name = g.name()
	g.line("%s = offset %s, %s : %s, %s -> %s", name, p, index.name, t.ptr(), index.typ, t.ptr())
	return name, t
}

// loadPtr reads elements of an input from anywhere, some of them perhaps masked off.
func (g *gen) loadPtr(t typ) value {
	e := t.elem
	if e == i1 {
		return g.constant(t)
	}
	g.inputs[e] = true
	var index value
	it := t.of(pick(g, []*elem{i32, i32, i64}))
	if len(t.shape) == 0 || g.chance(2) {
		index = g.masked(g.indexSource(it), inputSize-1)
	} else {
		index = g.count(it)
	}
	p, _ := g.address("%in_"+e.name, e, index)
	v := value{g.name(), t, true}
	mask, types := "", fmt.Sprintf("%s -> %s, token", t.ptr(), t)
	if g.chance(2) {
		m, other := g.truthOf(t.shape), g.constant(t)
		mask = fmt.Sprintf(", %s, %s", m.name, other.name)
		types = fmt.Sprintf("%s, %s, %s -> %s, token", t.ptr(), m.typ, t, t)
	}
	g.line("%s, %s = load_ptr_tko weak %s%s%s : %s", v.name, g.name(), p, mask, g.maybeToken("token="), types)
	g.values = append(g.values, v)
	return v
}

// indexSource is an integer tile that may become an index. It does not load, so that making one ends.
func (g *gen) indexSource(t typ) value {
	if v, ok := g.any(func(v value) bool { return v.is(t) }); ok {
		return v
	}
	if len(t.shape) == 0 {
		return g.constant(t)
	}
	return g.count(t)
}

// truthOf makes a mask without loading.
func (g *gen) truthOf(s shape) value {
	t := typ{s, i1}
	if v, ok := g.any(func(v value) bool { return v.is(t) }); ok && g.chance(2) {
		return v
	}
	if len(s) == 0 {
		return g.constant(t)
	}
	c := typ{s, i32}
	limit := g.splat(g.number(scalar(i32), int64(g.r.IntN(s.size()+1))), s)
	return g.def(t, true, "cmpi less_than %s, %s, signed : %s -> %s", g.count(c).name, limit.name, c, t)
}

func (g *gen) maybeToken(clause string) string {
	if g.chance(2) {
		return " " + clause + g.token
	}
	return ""
}

// A tensor is a tensor view, and the coordinates of a tile in it.
type tensor struct {
	view     string // a value
	viewType string
	tile     shape
	at       []value
	size     int // elements it spans
	ragged   bool
}

// tensorOf cuts a tensor at a pointer into tiles of a shape, in a number that fits the limit, and chooses one.
func (g *gen) tensorOf(base string, e *elem, tile shape, limit int, padding bool) *tensor {
	dims, tiles := make(shape, len(tile)), make([]int, len(tile))
	left := limit / tile.size()
	x := &tensor{tile: tile}
	for i := range dims {
		tiles[i] = 1
		if left >= 2 && g.chance(2) {
			tiles[i], left = 2, left/2
		}
		dims[i] = tiles[i] * tile[i]
		if tile[i] > 1 && g.chance(3) {
			dims[i] -= g.r.IntN(tile[i])
			x.ragged = true
		}
	}
	// strides of the dense tensor, some of which are only known when the kernel runs
	strides := make([]int, len(dims))
	x.size = 1
	for i := len(dims) - 1; i >= 0; i-- {
		strides[i], x.size = x.size, x.size*dims[i]
	}
	var dynamic bool
	operand := func(n int, last bool) (text, static string) {
		if !last && g.chance(3) {
			dynamic = true
			return g.number(scalar(i32), int64(n)).name, "?"
		}
		return fmt.Sprint(n), fmt.Sprint(n)
	}
	var shapeOps, shapeTypes, strideOps, strideTypes []string
	for i := range dims {
		o, s := operand(dims[i], false)
		shapeOps, shapeTypes = append(shapeOps, o), append(shapeTypes, s)
		o, s = operand(strides[i], i == len(dims)-1)
		strideOps, strideTypes = append(strideOps, o), append(strideTypes, s)
	}
	index := ""
	if dynamic {
		index = "tile<i32> -> "
	}
	tt := fmt.Sprintf("tensor_view<%sx%s, strides=[%s]>", strings.Join(shapeTypes, "x"), e.name, strings.Join(strideTypes, ","))
	tv := g.name()
	g.line("%s = make_tensor_view %s, shape = [%s], strides = [%s] : %s%s", tv, base, strings.Join(shapeOps, ", "), strings.Join(strideOps, ", "), index, tt)
	pad := ""
	if padding && (x.ragged || g.chance(2)) {
		values := []string{"zero"}
		if e.float {
			values = append(values, "neg_zero", "neg_inf", "pos_inf")
		}
		pad = "padding_value = " + pick(g, values) + ", "
	}
	kind := "partition"
	if padding && g.chance(4) {
		// The tiles of a strided view may overlap, or leave gaps; here they lie no further out than those of a partition.
		kind = "strided"
		steps := spell(tile, func(d int) string { return strconv.Itoa(1 + g.r.IntN(d)) })
		x.viewType = fmt.Sprintf("strided_view<tile=(%s), traversal_strides=[%s], %s%s>", tile, strings.Join(steps, ","), pad, tt)
	} else {
		x.viewType = fmt.Sprintf("partition_view<tile=(%s), %s%s>", tile, pad, tt)
	}
	x.view = g.name()
	g.line("%s = make_%s_view %s : %s", x.view, kind, tv, x.viewType)
	if g.chance(6) {
		n := g.name()
		g.line("%s:%d = get_index_space_shape %s : %s -> tile<i32>", n, len(dims), x.view, x.viewType)
		for i := range dims {
			g.values = append(g.values, value{fmt.Sprintf("%s#%d", n, i), scalar(i32), true})
		}
	}
	for i := range dims {
		if tiles[i] == 2 && g.chance(2) {
			x.at = append(x.at, g.masked(g.indexSource(scalar(i32)), 1))
		} else {
			x.at = append(x.at, g.number(scalar(i32), int64(g.r.IntN(tiles[i]))))
		}
	}
	return x
}

// loadView reads a tile of a view of an input.
func (g *gen) loadView(t typ) value {
	e := t.elem
	if e == i1 || len(t.shape) == 0 {
		return g.loadPtr(t)
	}
	g.inputs[e] = true
	if len(t.shape) == 2 && g.chance(4) {
		return g.gather(t)
	}
	x := g.tensorOf("%in_"+e.name, e, t.shape, inputSize, true)
	v := value{g.name(), t, true}
	g.line("%s, %s = load_view_tko weak %s[%s]%s : %s, tile<i32> -> %s, token", v.name, g.name(), x.view, names(x.at), g.maybeToken("token = "), x.viewType, t)
	g.values = append(g.values, v)
	return v
}

// gather reads rows of an input, in any order, some perhaps from outside of it.
func (g *gen) gather(t typ) value {
	rows, columns := inputSize/t.shape[1], t.shape[1]
	rows -= g.r.IntN(rows)
	tt := fmt.Sprintf("tensor_view<%dx%dx%s, strides=[%d,1]>", rows, columns, t.elem.name, columns)
	view := fmt.Sprintf("gather_scatter_view<tile=(%s), padding_value = zero, %s, sparse_dim=0>", t.shape, tt)
	index := g.masked(g.indexSource(typ{t.shape[:1], i32}), int64(1<<log2(inputSize/columns)-1))
	tv, gv, v := g.name(), g.name(), value{g.name(), t, true}
	g.line("%s = make_tensor_view %%in_%s, shape = [%d, %d], strides = [%d, 1] : %s", tv, t.elem.name, rows, columns, columns, tt)
	g.line("%s = make_gather_scatter_view %s : %s", gv, tv, view)
	g.line("%s, %s = load_view_tko weak %s[%s, %s]%s : %s, %s, tile<i32> -> %s, token", v.name, g.name(), gv, index.name, g.number(scalar(i32), 0).name,
		g.maybeToken("token = "), view, index.typ, t)
	g.values = append(g.values, v)
	return v
}

// store writes a value to a place of its own, and sometimes reads it back.
func (g *gen) store() {
	v, ok := g.any(func(v value) bool { return v.elem != tf32 })
	if !ok {
		return
	}
	if v.elem == i1 {
		v = g.convertTo(v, pick(g, integers))
	}
	e, place := v.elem, g.places[v.elem]
	base := "%mine_" + e.name
	if place > 0 {
		base = g.name()
		g.line("%s = offset %%mine_%s, %s : %s, tile<i32> -> %s", base, e.name, g.number(scalar(i32), int64(place)).name, scalar(e).ptr(), scalar(e).ptr())
	}
	if len(v.shape) > 0 && g.chance(2) {
		x := g.tensorOf(base, e, v.shape, 2*v.shape.size(), false)
		g.places[e] += x.size
		before, after := g.advance()
		g.line("%s = store_view_tko weak %s, %s[%s] token = %s : %s, %s, tile<i32> -> token", after, v.name, x.view, names(x.at), before, v.typ, x.viewType)
		return
	}
	g.places[e] += v.shape.size()
	index := g.shuffled(v.of(i32))
	p, t := g.address(base, e, index)
	mask, types := "", fmt.Sprintf("%s, %s -> token", t.ptr(), t)
	if g.chance(3) {
		m := g.value(t.of(i1))
		mask, types = ", "+m.name, fmt.Sprintf("%s, %s, %s -> token", t.ptr(), t, m.typ)
	}
	before, after := g.advance()
	g.line("%s = store_ptr_tko weak %s, %s%s token=%s : %s", after, p, v.name, mask, before, types)
	if g.chance(4) {
		r := value{g.name(), t, !t.elem.float}
		before, after := g.advance()
		g.line("%s, %s = load_ptr_tko weak %s token=%s : %s -> %s, token", r.name, after, p, before, t.ptr(), t)
		g.values = append(g.values, r)
	}
}

// shuffled numbers elements in some order.
func (g *gen) shuffled(t typ) value {
	if len(t.shape) == 0 {
		return g.number(t, 0)
	}
	v := g.count(t)
	if n := t.shape.size(); n > 1 && g.chance(2) {
		v = g.binary("xori", v, g.number(t, int64(g.r.IntN(n))), true, "")
	}
	return v
}

// atomics are the kinds of atomics on the counters. Each has a part of its own, where the order does not matter.
var atomics = []string{"add", "xor", "or", "and", "max", "min", "umax", "umin"}

// atomic changes counters that the elements of a tile choose.
func (g *gen) atomic() {
	g.counts = true
	t := typ{pick(g, g.shapes), i32}
	kind := g.r.IntN(len(atomics))
	v := g.value(t)
	index := g.masked(g.value(t), 1<<counterLog-1)
	index = g.binary("addi", index, g.number(t, int64(kind)<<counterLog), true, "")
	p, _ := g.address("%counts", i32, index)
	mask, types := "", fmt.Sprintf("%s, %s -> %s, token", t.ptr(), t, t)
	if g.chance(2) {
		m := g.value(t.of(i1))
		mask, types = ", "+m.name, fmt.Sprintf("%s, %s, %s -> %s, token", t.ptr(), t, m.typ, t)
	}
	before, after := g.advance()
	g.line("%s, %s = atomic_rmw_tko relaxed device %s, %s, %s%s token=%s : %s", g.name(), after, p, atomics[kind], v.name, mask, before, types)
}
