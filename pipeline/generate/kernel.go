package generate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/target/launch"
)

// Options say how large kernels are.
type Options struct {
	Statements int // at the top level, about; 0: 10
	Depth      int // of regions; 0: 3
}

// A gen is a kernel in the making.
type gen struct {
	Options
	r    *rand.Rand
	out  strings.Builder // the body, behind what header writes
	next int             // number of the next value
	grid [3]uint32
	*scope

	shapes []shape
	elems  []*elem       // the types that this kernel prefers
	places map[*elem]int // elements of the outputs in use, for each tile block
	inputs map[*elem]bool
	counts bool // whether atomics are in use
	budget int  // statements that may still be written
}

// A scope is what can be used and done at a point of a kernel.
type scope struct {
	depth  int
	values []value
	token  string // that orders all accesses of outputs so far
	loop   *loop  // the innermost one around; nil outside of loops
}

const (
	inputSize  = 2048    // elements of an input
	counterLog = 4       // bits of an index into the part of the counters for one kind of atomics
	paramMax   = 5       // the integer parameters are 0 to paramMax
	outputFill = 7       // what outputs hold before the launch
	maxTile    = 1 << 10 // elements of a tile
)

// Entry is the name of the entry of every kernel.
const Entry = "k"

// Kernel returns the text of a module and a launch of its entry.
func Kernel(seed uint64, opts Options) ([]byte, *launch.Request) {
	if opts.Statements == 0 {
		opts.Statements = 10
	}
	if opts.Depth == 0 {
		opts.Depth = 3
	}
	g := &gen{Options: opts, r: rand.New(rand.NewPCG(seed, 0x7469_6c65)), places: make(map[*elem]int), inputs: make(map[*elem]bool), scope: &scope{token: "%start"}}
	g.grid = [3]uint32{uint32(1 + g.r.IntN(3)), uint32(1 + g.r.IntN(2)), 1}
	g.budget = 6 * opts.Statements
	g.chooseTypes()
	for _, n := range []string{"%n0", "%n1", "%x", "%y", "%linear"} {
		g.values = append(g.values, value{n, scalar(i32), true})
	}
	g.statements(opts.Statements)
	for range 2 {
		g.store()
	}
	return g.text(), g.request()
}

// chooseTypes chooses the types that the kernel is about, so that values meet others of the same type.
func (g *gen) chooseTypes() {
	g.elems = append(g.elems, i32)
	for range 2 + g.r.IntN(2) {
		g.elems = append(g.elems, pick(g, stored))
	}
	n := 2 + g.r.IntN(8)
	g.shapes = []shape{nil, {1 << n}}
	for range 1 + g.r.IntN(2) {
		a := g.r.IntN(n + 1)
		g.shapes = append(g.shapes, shape{1 << a, 1 << (n - a)})
	}
	if g.r.IntN(2) == 0 {
		a := g.r.IntN(n)
		b := g.r.IntN(n - a)
		g.shapes = append(g.shapes, shape{1 << a, 1 << b, 1 << (n - a - b)})
	}
}

// text puts the parts of the module together.
func (g *gen) text() []byte {
	var b strings.Builder
	params := append(g.params(), "%n0: tile<i32>", "%n1: tile<i32>")
	fmt.Fprintf(&b, "cuda_tile.module @m {\nentry @%s(%s) {\n", Entry, strings.Join(params, ", "))
	b.WriteString("%x, %y, %z = get_tile_block_id : tile<i32>\n%nx, %ny, %nz = get_num_tile_blocks : tile<i32>\n")
	b.WriteString("%row = muli %y, %nx : tile<i32>\n%linear = addi %row, %x : tile<i32>\n%start = make_token : token\n")
	for _, e := range stored {
		if n := g.places[e]; n > 0 {
			fmt.Fprintf(&b, "%%part_%s = constant <i32: %d> : tile<i32>\n%%base_%s = muli %%linear, %%part_%s : tile<i32>\n", e.name, n, e.name, e.name)
			fmt.Fprintf(&b, "%%mine_%s = offset %%out_%s, %%base_%s : tile<ptr<%s>>, tile<i32> -> tile<ptr<%s>>\n", e.name, e.name, e.name, e.name, e.name)
		}
	}
	b.WriteString(g.out.String())
	b.WriteString("return\n}\n}\n")
	return []byte(b.String())
}

