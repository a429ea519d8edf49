package generate

import (
	"fmt"
	"slices"
	"strings"
)

// Elements of less than a byte. Buffers hold bytes; views say that two elements of f4E2M1FN lie in each. Tiles of
// these types are converted at once, so that other statements do not meet them.
var (
	i4 = &elem{name: "i4", width: 4}
	f4 = &elem{name: "f4E2M1FN", width: 4, float: true, moved: true, some: []string{"0.0", "-0.0", "0.5", "-1.5", "6.0", "-3.0"}}
)

// narrower writes something with elements of less than a byte.
func (g *gen) narrower() {
	switch g.r.IntN(4) {
	case 0:
		g.loadHalves()
	case 1:
		g.storeHalves()
	default:
		g.packSmaller()
	}
}

// packSmaller takes bytes apart and puts some together.
func (g *gen) packSmaller() {
	e := pick(g, []*elem{i1, i4, f4})
	bytes := typ{shape{8 << g.r.IntN(5)}, i8}
	tile := typ{shape{bytes.shape[0] * 8 / e.width}, e}
	v := value{g.name(), tile, true}
	switch {
	case g.chance(2):
		g.line("%s = unpack %s : %s -> %s", v.name, g.value(bytes).name, bytes, tile)
		g.widened(v)
	case e == i4:
		from := tile.of(pick(g, integers))
		g.line("%s = trunci %s : %s -> %s", v.name, g.value(from).name, from, tile)
	case e == f4:
		v = g.halvesOf(tile)
	default:
		v = g.value(tile)
	}
	g.def(bytes, true, "pack %s : %s -> %s", v.name, tile, bytes)
}

// widened brings a value of a type of less than a byte into the scope as one of another type, after it has moved
// elements perhaps.
func (g *gen) widened(v value) {
	for range g.r.IntN(4) {
		v = g.rearranged(v)
	}
	switch v.elem {
	case i4:
		t := v.of(pick(g, integers))
		g.def(t, true, "exti %s %s : %s -> %s", v.name, g.sign(), v.typ, t)
	case f4:
		t := v.of(pick(g, append([]*elem{f8e4m3, f8e5m2}, floats...)))
		g.def(t, true, "ftof %s : %s -> %s", v.name, v.typ, t)
	default:
		g.values = append(g.values, v)
	}
}

// rearranged is a value with its elements in other places. Their number stays even.
func (g *gen) rearranged(v value) value {
	n := v.shape.size()
	to, text := v.typ, ""
	switch g.r.IntN(5) {
	case 0:
		a := g.r.IntN(log2(n) + 1)
		to.shape = shape{1 << a, n >> a}
		text = fmt.Sprintf("reshape %s : %s -> %s", v.name, v.typ, to)
	case 1:
		if len(v.shape) != 2 {
			return v
		}
		to.shape = shape{v.shape[1], v.shape[0]}
		text = fmt.Sprintf("permute %s [1, 0] : %s -> %s", v.name, v.typ, to)
	case 2:
		if n > maxTile/2 {
			return v
		}
		to.shape = append(shape{2 * v.shape[0]}, v.shape[1:]...)
		text = fmt.Sprintf("cat %s, %s dim = 0 : %s, %s -> %s", v.name, v.name, v.typ, v.typ, to)
	case 3:
		if n == 2 || v.shape[0] == 1 {
			return v
		}
		to.shape = append(shape{v.shape[0] / 2}, v.shape[1:]...)
		at := make([]value, len(to.shape))
		for i := range at {
			at[i] = g.number(scalar(i32), 0)
		}
		at[0] = g.masked(g.indexSource(scalar(i32)), 1)
		text = fmt.Sprintf("extract %s[%s] : %s -> %s", v.name, names(at), v.typ, to)
	default:
		if n > maxTile/4 {
			return v
		}
		row := value{g.name(), v.shaped(1, n), true}
		g.line("%s = reshape %s : %s -> %s", row.name, v.name, v.typ, row.typ)
		to.shape = shape{4, n}
		text = fmt.Sprintf("broadcast %s : %s -> %s", row.name, row.typ, to)
	}
	r := value{g.name(), to, true}
	g.line("%s = %s", r.name, text)
	return r
}

// halvesOf makes a tile of f4E2M1FN.
func (g *gen) halvesOf(t typ) value {
	v := value{g.name(), t, true}
	if g.chance(6) {
		g.line("%s = constant <f4E2M1FN: %s> : %s", v.name, g.literal(f4), t)
		return v
	}
	from := g.value(t.of(pick(g, floats)))
	rounding := ""
	if g.chance(3) {
		rounding = " rounding<zero>"
	}
	g.line("%s = ftof %s%s : %s -> %s", v.name, from.name, rounding, from.typ, t)
	return v
}

