package generate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A tensor is a tensor view, and the coordinates of a tile in it.
type tensor struct {
	view     string // a value
	viewType string
	tile     shape
	at       []value
	index    typ // of each of them
	size     int // elements it spans
	ragged   bool
}

// A use says what a view is made for.
type use int

const (
	forLoad use = iota
	forStore
	forAtomic
)

// tensorOf cuts a tensor at a pointer into tiles of a shape, in a number that fits the limit, and chooses one.
func (g *gen) tensorOf(base func(size int) string, e *elem, tile shape, limit int, u use) *tensor {
	// Dimension i of the tile lies along dimension dimMap[i] of the tensor.
	dimMap := make([]int, len(tile))
	for i := range dimMap {
		dimMap[i] = i
	}
	if g.chance(4) {
		dimMap = g.r.Perm(len(tile))
	}
	dims, tiles := make(shape, len(tile)), make([]int, len(tile))
	left := limit / tile.size()
	x := &tensor{tile: tile}
	for i, d := range dimMap {
		tiles[i] = 1
		if left >= 2 && g.chance(2) {
			tiles[i], left = 2, left/2
		}
		dims[d] = tiles[i] * tile[i]
		if tile[i] > 1 && g.chance(3) {
			dims[d] -= g.r.IntN(tile[i])
			x.ragged = true
		}
	}
	strides := g.strides(dims, limit)
	x.size = 1
	for i := range dims {
		x.size += (dims[i] - 1) * strides[i]
	}
	tv, tt := g.tensorView(base(x.size), e, dims, strides)
	pad := ""
	if u == forLoad && (x.ragged || g.chance(2)) {
		values := []string{"zero"}
		if e.float && !e.moved {
			values = append(values, "neg_zero", "neg_inf", "pos_inf")
		}
		if e != f8e8m0 { // which has no zero
			pad = "padding_value = " + pick(g, values) + ", "
		}
	}
	along := ""
	if !slices.IsSorted(dimMap) {
		along = ", dim_map=[" + strings.Join(spell(dimMap, strconv.Itoa), ", ") + "]"
	}
	kind := "partition"
	if u != forAtomic && g.chance(4) {
		// The tiles of a strided view may overlap, or leave gaps; here they lie no further out than those of a
		// partition.
		kind = "strided"
		steps := spell(tile, func(d int) string { return strconv.Itoa(1 + g.r.IntN(d)) })
		x.viewType = fmt.Sprintf("strided_view<tile=(%s), traversal_strides=[%s], %s%s%s>", tile, strings.Join(steps, ","), pad, tt, along)
	} else {
		x.viewType = fmt.Sprintf("partition_view<tile=(%s), %s%s%s>", tile, pad, tt, along)
	}
	x.view = g.name()
	g.line("%s = make_%s_view %s : %s", x.view, kind, tv, x.viewType)
	if g.chance(6) {
		g.sizes("get_index_space_shape", x.view, x.viewType, len(dims))
	}
	x.index = scalar(pick(g, []*elem{i32, i32, i32, i64, i16, i8}))
	for i := range dims {
		if tiles[i] == 2 && g.chance(2) {
			x.at = append(x.at, g.masked(g.indexSource(x.index), 1))
		} else {
			x.at = append(x.at, g.number(x.index, int64(g.r.IntN(tiles[i]))))
		}
	}
	return x
}

// strides lays a tensor out densely, mostly with the last dimension running fastest; sometimes in another order, and
// with gaps if they fit.
func (g *gen) strides(dims shape, limit int) []int {
	order := make([]int, len(dims))
	for i := range order {
		order[i] = len(dims) - 1 - i
	}
	if g.chance(4) {
		order = g.r.Perm(len(dims))
	}
	out := make([]int, len(dims))
	n := 1
	for _, d := range order {
		if g.chance(6) && (n+1)*dims.size() <= limit {
			n++
		}
		out[d] = n
		n *= dims[d]
		if n > limit { // a gap left no room for the others
			return dense(dims)
		}
	}
	return out
}

func dense(dims shape) []int {
	out := make([]int, len(dims))
	n := 1
	for i := len(dims) - 1; i >= 0; i-- {
		out[i], n = n, n*dims[i]
	}
	return out
}

// tensorView makes a tensor view, some of whose sizes and strides are only known when the kernel runs.
func (g *gen) tensorView(base string, e *elem, dims shape, strides []int) (name, tt string) {
	var dynamic bool
	it := scalar(pick(g, []*elem{i32, i32, i64}))
	operand := func(n int) (text, static string) {
		if n != 1 && g.chance(3) {
			dynamic = true
			return g.unknown(it, n).name, "?"
		}
		return fmt.Sprint(n), fmt.Sprint(n)
	}
	var shapeOps, shapeTypes, strideOps, strideTypes []string
	for i := range dims {
		o, s := operand(dims[i])
		shapeOps, shapeTypes = append(shapeOps, o), append(shapeTypes, s)
		o, s = operand(strides[i])
		strideOps, strideTypes = append(strideOps, o), append(strideTypes, s)
	}
	index := ""
	if dynamic {
		index = it.String() + " -> "
	}
	tt = fmt.Sprintf("tensor_view<%sx%s, strides=[%s]>", strings.Join(shapeTypes, "x"), e.name, strings.Join(strideTypes, ","))
	name = g.name()
	g.line("%s = make_tensor_view %s, shape = [%s], strides = [%s] : %s%s", name, base, strings.Join(shapeOps, ", "), strings.Join(strideOps, ", "), index, tt)
	if g.chance(8) {
		g.sizes("get_tensor_shape", name, tt, len(dims))
	}
	return name, tt
}