// params lists the parameters that are buffers.
func (g *gen) params() (out []string) {
	for _, e := range stored {
		if g.inputs[e] {
			out = append(out, fmt.Sprintf("%%in_%s: tile<ptr<%s>>", e.name, e.name))
		}
		if g.places[e] > 0 {
			out = append(out, fmt.Sprintf("%%out_%s: tile<ptr<%s>>", e.name, e.name))
		}
	}
	if g.counts {
		out = append(out, "%counts: tile<ptr<i32>>")
	}
	return out
}

// request makes the launch, in the order of the parameters.
func (g *gen) request() *launch.Request {
	req := &launch.Request{Entry: Entry, Grid: g.grid}
	buffer := func(d launch.DType, n int) *launch.Buffer {
		b := &launch.Buffer{DType: d, Shape: []int{n}, Data: make([]byte, n*d.Size())}
		req.Args = append(req.Args, launch.Arg{Buffer: b})
		return b
	}
	blocks := int(g.grid[0] * g.grid[1] * g.grid[2])
	for _, e := range stored {
		if g.inputs[e] {
			b := buffer(e.dtype, inputSize)
			for i := range inputSize {
				e.dtype.Store(b.Data, i, g.element(e))
			}
		}
		if n := g.places[e]; n > 0 {
			b := buffer(e.dtype, n*blocks)
			fill, _ := e.dtype.ParseValue(fmt.Sprint(outputFill))
			for i := range n * blocks {
				e.dtype.Store(b.Data, i, fill)
			}
		}
	}
	if g.counts {
		buffer(launch.I32, len(atomics)<<counterLog)
	}
	for range 2 {
		req.Args = append(req.Args, launch.Arg{Scalar: launch.Scalar{DType: launch.I32, Bits: uint64(g.r.IntN(paramMax + 1))}})
	}
	return req
}

// element returns the pattern of an element of an input: an ordinary number more often than an edge.
func (g *gen) element(e *elem) uint64 {
	mask := uint64(1)<<e.width - 1
	if !e.float {
		switch g.r.IntN(4) {
		case 0:
			return g.r.Uint64() & mask
		case 1:
			return uint64(pick(g, []int64{0, 1, -1, e.min(), e.max()})) & mask
		}
		return uint64(g.r.IntN(64)-32) & mask
	}
	format, _ := e.dtype.Format()
	switch g.r.IntN(8) {
	case 0: // any but NaN
		for {
			if v := g.r.Uint64() & mask; !format.IsNaN(v) {
				return v
			}
		}
	case 1:
		v, _ := e.dtype.ParseValue(pick(g, []string{"inf", "-inf", "0", "-0"}))
		return v
	case 2: // subnormal
		return g.r.Uint64N(8) | uint64(g.r.IntN(2))<<(e.width-1)
	}
	v, _ := e.dtype.ParseValue(fmt.Sprint(float64(g.r.IntN(257)-128) / 8))
	return v
}

// name returns a name for a value.
func (g *gen) name() string {
	g.next++
	return fmt.Sprintf("%%v%d", g.next)
}

func (g *gen) line(format string, args ...any) { fmt.Fprintf(&g.out, format+"\n", args...) }

// def writes an operation with one result, which is then in scope.
func (g *gen) def(t typ, clean bool, format string, args ...any) value {
	v := value{g.name(), t, clean || !t.elem.float}
	g.line("%s = %s", v.name, fmt.Sprintf(format, args...))
	g.values = append(g.values, v)
	return v
}

// pick chooses an element of a list.
func pick[T any](g *gen, list []T) T { return list[g.r.IntN(len(list))] }

// chance is true once in n times.
func (g *gen) chance(n int) bool { return g.r.IntN(n) == 0 }

// some returns a type that the kernel prefers.
func (g *gen) some() typ { return typ{pick(g, g.shapes), pick(g, g.elems)} }

// any returns a value in scope that the condition holds for, most likely a new one, or false.
func (g *gen) any(ok func(value) bool) (value, bool) {
	var found []value
	for _, v := range slices.Backward(g.values) {
		if ok(v) {
			if found = append(found, v); len(found) == 12 {
				break
			}
		}
	}
	if len(found) == 0 {
		return value{}, false
	}
	return found[min(g.r.IntN(len(found)), g.r.IntN(len(found)))], true
}

// value returns a value of a type, which is made if there is none, and sometimes if there is.
func (g *gen) value(t typ) value {
	if !g.chance(6) {
		if v, ok := g.any(func(v value) bool { return v.is(t) }); ok {
			return v
		}
	}
	return g.make(t)
}