// halfShape is that of a tile of an even number of elements.
func (g *gen) halfShape() shape {
	a, b := g.r.IntN(6), g.r.IntN(4)
	switch {
	case a+b == 0:
		return shape{2, 1}
	case b == 0 && g.chance(2):
		return shape{1 << a}
	case g.chance(2):
		return shape{1 << b, 1 << a}
	}
	return shape{1 << a, 1 << b}
}

// halfView makes a view of a tensor of f4E2M1FN at bytes, and chooses a tile.
func (g *gen) halfView(base func(bytes int) string, tile shape, load bool) *tensor {
	x := &tensor{tile: tile, index: scalar(pick(g, []*elem{i32, i64}))}
	dims, strides := make(shape, len(tile)), make([]int, len(tile))
	sparse := -1
	order := g.r.Perm(len(tile))
	tiles := make([]int, len(tile))
	span := 1
	if tile[order[0]] == 1 {
		slices.Reverse(order)
	}
	if len(tile) == 2 && g.chance(3) && tile[order[0]] > 1 {
		sparse = order[1] // the two elements of a byte are neighbours, which those at any coordinates are not
	}
	for k, d := range order {
		tiles[d] = 1 + g.r.IntN(2)
		if sparse >= 0 {
			tiles[d] = 1
		}
		dims[d] = tiles[d] * tile[d]
		if tile[d] > 1 && g.chance(3) {
			dims[d] -= g.r.IntN(tile[d])
		}
		strides[d] = span
		if k == 0 { // packed
			dims[d] += dims[d] & 1
		} else if g.chance(4) {
			strides[d] += 2
		}
		span = strides[d] * dims[d]
	}
	bytes, p := base((span+1)/2), g.name()
	g.line("%s = ptr_to_ptr %s : tile<ptr<i8>> -> tile<ptr<f4E2M1FN>>", p, bytes)
	tv, tt := g.tensorView(p, f4, dims, strides)
	pad := ""
	if load {
		pad = "padding_value = " + pick(g, []string{"zero", "neg_zero"}) + ", "
	}
	kind := "partition"
	x.viewType = fmt.Sprintf("partition_view<tile=(%s), %s%s>", tile, pad, tt)
	switch {
	case sparse >= 0:
		kind, x.viewType = "gather_scatter", fmt.Sprintf("gather_scatter_view<tile=(%s), %s%s, sparse_dim=%d>", tile, pad, tt, sparse)
	case g.chance(3):
		kind = "strided"
		steps := make([]string, len(tile))
		for i, d := range tile {
			steps[i] = fmt.Sprint(1 + g.r.IntN(d))
			if i == order[0] {
				steps[i] = fmt.Sprint(2 * (1 + g.r.IntN(d/2)))
			}
		}
		x.viewType = fmt.Sprintf("strided_view<tile=(%s), traversal_strides=[%s], %s%s>", tile, strings.Join(steps, ","), pad, tt)
	}
	x.view = g.name()
	g.line("%s = make_%s_view %s : %s", x.view, kind, tv, x.viewType)
	for d := range tile {
		switch {
		case d == sparse:
			x.at = append(x.at, g.shuffled(typ{shape{tile[d]}, i32}))
		case sparse >= 0:
			x.at = append(x.at, g.number(scalar(i32), int64(g.r.IntN(dims[d]/2)*2)))
		default:
			x.at = append(x.at, g.number(x.index, int64(g.r.IntN(tiles[d]))))
		}
	}
	return x
}

// indexTypes are the types of the coordinates.
func (x *tensor) indexTypes() string {
	if strings.HasPrefix(x.viewType, "gather") {
		return fmt.Sprintf("%s, %s", x.at[0].typ, x.at[1].typ)
	}
	return x.index.String()
}

func (g *gen) loadHalves() {
	g.inputs[i8] = true
	t := typ{g.halfShape(), f4}
	x := g.halfView(func(int) string { return g.aligned("%in_i8", i8) }, t.shape, true)
	v := value{g.name(), t, true}
	g.line("%s, %s = load_view_tko %s %s[%s]%s : %s, %s -> %s, token", v.name, g.name(), g.order("acquire"), x.view, names(x.at), g.maybeToken("token = "), x.viewType,
		x.indexTypes(), t)
	g.widened(v)
}

// storeHalves writes a tile, and sometimes reads it back.
func (g *gen) storeHalves() {
	v := g.halvesOf(typ{g.halfShape(), f4})
	x := g.halfView(func(bytes int) string { return g.place(buffer{exact, i8}, bytes) }, v.shape, true)
	before, after := g.advance()
	g.line("%s = store_view_tko %s %s, %s[%s] token = %s : %s, %s, %s -> token", after, g.order("release"), v.name, x.view, names(x.at), before, v.typ, x.viewType, x.indexTypes())
	if g.chance(2) {
		r := value{g.name(), v.typ, true}
		before, after := g.advance()
		g.line("%s, %s = load_view_tko weak %s[%s] token = %s : %s, %s -> %s, token", r.name, after, x.view, names(x.at), before, x.viewType, x.indexTypes(), r.typ)
		g.widened(r)
	}
}
