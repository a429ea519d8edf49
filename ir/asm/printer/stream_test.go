package printer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/asmtest"
	"github.com/tilewright/tilewright/ir/asm/parser"
)

// manyPieces is a module in which all that makes a difference to the division of work occurs: functions of all sizes,
// operations between them that are not isolated and use values of each other, modules in modules, aliases, and names
// that repeat.
func manyPieces(r *rand.Rand) string {
	var sb strings.Builder
	var module func(depth, functions int)
	module = func(depth, functions int) {
		for f := range functions {
			switch r.IntN(8) {
			case 0:
				fmt.Fprintf(&sb, "%%v%d_%d = \"u.value\"() {l = #s.layout<%d>} : () -> i32\n\"u.use\"(%%v%d_%d) : (i32) -> ()\n", depth, f, f, depth, f)
			case 1:
				if depth < 2 {
					sb.WriteString("\"t.module\"() ({\n")
					module(depth+1, 5)
					sb.WriteString("}) : () -> ()\n")
				}
			default:
				fmt.Fprintf(&sb, "t.func @f%d(%%x: i32) attributes {l = #s.layout<%d>} {\n", f, r.IntN(3))
				for i := range r.IntN(4) * r.IntN(200) {
					fmt.Fprintf(&sb, "  %%name%d = t.add %%x, %%x {n = %d : i8} : i32\n", i%7*1000+i, i%50)
				}
				sb.WriteString("}\n")
			}
		}
	}
	module(0, 60)
	sb.WriteString("t.func @large(%x: i32) {\n")
	for i := range largeBlock * 2 {
		fmt.Fprintf(&sb, "  %%%d = t.add %%x, %%x : i32\n", i)
		if i%700 == 0 {
			fmt.Fprintf(&sb, "  \"u.region\"() ({\n^bb0(%%y: i32):\n  %%n = t.add %%y, %%%d : i32\n}) : () -> ()\n", i)
		}
	}
	sb.WriteString("}\n")
	return sb.String()
}

// The text does not depend on how many workers print it.
func TestPrintIsDeterministic(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for seed := range uint64(4) {
		op := parseOK(t, manyPieces(rand.New(rand.NewPCG(seed, 1))))
		for _, opts := range []Options{{}, {Generic: true}, {DebugInfo: true}, {ImplicitModule: true}, {LocalScope: true}} {
			var want []byte
			for _, procs := range []int{1, 2, 8} {
				runtime.GOMAXPROCS(procs)
				var out bytes.Buffer
				if err := Print(&out, op, opts); err != nil {
					t.Fatal(err)
				}
				if want == nil {
					want = out.Bytes()
				} else if !bytes.Equal(want, out.Bytes()) {
					t.Fatalf("seed %d, %+v: the text differs with %d workers", seed, opts, procs)
				}
			}
		}
	}
}

// failingWriter takes n bytes.
type failingWriter struct{ n int }

var errFull = errors.New("full")

func (w *failingWriter) Write(b []byte) (int, error) {
	if w.n -= len(b); w.n < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestPrintReportsWriteError(t *testing.T) {
	t.Parallel()
	op := parseOK(t, asmtest.BenchText(20000, asmtest.BenchTexts[1].Op))
	for _, n := range []int{0, 100_000} {
		if err := Print(&failingWriter{n}, op, Options{}); !errors.Is(err, errFull) {
			t.Errorf("got %v behind %d bytes, want %v", err, n, errFull)
		}
	}
}

// A hook that fails when its operation is partly written cannot be taken back.
func TestPrintReportsLateFailure(t *testing.T) {
	t.Parallel()
	d := &ir.Dialect{Name: "late"}
	d.Op(ir.OpDef{Name: "module", Traits: ir.IsolatedFromAbove | ir.SymbolTable | ir.NoTerminator, Regions: []ir.Field{{Name: "body"}},
		Print: func(p ir.AsmPrinter, op ir.Op) {
			p.Region(op.Region(0), false, true)
			panic("oops")
		}})
	ctx, _ := asmtest.NewContext(t)
	ctx.Register(d)
	for _, functions := range []int{1, 10_000} {
		src := "\"late.module\"() ({\n" + asmtest.BenchText(functions, asmtest.BenchTexts[1].Op) + "}) : () -> ()"
		op, err := parser.Parse(ctx, "late.mlir", []byte(src), parser.Options{ImplicitModule: asmtest.Module})
		if err != nil {
			t.Fatal(err)
		}
		err = Print(io.Discard, op, Options{})
		if written := functions > 1; (err != nil) != written || written && !strings.Contains(err.Error(), "cannot print 'late.module': oops") {
			t.Errorf("%d functions: got error %v", functions, err)
		}
	}
}

// What is kept in memory is bounded by the size of functions, not by their number.
func TestPrintHoldsFewBuffers(t *testing.T) {
	t.Parallel()
	op := parseOK(t, asmtest.BenchText(100_000, asmtest.BenchTexts[0].Op))
	p := &printer{ctx: op.Context(), types: new(typeMemo), out: &stream{w: io.Discard}}
	defer p.out.stop()
	p.top(op)
	if n, most := len(p.out.spare)+len(p.out.pending), 2*perWorker*runtime.GOMAXPROCS(0)+4; n > most {
		t.Errorf("%d buffers for a hundred functions, expected at most %d", n, most)
	}
	if err := p.out.finish(); err != nil {
		t.Error(err)
	}
}

func parseOK(t testing.TB, src string) ir.Op {
	t.Helper()
	ctx, diags := asmtest.NewContext(t)
	op, err := parser.Parse(ctx, "t.mlir", []byte(src), parser.Options{ImplicitModule: asmtest.Module})
	if err != nil {
		t.Fatalf("parse: %v\n%s\n%s", err, diags, src)
	}
	return op
}