// unknown is a number that the compiler knows, or one that it does not because it depends on a parameter.
func (g *gen) unknown(t typ, n int) value {
	i := g.r.IntN(len(g.scalar))
	if g.chance(2) || t.elem != i32 {
		return g.number(t, int64(n))
	}
	return g.binary("addi", value{fmt.Sprintf("%%n%d", i), t, true}, g.number(t, int64(n-g.scalar[i])), true, "")
}

// sizes asks for the sizes of a view.
func (g *gen) sizes(op, view, viewType string, rank int) {
	n, t := g.name(), scalar(pick(g, []*elem{i32, i32, i64, i16}))
	g.line("%s:%d = %s %s : %s -> %s", n, rank, op, view, viewType, t)
	for i := range rank {
		g.values = append(g.values, value{fmt.Sprintf("%s#%d", n, i), t, true})
	}
}

// loadView reads a tile of a view of an input.
func (g *gen) loadView(t typ) value {
	e := t.elem
	if len(t.shape) == 0 {
		return g.loadPtr(t)
	}
	g.inputs[e] = true
	if len(t.shape) == 2 && e != f8e8m0 && g.chance(4) {
		return g.gather(t)
	}
	x := g.tensorOf(func(int) string { return g.aligned("%in_"+e.name, e) }, e, t.shape, int(g.inputSize()), forLoad)
	if x.ragged && e == f8e8m0 { // what lies outside has no value
		return g.loadPtr(t)
	}
	v := value{g.name(), t, true}
	g.line("%s, %s = load_view_tko %s %s[%s]%s : %s, %s -> %s, token", v.name, g.name(), g.order("acquire"), x.view, names(x.at), g.maybeToken("token = "), x.viewType,
		x.index, t)
	g.values = append(g.values, v)
	return v
}

// aligned is a pointer to an input, of which is said, sometimes, what is known of every buffer.
func (g *gen) aligned(p string, e *elem) string {
	if !g.chance(4) {
		return p
	}
	q := g.name()
	g.line("%s = assume div_by<%d>, %s : %s", q, 8<<g.r.IntN(3), p, scalar(e).ptr())
	return q
}

// A sparse is a tensor of two dimensions, the rows or columns of which are chosen one by one.
type sparse struct {
	view, viewType string
	at             [2]value
}

// sparseOf makes a view of a tensor at a pointer, in which a tile has n places along the dimension that is chosen from.
func (g *gen) sparseOf(base string, t typ, dim, n int, pad string, index func(t typ) value) *sparse {
	dims := shape{t.shape[0], t.shape[1]}
	dims[dim] = n
	tv, tt := g.tensorView(base, t.elem, dims, dense(dims))
	x := &sparse{view: g.name(), viewType: fmt.Sprintf("gather_scatter_view<tile=(%s), %s%s, sparse_dim=%d>", t.shape, pad, tt, dim)}
	g.line("%s = make_gather_scatter_view %s : %s", x.view, tv, x.viewType)
	x.at[dim] = index(typ{shape{t.shape[dim]}, i32})
	x.at[1-dim] = g.number(scalar(i32), 0)
	return x
}

func (x *sparse) types() string {
	return fmt.Sprintf("%s, %s, %s", x.viewType, x.at[0].typ, x.at[1].typ)
}

// gather reads rows, or columns, of an input in any order, some perhaps from outside of it.
func (g *gen) gather(t typ) value {
	dim := g.r.IntN(2)
	all := int(g.inputSize()) / t.shape[1-dim]
	x := g.sparseOf("%in_"+t.elem.name, t, dim, all-g.r.IntN(all), "padding_value = zero, ", func(it typ) value {
		return g.masked(g.indexSource(it), int64(all-1))
	})
	v := value{g.name(), t, true}
	g.line("%s, %s = load_view_tko weak %s[%s]%s : %s -> %s, token", v.name, g.name(), x.view, names(x.at[:]), g.maybeToken("token = "), x.types(), t)
	g.values = append(g.values, v)
	return v
}

// scatter writes rows, or columns, to places in some order, some perhaps to nowhere.
func (g *gen) scatter(o buffer, v value) {
	dim := g.r.IntN(2)
	n := v.shape[dim]
	rows := n - g.r.IntN(n)
	x := g.sparseOf(g.place(o, rows*v.shape[1-dim]), v.typ, dim, rows, "", g.shuffled)
	before, after := g.advance()
	g.line("%s = store_view_tko weak %s, %s[%s] token = %s : %s, %s -> token", after, v.name, x.view, names(x.at[:]), before, v.typ, x.types())
}

// storeView writes a tile of a view.
func (g *gen) storeView(o buffer, v value) {
	x := g.tensorOf(func(size int) string { return g.place(o, size) }, v.elem, v.shape, 2*v.shape.size(), forStore)
	before, after := g.advance()
	g.line("%s = store_view_tko %s %s, %s[%s] token = %s : %s, %s, %s -> token", after, g.order("release"), v.name, x.view, names(x.at), before, v.typ, x.viewType, x.index)
}
