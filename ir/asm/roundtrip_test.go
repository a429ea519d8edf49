package asm

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/asmtest"
)

func indented(body string) string {
	if body == "" {
		return ""
	}
	lines := strings.Split(body, "\n")
	for i, l := range lines {
		lines[i] = "  " + l
	}
	return strings.Join(lines, "\n") + "\n"
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for _, tt := range asmtest.RoundTrips {
		t.Run(tt.Name, func(t *testing.T) {
			t.Parallel()
			if tt.Want == "error" {
				ctx, _ := asmtest.NewContext(t)
				if _, err := Parse(ctx, "t.mlir", []byte(tt.Src), ParseOptions{ImplicitModule: asmtest.Module}); err == nil {
					t.Error("want an error")
				}
				return
			}
			text := printed(t, parseOK(t, tt.Src), PrintOptions{})
			want := tt.Want
			if want == "" {
				want = tt.Src
			}
			if want != "*" && text != "\"t.module\"() ({\n"+indented(want)+"}) : () -> ()\n" {
				t.Errorf("got:\n%s\nwant:\n%s", text, indented(want))
			}
			if again := printed(t, parseOK(t, text), PrintOptions{}); again != text {
				t.Errorf("printing is not a fixed point:\n%s\n%s", text, again)
			}
			generic := printed(t, parseOK(t, text), PrintOptions{Generic: true, DebugInfo: true})
			op := parseOK(t, generic)
			if again := printed(t, op, PrintOptions{Generic: true, DebugInfo: true}); again != generic {
				t.Errorf("generic form is not a fixed point:\n%s\n%s", generic, again)
			}
			if custom := printed(t, op, PrintOptions{}); !strings.Contains(generic, "%0") && custom != text {
				t.Errorf("generic form is another module:\n%s\n%s", text, custom)
			}
		})
	}
}

func TestLocationAliases(t *testing.T) {
	t.Parallel()
	src := `#layout1 = #t.layout<1>
#layout2 = #t.layout<2, #layout1>
"t.module"() ({
  %0 = "u.x"() {a = #layout2} : () -> i32 loc(#loc4)
  "u.x"() {a = #layout1} : () -> () loc(#loc7)
  "u.x"() : () -> () loc(#loc5)
  "u.x"() : () -> () loc(#loc6)
}) : () -> () loc(#loc)
#layout = #t.layout<7>
#loc = loc("a.py":1:2)
#loc1 = loc("a.py":3:4)
#loc2 = loc("a.py":5:6)
#loc3 = loc(unknown)
#loc4 = #s.scoped<#loc1 in #layout>
#loc5 = loc("name"(#loc2))
#loc6 = loc(fused<#layout>[#loc1, #loc3])
#loc7 = loc(callsite(#loc4 at #loc2))
`
	op := parseOK(t, src)
	text := printed(t, op, PrintOptions{DebugInfo: true})
	if text != src {
		t.Errorf("got:\n%s\nwant:\n%s", text, src)
	}
	inner := op.Body().First()
	if got := ir.FileLocOf(inner.Loc()); got == nil || got.Line != 3 {
		t.Errorf("source position of a dialect's location: got %v", got)
	}
	local := printed(t, op, PrintOptions{DebugInfo: true, LocalScope: true})
	if strings.Contains(local, "#loc") || !strings.Contains(local, `loc(callsite(#s.scoped<loc("a.py":3:4) in #t.layout<7>> at "a.py":5:6))`) {
		t.Errorf("local scope:\n%s", local)
	}
	if again := printed(t, parseOK(t, local), PrintOptions{DebugInfo: true}); again != src {
		t.Errorf("local scope does not read back:\n%s", again)
	}
	pretty := printed(t, op, PrintOptions{PrettyDebugInfo: true})
	if !strings.Contains(pretty, "a.py:3:4 at a.py:5:6") || !strings.Contains(pretty, `"name"(a.py:5:6)`) {
		t.Errorf("pretty:\n%s", pretty)
	}
}

// An attribute that a location and an operation refer to is printed before the operations.
func TestAliasBecomesEarly(t *testing.T) {
	t.Parallel()
	src := `#layout = #t.layout<1>
#layout1 = #t.layout<2, #layout>
"t.module"() ({
  "u.x"() : () -> () loc(#loc2)
  "u.x"() {a = #layout1} : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc(unknown)
#loc1 = loc("a.py":3:4)
#loc2 = #s.scoped<#loc1 in #layout1>
`
	if got := printed(t, parseOK(t, src), PrintOptions{DebugInfo: true}); got != src {
		t.Errorf("got:\n%s\nwant:\n%s", got, src)
	}
}

