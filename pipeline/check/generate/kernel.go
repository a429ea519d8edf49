package generate

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// Options say how large kernels are.
type Options struct {
	Statements int // at the top level, about; 0: 10
	Depth      int // of regions; 0: 3
	// NoBF16Atomics leaves out sums of bf16 in memory, which not every target has.
	NoBF16Atomics bool
	// Loops gives every kernel a loop, most of them one of those that are pipelined: over larger products, with other
	// loops inside, with divisions by what does not change.
	Loops bool
	// Products gives every kernel a loop over products as large as asynchronous instructions take them, and
	// few other statements.
	Products bool
}

// A gen is a kernel in the making.
type gen struct {
	cluster int // CTAs that a hint asks for; 0: none
	Options
	r    *rand.Rand
	out  *strings.Builder // the body, after what header writes
	next int              // number of the next value
	grid [3]uint32
	*scope

	shapes []shape
	elems  []*elem        // the types that this kernel prefers
	places map[buffer]int // elements of the outputs in use, for each CTA or, of sums, for all
	inputs map[*elem]bool
	few    map[*elem]bool // inputs of small integers, which products add up exactly
	counts bool           // whether the counters of atomics are in use
	tables []string       // globals
	scalar [2]int         // the integer parameters
	budget int            // statements that may still be written
	local  int            // bytes that allocations may still take
}

// A buffer names an output.
type buffer struct {
	class class
	elem  *elem
}

func (b buffer) String() string { return string(b.class) + "_" + b.elem.name }

// A class of outputs.
type class string

const (
	exact class = "out"   // must be the same, bit for bit
	near  class = "near"  // elementary functions, which may differ in the last places
	rough class = "rough" // what was asked to be approximate
	sums  class = "sum"   // what CTAs add to, in any order; the same bit for bit
)

var classes = []class{exact, near, rough, sums}

// Tolerance is how far an output of elements of a type may be from another engine's.
func (b buffer) tolerance() launch.Tolerance {
	if b.class == exact || b.class == sums {
		return launch.Tolerance{}
	}
	format, _ := b.elem.dtype.Format()
	spec := format.Spec()
	least := math.Ldexp(1, 1-spec.Bias-spec.Man) // the smallest subnormal number
	relative := nearPlaces * math.Ldexp(1, -spec.Man)
	if b.class == rough {
		relative = roughly
	}
	return launch.Tolerance{Relative: relative, Absolute: nearPlaces * least}
}

// A scope is what can be used and done at a point of a kernel.
type scope struct {
	depth  int
	values []value
	token  string // that orders all accesses of outputs so far
	loop   *loop  // the innermost one around; nil outside of loops
}

const (
	counterLog = 4       // bits of an index into the part of the counters for one kind of atomics
	paramMax   = 5       // the integer parameters are 0 to paramMax
	outputFill = 7       // what outputs hold before the launch
	maxTile    = 1 << 10 // elements of a tile
	maxLocal   = 1 << 13 // bytes that a kernel allocates
	nearPlaces = 4       // by which elementary functions may differ: the exact result is within 2 of one, and within 1 of the other
	roughly    = 1.0 / (1 << 9)
)

// A Kernel is a module, as text, and a launch of its entry.
type Kernel struct {
	Text   []byte
	Launch *launch.Request
	// Tolerance says of arguments, by their number, how far two engines may be apart. What another one holds must be
	// the same, bit for bit.
	Tolerance map[int]launch.Tolerance
}

// Entry is the name of the entry of every kernel.
const Entry = "k"

// New returns the kernel of a seed.
func New(seed uint64, opts Options) *Kernel {
	if opts.Statements == 0 {
		opts.Statements = 10
	}
	if opts.Depth == 0 {
		opts.Depth = 3
	}
	g := &gen{Options: opts, r: rand.New(rand.NewPCG(seed, 0x7469_6c65)), places: make(map[buffer]int), inputs: make(map[*elem]bool), few: make(map[*elem]bool),
		out: new(strings.Builder), scope: &scope{token: "%start"}, local: maxLocal}
	g.grid = [3]uint32{uint32(1 + g.r.IntN(3)), uint32(1 + g.r.IntN(2)), 1}
	g.budget = 6 * opts.Statements
	g.scalar = [2]int{g.r.IntN(paramMax + 1), g.r.IntN(paramMax + 1)}
	g.chooseTypes()
	for _, n := range []string{"%n0", "%n1", "%x", "%y", "%linear"} {
		g.values = append(g.values, value{n, scalar(i32), true})
	}
	if opts.Loops {
		g.statements(2)
		for range 1 + g.r.IntN(2) {
			g.choose(loopStatements())
		}
		if hasIndices(seed) {
			(&streamed{gen: g, counter: scalar(pick(g, []*elem{i32, i64}))}).indexed()
		}
	}
	if opts.Products {
		opts.Statements = 2
		g.large(seed)
	}
	g.statements(opts.Statements)
	for range 2 {
		g.store()
	}
	// Not of g.r, so that the rest of a kernel does not depend on it.
	if seed%3 == 0 {
		g.cluster = 2 << (seed / 3 % 2)
		if opts.Products && seed/3%4 == 3 {
			g.cluster = 8
		}
	}
	k := &Kernel{Text: g.text(), Tolerance: make(map[int]launch.Tolerance)}
	k.Launch = g.request(k)
	return k
}

