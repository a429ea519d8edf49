package parser

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/asmtest"
	"github.com/tilewright/tilewright/ir/asm/printer"
)

// outcome is all that can be seen of parsing a text: what is reported, what is printed, and the location of every
// operation.
func outcome(t testing.TB, src string, workers int) (text string, adopted int) {
	t.Helper()
	ctx, diags := asmtest.NewContext(t)
	p := newParser(ctx, ctx.AddText("t.mlir", src, 1), Options{ImplicitModule: asmtest.Module, Workers: workers})
	ctx.Diag.AddSource("t.mlir", []byte(src))
	var op ir.Op
	err := p.run(func() { op = p.parseFile() })
	p.stopAhead()
	if err != nil {
		return diags.String(), p.adopted
	}
	var sb strings.Builder
	sb.WriteString(printed(t, op, printer.Options{Generic: true, DebugInfo: true}))
	sb.WriteString(printed(t, op, printer.Options{}))
	op.Walk(func(op ir.Op) ir.WalkResult {
		sb.WriteString(op.Name() + " " + ir.AttrString(op.Loc()) + "\n")
		return ir.Advance
	})
	return sb.String(), p.adopted
}

func sameAhead(t testing.TB, src string) (adopted int) {
	t.Helper()
	want, _ := outcome(t, src, 1)
	got, adopted := outcome(t, src, 3)
	if got != want {
		t.Fatalf("reading ahead changes the outcome of\n%s\nfrom\n%s\nto\n%s", src, want, got)
	}
	return adopted
}

func TestReadAhead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, src string
		adopted   int
	}{
		{"top", "t.func @a() {\n}\nt.func @b() {\n}\n", 2},
		{"one line", "t.func @a() {} t.func @b() {}", 2},
		{"not at the start of a line", "t.call @x() : () -> () t.func @b() {\n}", 0},
		{"module", "\"t.module\"() ({\nt.func @a() {\n}\n\"u.x\"() : () -> ()\nt.func @b() {\n}\n}) : () -> ()", 2},
		{"generic", "\"t.func\"() <{sym_name = \"a\"}> ({\n}) : () -> ()\n\"t.func\"() ({\n}) {sym_name = \"b\"} : () -> ()", 2},
		{"short", "s.kernel {\n  %0 = \"u.x\"() : () -> !s.tok\n  %1 = id %0 : tok\n}\ns.kernel {\n}", 2},
		{"names", "t.func @a(%x: i32) {\n  %y = t.add %x, %x : i32\n}\nt.func @b(%x: f32) {\n  %y = t.add %y1, %x : f32\n  %y1 = \"u.x\"() : () -> f32\n}", 2},
		{"aliases", "#a = 1 : i8\n!b = !t.box<i8>\nt.func @a(%x: !b) attributes {v = #a} {\n}\n#c = \"c\"\nt.func @b() attributes {v = #c} {\n}", 2},
		{"alias behind", "t.func @a() attributes {v = #c} {\n}\n#c = \"c\"", 0},
		{"locations", "t.func @a() {\n  \"u.x\"() : () -> () loc(#l)\n} loc(#m)\nt.func @b() {\n}\n#l = loc(\"f\":1:2)\n#m = loc(\"m\"(#l))", 2},
		{"missing location", "t.func @a() {\n  \"u.x\"() : () -> () loc(#m)\n} loc(#m)\nt.func @b() {\n} loc(#l)\n#l = loc(\"f\":1:2)", 2},
		{"braces in strings", "t.func @a() {\n  \"u.x\"() {a = \"}\\\"{\"} : () -> ()\n}\n\"u.y\"() {a = \"{\"} : () -> ()\nt.func @b() {\n}", 2},
		{"braces in comments", "// {\nt.func @a() { // }\n}\n// \"\nt.func @b() {\n// {\n}", 2},
		{"comment at the end", "t.func @a() {\n}\nt.func @b() {\n}\n//", 2},
		{"error in the second", "t.func @a() {\n}\nt.func @b() {\n  what\n}", 1},
		{"error in the first", "t.func @a() {\n  what\n}\nt.func @b() {\n}", 0},
		{"error in both", "t.func @a() {\n  first\n}\nt.func @b() {\n  second\n}", 0},
		{"error between", "t.func @a() {\n}\nwhat\nt.func @b() {\n}", 1},
		{"unclosed", "t.func @a() {\n}\nt.func @b() {\n", 1},
		{"unclosed string", "t.func @a() {\n \"u.x\n}\nt.func @b() {\n}", 0},
		{"too many braces", "t.func @a() {\n}}\nt.func @b() {\n}", 1},
		{"value of the outside", "%a = \"u.x\"() : () -> i32\nt.func @a() {\n  \"u.y\"(%a) : (i32) -> ()\n}", 0},
		{"operand of an isolated operation", "%a = \"u.x\"() : () -> i32\n\"t.func\"(%a) ({\n}) {sym_name = \"b\"} : (i32) -> ()\nt.func @a() {\n}", 1},
		{"successor of an isolated operation", "\"t.module\"() ({\n\"t.func\"()[^a] ({\n}) {sym_name = \"b\"} : () -> ()\nt.func @a() {\n}\n^a:\nt.func @c() {\n}\n}) : () -> ()", 2},
		{"results of an isolated operation", "%a =\nt.func @a() {\n}\nt.func @b() {\n}", 0},
		{"wrong guess", "\"u.x\"()\n{a = 1,\nt.func = 2, b = {\n}} : () -> ()\nt.func @a() {\n}", 1},
		{"word that is no operation", "\"t.module\"() ({\n\"u.x\"() {a}\n : () -> ()\nt.func @a() {\n}\n}) {\nt.func} : () -> ()", 1},
		{"blocks", "\"t.module\"() ({\n^a:\nt.func @a() {\n}\n^b:\nt.func @b() {\n}\n}) : () -> ()", 2},
		{"modules", "\"t.module\"() ({\n\"t.module\"() ({\nt.func @a() {\n}\n}) : () -> ()\n\"t.module\"() ({\nt.func @b() {\n}\n}) : () -> ()\n}) : () -> ()", 2},
		{"metadata", "t.func @a() {\n}\n{-#\n  external_resources: {\n    m: {\n      k: \"{\"\n    }\n  }\n#-}\n", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if adopted := sameAhead(t, tt.src); adopted != tt.adopted {
				t.Errorf("%d operations were read ahead, want %d", adopted, tt.adopted)
			}
		})
	}
	for _, tt := range asmtest.RoundTrips {
		sameAhead(t, tt.Src)
	}
	for _, tt := range asmtest.ParseErrors {
		sameAhead(t, tt.Src)
	}
}

