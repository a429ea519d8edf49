package integers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A generator writes a random program on integers. Values of each type are on a list, from which operations take
// their operands.
type generator struct {
	r      *rand.Rand
	out    strings.Builder
	pool   map[string][]string // by type, as tile<4x8xi32>
	n      int
	loops  int
	budget int
}

var (
	elems  = []string{"i1", "i8", "i16", "i32", "i64"}
	widths = map[string]int{"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
	shapes = []string{"", "1x", "8x", "1x8x", "4x8x", "8x4x", "4x1x"}
)

func tileOf(shape, elem string) string { return "tile<" + shape + elem + ">" }

func (g *generator) pick(list ...string) string { return list[g.r.IntN(len(list))] }

// number returns a constant, mostly a remarkable one.
func (g *generator) number(elem string) int64 {
	w := widths[elem]
	var v int64
	switch g.r.IntN(5) {
	case 0:
		v = 1 << g.r.IntN(w)
	case 1:
		v = 1<<g.r.IntN(w) - 1
	case 2:
		v = -int64(g.r.IntN(20))
	case 3:
		v = int64(g.r.Uint64())
	default:
		v = int64(g.r.IntN(9))
	}
	return v << (64 - w) >> (64 - w)
}

// value returns a value of a type, a constant if there is none.
func (g *generator) value(shape, elem string) string {
	t := tileOf(shape, elem)
	if list := g.pool[t]; len(list) > 0 && g.r.IntN(6) > 0 {
		return list[g.r.IntN(len(list))]
	}
	if g.r.IntN(8) == 0 && shape == "8x" && elem != "i1" {
		var list []string
		for range 8 {
			list = append(list, fmt.Sprint(g.number(elem)))
		}
		return g.add(shape, elem, fmt.Sprintf("constant <%s: [%s]> : %s", elem, strings.Join(list, ", "), t))
	}
	return g.add(shape, elem, fmt.Sprintf("constant <%s: %d> : %s", elem, g.number(elem), t))
}

func (g *generator) small(shape, elem string, limit int) string {
	return g.add(shape, elem, fmt.Sprintf("constant <%s: %d> : %s", elem, g.r.IntN(min(limit, 1<<min(30, widths[elem]-1))), tileOf(shape, elem)))
}

// add writes an operation and puts its result on the list of its type.
func (g *generator) add(shape, elem, text string) string {
	g.n++
	name := fmt.Sprintf("%%v%d", g.n)
	fmt.Fprintf(&g.out, "%s = %s\n", name, text)
	t := tileOf(shape, elem)
	g.pool[t] = append(g.pool[t], name)
	return name
}

// copy writes an operation that has an argument as its result, so that the trace shows it.
func (g *generator) copy(shape, elem, of string) string {
	zero := g.add(shape, elem, fmt.Sprintf("constant <%s: 0> : %s", elem, tileOf(shape, elem)))
	return g.add(shape, elem, fmt.Sprintf("ori %s, %s : %s", of, zero, tileOf(shape, elem)))
}

func (g *generator) shape() string { return shapes[g.r.IntN(len(shapes))] }
func (g *generator) elem() string  { return elems[g.r.IntN(len(elems))] }

func (g *generator) overflow() string {
	return g.pick("", "", "", " overflow<no_signed_wrap>", " overflow<no_unsigned_wrap>", " overflow<no_wrap>")
}

// op writes one random operation.
func (g *generator) op() {
	shape, elem := g.shape(), g.elem()
	t := tileOf(shape, elem)
	sign := g.pick("signed", "unsigned")
	two := func() (string, string) { return g.value(shape, elem), g.value(shape, elem) }
	switch g.r.IntN(22) {
	case 0, 1, 2:
		a, b := two()
		g.add(shape, elem, fmt.Sprintf("%s %s, %s%s : %s", g.pick("addi", "subi", "muli"), a, b, g.overflow(), t))
	case 3:
		a, b := two()
		g.add(shape, elem, fmt.Sprintf("%s %s, %s : %s", g.pick("andi", "ori", "xori"), a, b, t))
	case 4:
		a, b := two()
		g.add(shape, elem, fmt.Sprintf("%s %s, %s %s : %s", g.pick("maxi", "mini", "remi"), a, b, sign, t))
	case 5:
		a, b := g.value(shape, elem), g.small(shape, elem, 17)
		if g.r.IntN(3) == 0 {
			b = g.value(shape, elem)
		}
		round := ""
		if g.r.IntN(2) == 0 {
			round = " rounding<positive_inf>"
			if sign == "signed" {
				round = g.pick(round, " rounding<negative_inf>")
			}
		}
		g.add(shape, elem, fmt.Sprintf("divi %s, %s %s%s : %s", a, b, sign, round, t))
	case 6:
		a, b := g.value(shape, elem), g.small(shape, elem, widths[elem])
		g.add(shape, elem, fmt.Sprintf("shri %s, %s %s : %s", a, b, sign, t))
	case 7:
		a, b := g.value(shape, elem), g.small(shape, elem, widths[elem])
		g.add(shape, elem, fmt.Sprintf("shli %s, %s%s : %s", a, b, g.overflow(), t))
	case 8:
		a := g.value(shape, elem)
		g.add(shape, elem, fmt.Sprintf("%s %s : %s", g.pick("absi", "negi"), a, t))
	case 9, 10:
		a, b := two()
		g.add(shape, "i1", fmt.Sprintf("cmpi %s %s, %s, %s : %s -> %s", g.pick("equal", "not_equal", "less_than", "less_than_or_equal", "greater_than",
			"greater_than_or_equal"), a, b, sign, t, tileOf(shape, "i1")))
	case 11:
		c := g.value(shape, "i1")
		a, b := two()
		g.add(shape, elem, fmt.Sprintf("select %s, %s, %s : %s, %s", c, a, b, tileOf(shape, "i1"), t))
	case 12, 13:
		to := g.elem()
		a := g.value(shape, elem)
		switch {
		case widths[to] > widths[elem]:
			g.add(shape, to, fmt.Sprintf("exti %s %s : %s -> %s", a, sign, t, tileOf(shape, to)))
		case widths[to] < widths[elem]:
			g.add(shape, to, fmt.Sprintf("trunci %s%s : %s -> %s", a, g.overflow(), t, tileOf(shape, to)))
		}
	case 14:
		if elem != "i1" {
			g.add("8x", elem, fmt.Sprintf("iota : %s", tileOf("8x", elem)))
		}
	case 15, 16:
		moves := [][3]string{{"reshape", "", "1x"}, {"reshape", "1x", ""}, {"reshape", "8x", "1x8x"}, {"reshape", "4x8x", "8x4x"}, {"broadcast", "1x", "8x"},
			{"broadcast", "1x8x", "4x8x"}, {"broadcast", "4x1x", "4x8x"}, {"permute", "4x8x", "8x4x"}, {"permute", "8x4x", "4x8x"}}
		m := moves[g.r.IntN(len(moves))]
		a := g.value(m[1], elem)
		attr := ""
		if m[0] == "permute" {
			attr = " [1, 0]"
		}
		g.add(m[2], elem, fmt.Sprintf("%s %s%s : %s -> %s", m[0], a, attr, tileOf(m[1], elem), tileOf(m[2], elem)))
	case 17:
		g.assume(shape, elem, t)
	case 18:
		g.pointers()
	case 19:
		g.parts(elem)
	case 20:
		g.reduce(elem)
	case 21:
		if g.r.IntN(8) > 0 { // it mostly ends the program
			return
		}
		c := g.value("", "i1")
		fmt.Fprintf(&g.out, "assert %s, \"random\" : tile<i1>\n", c)
	}
}

// assume writes promises, of which some turn out not to hold.
func (g *generator) assume(shape, elem, t string) {
	if elem == "i1" {
		return
	}
	a := g.value(shape, elem)
	switch g.r.IntN(4) {
	case 0:
		g.add(shape, elem, fmt.Sprintf("assume bounded<%s, ?>, %s : %s", g.pick("0", "-9", "?"), a, t))
	case 1:
		g.add(shape, elem, fmt.Sprintf("assume bounded<?, %d>, %s : %s", 30+g.r.IntN(90), a, t))
	case 2:
		g.add(shape, elem, fmt.Sprintf("assume div_by<%d>, %s : %s", 1<<g.r.IntN(3), a, t))
	case 3:
		switch shape {
		case "8x":
			io := g.add(shape, elem, fmt.Sprintf("iota : %s", t))
			every := g.pick("2", "4", "6", "8")
			g.add(shape, elem, fmt.Sprintf("assume div_by<%s, every %s along 0>, %s : %s", g.pick("1", "2"), every, io, t))
		case "4x8x":
			g.add(shape, elem, fmt.Sprintf("assume same_elements<[%s, %s]>, %s : %s", g.pick("1", "2", "4"), g.pick("1", "2", "3", "8"), a, t))
		}
	}
}

// pointers writes addresses.
func (g *generator) pointers() {
	shape, elem := g.pick("8x", "4x8x"), g.pick("i8", "i32")
	ptr := "ptr<" + elem + ">"
	p := "%p" + elem
	if list := g.pool[tileOf("", ptr)]; len(list) > 0 {
		p = list[g.r.IntN(len(list))]
	}
	one := map[string]string{"8x": "1x", "4x8x": "1x1x"}[shape]
	a := g.add(one, ptr, fmt.Sprintf("reshape %s : %s -> %s", p, tileOf("", ptr), tileOf(one, ptr)))
	b := g.add(shape, ptr, fmt.Sprintf("broadcast %s : %s -> %s", a, tileOf(one, ptr), tileOf(shape, ptr)))
	index := g.pick("i8", "i16", "i32", "i64")
	o := g.value(shape, index)
	c := g.add(shape, ptr, fmt.Sprintf("offset %s, %s : %s, %s -> %s", b, o, tileOf(shape, ptr), tileOf(shape, index), tileOf(shape, ptr)))
	g.add(shape, "i64", fmt.Sprintf("ptr_to_int %s : %s -> %s", c, tileOf(shape, ptr), tileOf(shape, "i64")))
}

// parts writes concatenations and extractions.
func (g *generator) parts(elem string) {
	if g.r.IntN(2) == 0 {
		a, b := g.value("8x", elem), g.value("8x", elem)
		c := g.add("16x", elem, fmt.Sprintf("cat %s, %s dim = 0 : %s, %s -> %s", a, b, tileOf("8x", elem), tileOf("8x", elem), tileOf("16x", elem)))
		i := g.add("", "i32", fmt.Sprintf("constant <i32: %d> : tile<i32>", g.r.IntN(2)))
		g.add("8x", elem, fmt.Sprintf("extract %s[%s] : %s -> %s", c, i, tileOf("16x", elem), tileOf("8x", elem)))
		return
	}
	a, b := g.value("8x4x", elem), g.value("8x4x", elem)
	c := g.add("8x8x", elem, fmt.Sprintf("cat %s, %s dim = 1 : %s, %s -> %s", a, b, tileOf("8x4x", elem), tileOf("8x4x", elem), tileOf("8x8x", elem)))
	i := g.add("", "i32", "constant <i32: 0> : tile<i32>")
	j := g.add("", "i32", fmt.Sprintf("constant <i32: %d> : tile<i32>", g.r.IntN(2)))
	g.add("4x8x", elem, fmt.Sprintf("extract %s[%s, %s] : %s -> %s", c, j, i, tileOf("8x8x", elem), tileOf("4x8x", elem)))
}

// reduce writes a reduction.
func (g *generator) reduce(elem string) {
	a := g.value("4x8x", elem)
	op := g.pick("addi %p, %q%o", "maxi %p, %q signed", "mini %p, %q unsigned", "andi %p, %q", "ori %q, %p", "xori %p, %q", "muli %p, %q")
	op = strings.NewReplacer("%p", fmt.Sprintf("%%p%d", g.n), "%q", fmt.Sprintf("%%q%d", g.n), "%o", g.overflow()).Replace(op)
	neutral := map[string]int64{"max": -1 << (widths[elem] - 1), "min": -1, "and": -1, "mul": 1}[op[:3]]
	dim, shape := 0, "8x"
	if g.r.IntN(2) == 0 {
		dim, shape = 1, "4x"
	}
	t := tileOf("", elem)
	n := g.n
	g.add(shape, elem, fmt.Sprintf("reduce %s dim=%d identities=[%d : %s] : %s -> %s\n(%%p%d: %s, %%q%d: %s) {\n%%s%d = %s : %s\nyield %%s%d : %s\n}",
		a, dim, neutral, elem, tileOf("4x8x", elem), tileOf(shape, elem), n, t, n, t, n, op, t, n, t))
}

// nested writes what f does into a region, after which its values are gone.
func (g *generator) nested(f func()) {
	saved := g.pool
	g.pool = make(map[string][]string, len(saved))
	for t, list := range saved {
		g.pool[t] = list[:len(list):len(list)]
	}
	f()
	g.pool = saved
}

func (g *generator) block(n int) {
	for range n {
		if g.budget--; g.budget < 0 {
			return
		}
		switch k := g.r.IntN(24); {
		case k == 0:
			g.branch()
		case k == 1 && g.loops < 2:
			g.loop()
		case k == 2 && g.loops < 2:
			g.endless()
		default:
			g.op()
		}
	}
}

func (g *generator) branch() {
	shape, elem := g.shape(), g.elem()
	t := tileOf(shape, elem)
	index := g.pick("i8", "i32")
	a, b := g.value("", index), g.value("", index)
	c := g.add("", "i1", fmt.Sprintf("cmpi %s %s, %s, %s : %s -> tile<i1>", g.pick("equal", "not_equal", "less_than", "less_than_or_equal", "greater_than",
		"greater_than_or_equal"), a, b, g.pick("signed", "unsigned"), tileOf("", index)))
	if g.r.IntN(3) == 0 {
		d := g.value("", "i1")
		c = g.add("", "i1", fmt.Sprintf("%s %s, %s : tile<i1>", g.pick("andi", "ori", "xori"), c, d))
	}
	if g.loops == 0 && g.r.IntN(6) == 0 { // leaves
		fmt.Fprintf(&g.out, "if %s {\n", c)
		g.nested(func() { g.block(2) })
		g.out.WriteString("return\n}\n")
		return
	}
	g.n++
	name := fmt.Sprintf("%%v%d", g.n)
	fmt.Fprintf(&g.out, "%s = if %s -> (%s) {\n", name, c, t)
	side := func() {
		g.nested(func() {
			x := g.value("", index)
			g.add("", index, fmt.Sprintf("addi %s, %s : %s", a, x, tileOf("", index)))
			g.add("", index, fmt.Sprintf("subi %s, %s : %s", b, a, tileOf("", index)))
			g.block(6)
			fmt.Fprintf(&g.out, "yield %s : %s\n", g.value(shape, elem), t)
		})
	}
	side()
	g.out.WriteString("} else {\n")
	side()
	g.out.WriteString("}\n")
	g.pool[t] = append(g.pool[t], name)
}

func (g *generator) loop() {
	g.loops++
	defer func() { g.loops-- }()
	shape, elem := g.shape(), g.elem()
	t := tileOf(shape, elem)
	index := g.pick("i8", "i32", "i64")
	lo := int64(g.r.IntN(40) - 20)
	hi := lo + int64(g.r.IntN(30)) - 4
	unsigned := ""
	if lo >= 0 && hi >= 0 && g.r.IntN(2) == 0 {
		unsigned = "unsigned "
	}
	lower := g.add("", index, fmt.Sprintf("constant <%s: %d> : %s", index, lo, tileOf("", index)))
	upper := g.add("", index, fmt.Sprintf("constant <%s: %d> : %s", index, hi, tileOf("", index)))
	if g.r.IntN(2) == 0 {
		some := g.value("", index)
		some = g.add("", index, fmt.Sprintf("maxi %s, %s signed : %s", lower, some, tileOf("", index)))
		upper = g.add("", index, fmt.Sprintf("mini %s, %s signed : %s", upper, some, tileOf("", index)))
	}
	step := g.add("", index, fmt.Sprintf("constant <%s: %d> : %s", index, 1+g.r.IntN(8), tileOf("", index)))
	init := g.value(shape, elem)
	g.n++
	i, acc, name := fmt.Sprintf("%%i%d", g.n), fmt.Sprintf("%%a%d", g.n), fmt.Sprintf("%%v%d", g.n)
	fmt.Fprintf(&g.out, "%s = for %s%s in (%s to %s, step %s) : %s iter_values(%s = %s) -> (%s) {\n", name, unsigned, i, lower, upper, step, tileOf("", index), acc, init, t)
	g.nested(func() {
		g.copy("", index, i)
		g.copy(shape, elem, acc)
		next := g.add(shape, elem, fmt.Sprintf("%s %s, %s%s : %s", g.pick("addi", "addi", "subi"), acc, g.value(shape, elem), g.overflow(), t))
		g.block(7)
		if g.r.IntN(2) == 0 {
			next = g.pool[t][len(g.pool[t])-1]
		}
		fmt.Fprintf(&g.out, "continue %s : %s\n", next, t)
	})
	g.out.WriteString("}\n")
	g.pool[t] = append(g.pool[t], name)
}

// endless writes a loop that ends by a break after a few iterations.
func (g *generator) endless() {
	g.loops++
	defer func() { g.loops-- }()
	shape, elem := g.shape(), g.elem()
	t := tileOf(shape, elem)
	init := g.value(shape, elem)
	zero := g.add("", "i32", "constant <i32: 0> : tile<i32>")
	end := g.add("", "i32", fmt.Sprintf("constant <i32: %d> : tile<i32>", g.r.IntN(70)))
	g.n++
	i, acc, name := fmt.Sprintf("%%i%d", g.n), fmt.Sprintf("%%a%d", g.n), fmt.Sprintf("%%v%d", g.n)
	fmt.Fprintf(&g.out, "%s = loop iter_values(%s = %s, %s = %s) : tile<i32>, %s -> %s {\n", name, i, zero, acc, init, t, t)
	g.nested(func() {
		g.copy("", "i32", i)
		g.copy(shape, elem, acc)
		c := g.add("", "i1", fmt.Sprintf("cmpi greater_than_or_equal %s, %s, signed : tile<i32> -> tile<i1>", i, end))
		fmt.Fprintf(&g.out, "if %s {\nbreak %s : %s\n}\n", c, acc, t)
		g.block(5)
		one := g.add("", "i32", "constant <i32: 1> : tile<i32>")
		next := g.add("", "i32", fmt.Sprintf("addi %s, %s : tile<i32>", i, one))
		fmt.Fprintf(&g.out, "continue %s, %s : tile<i32>, %s\n", next, g.value(shape, elem), t)
	})
	g.out.WriteString("}\n")
	g.pool[t] = append(g.pool[t], name)
}

// program returns the text of a random program with parameters %pi8, %pi32, %x (i32) and %y (i64).
func program(r *rand.Rand) string {
	g := &generator{r: r, pool: make(map[string][]string), budget: 120}
	g.out.WriteString("cuda_tile.module @m {\nentry @k(%pi8: tile<ptr<i8>>, %pi32: tile<ptr<i32>>, %x: tile<i32>, %y: tile<i64>) {\n")
	g.out.WriteString("%b0, %b1, %b2 = get_tile_block_id : tile<i32>\n%n0, %n1, %n2 = get_num_tile_blocks : tile<i32>\n")
	g.pool["tile<i32>"] = []string{"%b0", "%b1", "%n0", "%n2"}
	g.copy("", "i32", "%x")
	g.copy("", "i64", "%y")
	g.add("", "ptr<i8>", "assume div_by<16>, %pi8 : tile<ptr<i8>>")
	g.add("", "ptr<i32>", "assume div_by<8>, %pi32 : tile<ptr<i32>>")
	g.block(90)
	g.out.WriteString("return\n}\n}\n")
	return g.out.String()
}

// TestRandomPrograms runs random programs and holds every value that they compute to what the analyses say.
func TestRandomPrograms(t *testing.T) {
	t.Parallel()
	var values, useful int
	const programs = 150
	for seed := range uint64(programs) {
		v, u := runProgram(t, seed)
		values += v
		useful += u
		if t.Failed() {
			return
		}
	}
	t.Logf("%d values, something known of %d", values, useful)
	if values < 20*programs || useful < values/4 {
		t.Errorf("%d programs computed %d values, of %d of which something is known: the generator or the analyses are out of order", programs, values, useful)
	}
}

func runProgram(t *testing.T, seed uint64) (values, useful int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	text := program(r)
	c := ir.NewContext(ops.Dialect)
	module, err := asm.Parse(c, "random.mlir", []byte(text), asm.ParseOptions{})
	if err == nil {
		err = ir.Verify(module)
	}
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, text)
	}
	for range 3 {
		check := newChecker(module.Body().First())
		e := interp.New(module)
		e.Trace = check.trace
		e.MaxSteps = 200_000
		e.TraceBlock = [3]uint32{r.Uint32N(7), r.Uint32N(2), 0}
		scalar := func(d launch.DType, bits uint64) launch.Arg {
			return launch.Arg{Scalar: launch.Scalar{DType: d, Bits: bits}}
		}
		buffer := func(d launch.DType) launch.Arg {
			return launch.Arg{Buffer: &launch.Buffer{DType: d, Shape: []int{64}, Data: make([]byte, 64*d.Size())}}
		}
		x, y := uint64(r.Uint32()), r.Uint64()
		if r.IntN(2) == 0 {
			x, y = uint64(r.Uint32N(50)), r.Uint64N(50)
		}
		// Programs with undefined behaviour end with an error; what was computed before still counts.
		_ = e.Run(context.Background(), &launch.Request{Entry: "k", Grid: [3]uint32{7, 2, 1}, Args: []launch.Arg{buffer(launch.I8), buffer(launch.I32),
			scalar(launch.I32, x), scalar(launch.I64, y)}})
		check.report(t, func() string { return fmt.Sprintf("seed %d\n%s", seed, text) })
		values += check.values
		useful += check.useful
		if t.Failed() {
			break
		}
	}
	return values, useful
}