// chooseTypes chooses the types that the kernel is about, so that values meet others of the same type.
func (g *gen) chooseTypes() {
	g.elems = append(g.elems, i32)
	for range 2 + g.r.IntN(2) {
		g.elems = append(g.elems, pick(g, common))
	}
	if g.chance(3) {
		g.elems = append(g.elems, pick(g, narrow))
	}
	if g.chance(6) {
		g.elems = append(g.elems, i1)
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
	hints := ""
	if g.cluster > 1 {
		hints = fmt.Sprintf(" optimization_hints=<default = {num_cta_in_cga = %d}>", g.cluster)
	}
	fmt.Fprintf(&b, "cuda_tile.module @m {\n%sentry @%s(%s)%s {\n", strings.Join(g.tables, ""), Entry, strings.Join(g.params(), ", "), hints)
	b.WriteString("%x, %y, %z = get_tile_block_id : tile<i32>\n%nx, %ny, %nz = get_num_tile_blocks : tile<i32>\n")
	b.WriteString("%row = muli %y, %nx : tile<i32>\n%linear = addi %row, %x : tile<i32>\n%start = make_token : token\n")
	for o, n := range g.outputs() {
		if o.class == sums {
			continue // all CTAs have the same
		}
		ptr := scalar(o.elem).ptr()
		fmt.Fprintf(&b, "%%part_%v = constant <i32: %d> : tile<i32>\n%%base_%v = muli %%linear, %%part_%v : tile<i32>\n", o, n, o, o)
		fmt.Fprintf(&b, "%%mine_%v = offset %%%v, %%base_%v : %s, tile<i32> -> %s\n", o, o, o, ptr, ptr)
	}
	b.WriteString(g.out.String())
	b.WriteString("return\n}\n}\n")
	return []byte(b.String())
}

// outputs yields the outputs in use, and how many elements of them, in the order of the parameters.
func (g *gen) outputs() iter.Seq2[buffer, int] {
	return func(yield func(buffer, int) bool) {
		for _, c := range classes {
			for _, e := range stored {
				o := buffer{c, e}
				if n := g.places[o]; n > 0 && !yield(o, n) {
					return
				}
			}
		}
	}
}

// params lists the parameters.
func (g *gen) params() (out []string) {
	add := func(name string, e *elem) { out = append(out, fmt.Sprintf("%%%s: %s", name, scalar(e).ptr())) }
	for _, e := range stored {
		if g.inputs[e] {
			add("in_"+e.name, e)
		}
	}
	for _, e := range stored {
		if g.few[e] {
			add("few_"+e.name, e)
		}
	}
	for o := range g.outputs() {
		add(o.String(), o.elem)
	}
	if g.counts {
		add("counts", i32)
	}
	return append(out, "%n0: tile<i32>", "%n1: tile<i32>")
}

// request makes the launch, with arguments in the order of the parameters.
func (g *gen) request(k *Kernel) *launch.Request {
	req := &launch.Request{Entry: Entry, Grid: g.grid}
	buffer := func(d launch.DType, n int) *launch.Buffer {
		b := &launch.Buffer{DType: d, Shape: []int{n}, Data: make([]byte, n*d.Size())}
		req.Args = append(req.Args, launch.Arg{Buffer: b})
		return b
	}
	for _, e := range stored {
		if g.inputs[e] {
			b := buffer(e.dtype, int(g.inputSize()))
			for i := range int(g.inputSize()) {
				e.dtype.Store(b.Data, i, g.element(e))
			}
		}
	}
	for _, e := range stored {
		if g.few[e] {
			b := buffer(e.dtype, g.fewSize())
			for i := range g.fewSize() {
				v, _ := e.dtype.ParseValue(strconv.Itoa(g.r.IntN(8) - 3)) // which every format holds
				e.dtype.Store(b.Data, i, v)
			}
		}
	}
	blocks := int(g.grid[0] * g.grid[1] * g.grid[2])
	for o, n := range g.outputs() {
		fill := uint64(0)
		if o.class != sums {
			n *= blocks
			fill = o.elem.fill()
		}
		b := buffer(o.elem.dtype, n)
		for i := range n {
			b.DType.Store(b.Data, i, fill)
		}
		if t := o.tolerance(); t.Relative > 0 {
			k.Tolerance[len(req.Args)-1] = t
		}
	}
	if g.counts {
		buffer(launch.I32, len(atomics)<<counterLog)
	}
	for _, n := range g.scalar {
		req.Args = append(req.Args, launch.Arg{Scalar: launch.Scalar{DType: launch.I32, Bits: uint64(n)}})
	}
	return req
}

// inputSize is how many elements inputs have: those of the largest tile at least, twice.
func (g *gen) inputSize() int64 {
	switch {
	case g.Products:
		return 2 * largeSum
	case g.Loops:
		return 1 << 13
	}
	return 1 << 11
}

// fewSize is how many elements inputs of small integers have: mostTurns of the largest operands.
func (g *gen) fewSize() int {
	switch {
	case g.Products:
		return 1 << 16
	case g.Loops:
		return 1 << 15
	}
	return 1 << 13
}

// fill is what outputs hold before the launch.
func (e *elem) fill() uint64 {
	switch e {
	case i1:
		return 1
	case f8e8m0:
		return 127
	}
	v, _ := e.dtype.ParseValue(fmt.Sprint(outputFill))
	return v
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
	if e.moved {
		for { // any but NaN; tf32 has its bits on top
			v := g.r.Uint64() & mask
			if e == tf32 {
				v &^= 1<<13 - 1
			}
			if !format.IsNaN(v) {
				return v
			}
		}
	}
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
	return format.Encode(float64(g.r.IntN(257)-128)/8, numeric.Env{})
}

// name returns a name for a value.
func (g *gen) name() string {
	g.next++
	return fmt.Sprintf("%%v%d", g.next)
}

func (g *gen) line(format string, args ...any) { fmt.Fprintf(g.out, format+"\n", args...) }

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
