package parser_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/index"
	"github.com/tilewright/tilewright/ir/asm/parser"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// indexed reads a text for an index and returns its errors as "line:column: message".
func indexed(t *testing.T, text string) (ir.Op, *index.Index, []string) {
	t.Helper()
	c := tileir.NewContext()
	var errs []string
	c.Diag.Push(func(d *ir.Diagnostic) {
		at := ir.FileLocOf(d.Loc)
		errs = append(errs, fmt.Sprintf("%d:%d: %s", at.Line, at.Column, d.Message))
	})
	op, x, err := parser.ParseIndexed(context.Background(), c, "x.mlir", []byte(text), tileir.Syntax())
	if (err != nil) != (len(errs) > 0) {
		t.Fatalf("the error is %v, of %q", err, errs)
	}
	return op, x, errs
}

// Each mistake is reported once, and what follows from it is not.
func TestRecovery(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"two operations", `
cuda_tile.module @m {
  entry @k() {
    %0 = constant <i32: > : tile<i32>
    %1 = addi %0, %0 : tile<i32>
    %2 = nothing %1 : tile<i32>
    %3 = muli %2, %1 : tile<i32>
    return
  }
}`, "4:25: ; 6:10: custom op 'nothing' is unknown"},
		{"half an operation", `
cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
    %1 = addi %a,
    %2 = muli %a, %a : tile<i32>
    %3 = addi %1, %2 : tile<i32>
    return
  }
}`, "5:8: "},
		{"only names", `
cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
    %1 =
    %2 = muli %a, %1 : tile<i32>
    return
  }
}`, "5:5: "},
		{"an open brace", `
cuda_tile.module @m {
  entry @k(%a: tile<i32>, %c: tile<i1>) {
    if %c {
    %2 = muli %a, %a : tile<i32>
    return
  }
  entry @l() { return }
}`, "9:2: expected '}'"},
		{"the end is missing", `
cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
    %2 = muli %a, %a : tile<i32>
    return
`, "6:1: expected '}'"},
		{"undeclared", `
cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
    %2 = muli %b, %a : tile<i32>
    %3 = muli %c, %b : tile<i32>
    return
  }
}`, "4:15: use of undeclared; 5:15: use of undeclared"},
		{"an alias", `
#bad = #nothing.at.all
cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
    %1 = muli %a, %a {x = #bad} : tile<i32>
    %2 = muli %a, %1 {x = #worse} : tile<i32>
    return
  }
}`, "2:; 6:27: undefined symbol alias id 'worse'"},
		{"garbage at the top", ")))\nentry @k() { return }\n}\n", "1:1: ; 3:1: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, errs := indexed(t, tt.text)
			want := strings.Split(tt.want, "; ")
			ok := len(errs) == len(want)
			for i := range min(len(errs), len(want)) {
				ok = ok && strings.HasPrefix(errs[i], want[i])
			}
			if !ok {
				t.Errorf("got %q, expected %q", errs, want)
			}
		})
	}
}

// What is right stays readable around what is not.
func TestIndex(t *testing.T) {
	const text = `cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
    %first = addi %a, %a : tile<i32>
    %bad = addi %first %a : tile<i32>
    %r:2 = for %i in (%a to %first, step %a) : tile<i32> iter_values(%x = %a, %y = %bad) -> (tile<i32>, tile<i32>) {
      %z = muli %x, %i : tile<i32>
      continue %z, %y : tile<i32>, tile<i32>
    }
    %last = addi %r#1, %bad : tile<i32> loc("k.py":7:3)
    return
  }
}
`
	_, x, errs := indexed(t, text)
	if len(errs) != 1 {
		t.Fatalf("errors: %q", errs)
	}
	def := func(use string) string {
		t.Helper()
		before, after, ok := strings.Cut(text, use)
		if !ok {
			t.Fatalf("no %q", use)
		}
		m, ok := x.At(len(before) + 1 + strings.IndexByte(after, 0)) // one behind the start
		if !ok || m.Def < 0 {
			return ""
		}
		end := strings.IndexByte(text[m.Def:], '\n')
		what := text[m.Def : m.Def+min(end, 6)]
		if v, ok := x.Value(m); ok {
			what += " " + ir.TypeString(v.Type())
		}
		return what
	}
	for use, want := range map[string]string{
		"%x, %i": "%x = % !cuda_tile.tile<i32>", "%i : t": "%i in  !cuda_tile.tile<i32>", "%r#1": "%r:2 = !cuda_tile.tile<i32>", "%bad :": "%bad =",
		"%z, %y": "%z = m !cuda_tile.tile<i32>", "%a to": "%a: ti !cuda_tile.tile<i32>",
	} {
		if got := def(use); got != want {
			t.Errorf("%s is %q, expected %q", use, got, want)
		}
	}
	at := strings.Index(text, "muli")
	s, ok := x.OpAt(at)
	if !ok || s.Op.Name() != "cuda_tile.muli" || text[s.Start:s.End] != "%z = muli %x, %i : tile<i32>" {
		t.Errorf("at muli: %q", text[s.Start:s.End])
	}
	s, _ = x.OpAt(strings.Index(text, "%last"))
	if f := ir.FileLocOf(s.Written); f == nil || f.File != "k.py" || ir.FileLocOf(s.Op.Loc()).File != "x.mlir" {
		t.Errorf("the location of %%last: %v in %v", s.Op.Loc(), s.Written)
	}
}

// A text that nobody waits for any more is not read to its end.
func TestCancelledParse(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err := parser.ParseIndexed(ctx, tileir.NewContext(), "x.mlir", []byte("entry @k() { return }"), tileir.Syntax())
	if err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

// Whatever the text is, the parser ends, and says no more than its bound.
func FuzzRecovery(f *testing.F) {
	f.Add("cuda_tile.module @m { entry @k() { %0 = \n } }")
	f.Add("#a = \n!b = tile<\n{ { {\n^bb0: %1 = addi\n}")
	f.Fuzz(func(t *testing.T, text string) {
		op, x, errs := indexed(t, text)
		if len(errs) > 100 {
			t.Errorf("%d errors", len(errs))
		}
		if len(errs) == 0 && op.IsNil() {
			t.Error("neither an operation nor an error")
		}
		for _, m := range x.Mentions {
			x.Value(m)
		}
		for i := range len(text) + 1 {
			x.At(i)
			x.OpAt(i)
		}
	})
}