// Names that other code chose are made printable and unique.
func TestNamesAreSanitized(t *testing.T) {
	t.Parallel()
	op := parseOK(t, "%a = \"u.x\"() : () -> i32\n%b = \"u.x\"() : () -> i32\n%c = \"u.x\"() : () -> i32\n%d = \"u.x\"() : () -> i32")
	for i, inner := 0, op.Body().First(); !inner.IsNil(); i, inner = i+1, inner.Next() {
		inner.Result(0).SetName([]string{"1st", "two words", "two words", "\xff%"}[i])
	}
	text := printed(t, op, PrintOptions{})
	for _, want := range []string{"%_1st =", "%two_words =", "%two_words_0 =", "%FF25 ="} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

func TestElidedConstants(t *testing.T) {
	t.Parallel()
	op := parseOK(t, `"u.x"() {a = dense<[1, 2, 3]> : tensor<3xi8>, b = dense<1> : tensor<3xi8>} : () -> ()
s.kernel {
  %0 = const <[[1.0, 2.0], [3.0, 4.0]]> : box<f32>
}`)
	text := printed(t, op, PrintOptions{ElideLargeElements: 2})
	if !strings.Contains(text, "{a = dense_resource<__elided__> : tensor<3xi8>, b = dense<1> : tensor<3xi8>}") ||
		!strings.Contains(text, "const <__elided__> : box<f32>") {
		t.Errorf("got:\n%s", text)
	}
}

func TestPrintOfInnerOperation(t *testing.T) {
	t.Parallel()
	op := parseOK(t, "t.func @f(%a: i32) {\n  %x = \"u.x\"() : () -> i32\n  t.region {\n    %1 = t.add %x, %a : i32\n  } else {\n  }\n}")
	inner := op.Body().First().Body().Last().Body().First()
	if got, want := String(inner), "%sum = t.add %x, %a : i32"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	inner.Erase()
	region := op.Body().First().Body().Last()
	if got, want := String(region), "t.region {\n^bb0:\n} else {\n}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A hook that trips over a malformed operation must not take the printer down.
func TestPrintMalformed(t *testing.T) {
	t.Parallel()
	op := parseOK(t, `"t.func"() : () -> ()
"t.add"() {a} : () -> i32
"s.const"() : () -> i32`)
	text := printed(t, op, PrintOptions{})
	if !strings.Contains(text, `"t.func"() : () -> ()`) || !strings.Contains(text, `"s.const"() : () -> i32`) {
		t.Errorf("got:\n%s", text)
	}
}

func TestImplicitModule(t *testing.T) {
	t.Parallel()
	ctx, _ := asmtest.NewContext(t)
	text := "func @a() {\n}\nfunc @b() {\n}\n"
	op, err := Parse(ctx, "m", []byte(text), ParseOptions{ImplicitModule: asmtest.Module, TopDialects: []*ir.Dialect{asmtest.Short, asmtest.Dialect},
		ImplicitAttrs: []ir.NamedAttr{{Name: "x", Value: ctx.Unit()}}})
	if err != nil {
		t.Fatal(err)
	}
	if !op.Is(asmtest.Module) || op.Attr("x") == nil || !op.Body().First().Is(asmtest.TestFunc) {
		t.Errorf("got %s", String(op))
	}
	if got, want := printed(t, op, PrintOptions{ImplicitModule: true}), "t.func @a() {\n}\nt.func @b() {\n}\n"; got != want {
		t.Errorf("got %s", got)
	}
	single, err := Parse(ctx, "m", []byte("\"t.module\"() ({}) : () -> ()"), ParseOptions{ImplicitModule: asmtest.Module})
	if err != nil || !single.Is(asmtest.Module) || single.NumRegions() != 1 || !single.Region(0).Empty() {
		t.Errorf("a module must not be wrapped: %v %v", single, err)
	}
	alone, err := Parse(ctx, "m", []byte("t.func @a() {\n}"), ParseOptions{})
	if err != nil || !alone.Is(asmtest.TestFunc) || !alone.ParentOp().IsNil() {
		t.Errorf("operation on its own: %v", err)
	}
}

func TestResources(t *testing.T) {
	t.Parallel()
	text := `"t.module"() ({
}) : () -> ()

{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(cse)",
      verify_each: true
    },
    other: {
      "odd key": "x"
    }
  },
  dialect_resources: {
    t: {
      blob: "0x01"
    }
  }
#-}
`
	ctx, diags := asmtest.NewContext(t)
	var res []ResourceGroup
	op, err := Parse(ctx, "m", []byte(text), ParseOptions{ImplicitModule: asmtest.Module, Resources: &res})
	if err != nil {
		t.Fatal(err, diags)
	}
	if len(res) != 3 || res[0].Key != "mlir_reproducer" {
		t.Fatalf("got %v", res)
	}
	if p, ok := res[0].Get("pipeline"); !ok || p.Text != "builtin.module(cse)" {
		t.Errorf("got %v", p)
	}
	if v, _ := res[0].Get("verify_each"); !v.Bool {
		t.Errorf("got %v", v)
	}
	if got := printed(t, op, PrintOptions{Resources: res}); got != text {
		t.Errorf("got:\n%s", got)
	}
}