// Aliases that stand for a text of too great a length are rejected at the same place.
func TestReadAheadCountsAliases(t *testing.T) {
	t.Parallel()
	var sb strings.Builder
	sb.WriteString("#a0 = [" + strings.Repeat("1, ", 5000) + "1]\n")
	for i := range 5 {
		fmt.Fprintf(&sb, "#a%d = [#a%d, #a%d]\n", i+1, i, i)
	}
	for i := range 20 {
		fmt.Fprintf(&sb, "t.func @f%d() attributes {a = #a5} {\n}\n", i)
	}
	if adopted := sameAhead(t, sb.String()); adopted == 0 || adopted == 20 {
		t.Errorf("%d functions were read ahead, want some but not all", adopted)
	}
	if want, _ := outcome(t, sb.String(), 1); !strings.Contains(want, "aliases stand for more than") {
		t.Errorf("the text is accepted, or rejected for another reason:\n%s", want)
	}
}

// Wrong guesses without end are given up.
func TestReadAheadGivesUp(t *testing.T) {
	t.Parallel()
	src := strings.Repeat("%a =\nt.func @f() {\n}\n", 1000)
	if adopted := sameAhead(t, src); adopted != 0 {
		t.Errorf("%d operations were read ahead", adopted)
	}
	src = "\"u.x\"() ({\n" + strings.Repeat("\"u.y\"() {\nt.func} : () -> ()\n", 1000) + "}) : () -> ()\n" + strings.Repeat("t.func @f() {\n}\n", 3)
	if adopted := sameAhead(t, src); adopted != 3 {
		t.Errorf("%d operations were read ahead, want 3", adopted)
	}
}

// randomText returns a text of functions, kernels and other operations that may have anything between and in them.
func randomText(r *rand.Rand) string {
	var sb strings.Builder
	values := 0
	var op func(depth int)
	ops := func(n, depth int) {
		for range r.IntN(n) {
			op(depth)
		}
	}
	op = func(depth int) {
		switch k := r.IntN(12); {
		case k < 3 && depth < 3:
			fmt.Fprintf(&sb, "t.func @f%d(%%arg: i32) {\n", r.IntN(100))
			ops(6, depth+1)
			sb.WriteString("}\n")
		case k == 3 && depth < 3:
			sb.WriteString("\"t.module\"() ({\n")
			ops(5, depth+1)
			sb.WriteString("}) : () -> ()\n")
		case k == 4 && depth < 3:
			sb.WriteString("s.kernel {\n")
			ops(5, depth+1)
			sb.WriteString("} {a = \"}\"}\n")
		case k == 5 && depth < 3:
			sb.WriteString("t.region {\n")
			ops(4, depth+1)
			sb.WriteString("} else {\n}\n")
		case k == 6:
			sb.WriteString("// t.func @c() { \"\n")
		case k == 7:
			fmt.Fprintf(&sb, "\"u.x\"() {s = \"{%d\\22}\", t = #al, u = !t.box<i%d>} : () -> () loc(#late)\n", r.IntN(9), 1+r.IntN(20))
		case k == 8 && values > 0:
			fmt.Fprintf(&sb, "\"u.use\"(%%v%d) : (i32) -> ()\n", r.IntN(values))
		default:
			values++
			fmt.Fprintf(&sb, "%%v%d = \"u.def\"() {a = %d} : () -> i32\n", values, r.IntN(300))
		}
	}
	sb.WriteString("#al = array<i32: 1, 2>\n")
	for range 1 + r.IntN(8) {
		op(0)
	}
	sb.WriteString("#late = loc(\"late\":1:1)\n")
	return sb.String()
}

func TestReadAheadOfRandomTexts(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	rounds, adopted := 800, 0
	if !tier.All() {
		rounds = 300
	}
	for range rounds {
		src := randomText(r)
		if r.IntN(2) == 0 { // break it
			at := r.IntN(len(src))
			src = src[:at] + string("{}\"%#\nx@(^/"[r.IntN(11)]) + src[at+r.IntN(min(4, len(src)-at)):]
		}
		adopted += sameAhead(t, src)
	}
	if adopted < rounds/2 {
		t.Errorf("only %d operations were read ahead in %d texts", adopted, rounds)
	}
}

func FuzzReadAhead(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		f.Add(randomText(r))
	}
	f.Fuzz(func(t *testing.T, src string) { sameAhead(t, src) })
}

func printed(t testing.TB, op ir.Op, opts printer.Options) string {
	t.Helper()
	var sb strings.Builder
	if err := printer.Print(&sb, op, opts); err != nil {
		t.Fatal(err)
	}
	return sb.String()
}
