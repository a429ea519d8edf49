package asm

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
)

// roundTrips are bodies of a module. Each prints as want (itself when empty) and that text prints as itself; so does the generic form.
var roundTrips = []struct{ name, src, want string }{
	{"empty op", `"u.x"() : () -> ()`, ""},
	{"results and groups", "%0:2 = \"u.x\"() : () -> (i32, f32)\n\"u.y\"(%0#1, %0#0) : (f32, i32) -> ()", ""},
	{"names are kept", "%a, %b:2 = \"u.x\"() : () -> (i32, f32, f32)\n\"u.y\"(%b#1, %a) : (f32, i32) -> ()", ""},
	{"numbers are not", "%7 = \"u.x\"() : () -> i32\n\"u.y\"(%7) : (i32) -> ()", "%0 = \"u.x\"() : () -> i32\n\"u.y\"(%0) : (i32) -> ()"},
	{"attributes", `"u.x"() {a = 1 : i32, b = "x\0A\22\\", c, d = [1, 2.500000e+00, 3 : i8], e = 5 : index, "odd name" = true, n = {x = unit, y}} : () -> ()`,
		`"u.x"() {a = 1 : i32, b = "x\0A\22\\", c, d = [1, 2.500000e+00, 3 : i8], e = 5 : index, n = {x, y}, "odd name" = true} : () -> ()`},
	{"symbols and types", `"u.x"() {f = @a::@"b c"::@d, g = i32, h = (i32, f32) -> (), i = () -> (() -> i1), j = tensor<2x3xf16>} : () -> ()`, ""},
	{"patterns", `"u.x"() {a = 0x7FF0000000000000 : f64, b = [0xFFF0000000000000 : f64, 1.500000e+00]} : () -> ()`, ""},
	{"dense", `"u.x"() {a = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>, b = dense<-1> : tensor<4xi32>, c = dense<[true, false]> : tensor<2xi1>, d = dense<> : tensor<0xf32>, e = dense<[0x7FC0, 1.000000e+00]> : tensor<2xbf16>} : () -> ()`, ""},
	{"dense variants", `"u.x"() {a = dense<[1, 1]> : tensor<2xi8>, b = dense<"0x0102"> : tensor<2xi8>} : () -> ()`,
		`"u.x"() {a = dense<1> : tensor<2xi8>, b = dense<[1, 2]> : tensor<2xi8>} : () -> ()`},
	{"dense arrays", `"u.x"() {a = array<i32: 1, -2>, b = array<i1: true, false>, c = array<i64>, d = array<f32: 1.500000e+00, 0xFF800000>, e = array<i8: -1>} : () -> ()`, ""},
	{"opaque", `%0 = "u.x"() {a = #u.attr<1, "x>", [>]>} : () -> !u.ty<x -> {y}>`, `error`},
	{"opaque balanced", `%0 = "u.x"() {a = #u.attr<1, "x>", []>} : () -> !u.ty<x -> {y}>`, ""},
	{"properties", `%0 = "t.add"(%c, %c) <{mode = "fast"}> {z} : (i32, i32) -> i32
%c = "u.x"() : () -> i32`, "%sum = t.add %c, %c mode<fast> {z} : i32\n%c = \"u.x\"() : () -> i32"},
	{"regions", `"u.r"() ({
}, {
^bb0:
}, {
^bb0(%x: i32):
  "u.y"(%x) : (i32) -> ()
}) : () -> ()`, ""},
	{"cfg", `"u.r"() ({
  "u.br"()[^bb2, ^bb1] : () -> ()
^bb1:  // pred: ^bb0
  "u.use"(%0) : (i32) -> ()
^bb2(%a: i32, %1: f32):  // 2 preds: ^bb0, ^bb2
  %0 = "u.def"() : () -> i32
  "u.br"()[^bb2] : () -> ()
^bb3:  // no predecessors
  "u.end"() : () -> ()
}) : () -> ()`, `"u.r"() ({
  "u.br"()[^bb2, ^bb1] : () -> ()
^bb1:  // pred: ^bb0
  "u.use"(%1) : (i32) -> ()
^bb2(%a: i32, %0: f32):  // 2 preds: ^bb0, ^bb2
  %1 = "u.def"() : () -> i32
  "u.br"()[^bb2] : () -> ()
^bb3:  // no predecessors
  "u.end"() : () -> ()
}) : () -> ()`},
	{"hints", "%0 = t.add %1, %1 : i32\n%1 = t.add %0, %0 : i32\nt.func @f(%arg0: i32) {\n  %2 = t.add %arg0, %arg0 : i32\n}",
		"%sum = t.add %sum_0, %sum_0 : i32\n%sum_0 = t.add %sum, %sum : i32\nt.func @f(%arg0: i32) {\n  %sum = t.add %arg0, %arg0 : i32\n}"},
	{"hint groups", "%0, %1, %2 = t.pair : i32, f32\n\"u.x\"(%1, %2) : (i32, f32) -> ()", "%p:2, %third = t.pair : i32, f32\n\"u.x\"(%p#1, %third) : (i32, f32) -> ()"},
	{"functional type", "%0 = \"u.x\"() : () -> i32\n%1:2 = t.call @f(%0, %0) : (i32, i32) -> (i1, i2)\nt.call @g() {x} : () -> ()", ""},
	{"optional operands", `%p, %m, %c = "u.x"() : () -> (i64, i8, i1)
%0:2 = t.load %p : i64 -> f32
%1:2 = t.load %p, %m : i64, i8 -> f32
%2:2 = t.load %p or %m : i8 if %c align=16 volatile : i64 -> f32
%3:2 = t.load %p, %m if %c times 3 {x} : i64, i8 -> f32`, ""},
	{"default attribute", "%p = \"u.x\"() : () -> i64\n%0:2 = t.load %p times 1 : i64 -> f32", "%p = \"u.x\"() : () -> i64\n%0:2 = t.load %p : i64 -> f32"},
	{"successors", "\"u.r\"() ({\n  t.br ^bb1\n^bb1:  // 2 preds: ^bb0, ^bb1\n  %0 = \"u.x\"() : () -> i32\n  t.br ^bb1, ^bb2(%0 : i32) {x}\n^bb2:  // pred: ^bb1\n  t.ret %0 : i32\n}) : () -> ()", ""},
	{"format regions", "t.region hot {\n  \"u.x\"() : () -> ()\n} else {\n} attributes {a = 1 : i32}\nt.region {\n} else {\n^bb0:\n}", ""},
	{"directive", "t.flags set_x set_y\nt.flags  {z}", ""},
	{"alternative", "t.alt none\n%0 = \"u.x\"() : () -> i32\nt.alt some %0 : i32 {a}", ""},
	{"inferred type", "%0 = \"u.x\"() : () -> i32\n%1 = t.infer %0 : i32\n\"u.y\"(%1) : (tensor<i32>) -> ()", ""},
	{"short dialect", "s.kernel {\n^bb0(%x: !s.box<f32>):\n  %0 = id %x : box<f32>\n  %1 = s.id %0 : !s.box<f32>\n  %2 = const <[[1.0, 2.0], [3.0, 4.0]]> : box<f32>\n" +
		"  %3 = id %2 {a = !s.tok} : box<f32>\n  t.region {\n    %4 = s.const <1.0> : box<f32>\n  } else {\n  }\n}",
		"s.kernel {\n^bb0(%x: !s.box<f32>):\n  %0 = id %x : box<f32>\n  %1 = id %0 : box<f32>\n  %2 = const <[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : box<f32>\n" +
			"  %3 = id %2 {a = !s.tok} : box<f32>\n  t.region {\n    %4 = s.const <1.000000e+00> : box<f32>\n  } else {\n  }\n}"},
	{"nested types", "%0 = \"u.x\"() : () -> !t.box<!t.box<!s.box<box<!s.tok>>>>",
		"%0 = \"u.x\"() : () -> !t.box<!t.box<!s.box<box<tok>>>>"},
	{"names of closed regions", "t.region {\n  %x = \"u.x\"() : () -> i32\n} else {\n  %x = \"u.x\"() : () -> i32\n}\n%y = \"u.x\"() : () -> i32", ""},
	{"name of a region reused around it", "t.region {\n  %x = \"u.x\"() : () -> i32\n} else {\n}\n%x = \"u.x\"() : () -> i32",
		"t.region {\n  %x_0 = \"u.x\"() : () -> i32\n} else {\n}\n%x = \"u.x\"() : () -> i32"},
	{"forward out of a region", "t.region {\n  \"u.use\"(%y) : (i32) -> ()\n} else {\n  \"u.use\"(%y, %z#1) : (i32, f32) -> ()\n}\n%y = \"u.x\"() : () -> i32\n%z:2 = \"u.x\"() : () -> (i32, f32)", ""},
	{"variadic regions", "t.try {\n} catch {\n  \"u.x\"() : () -> ()\n}, {\n} finally {\n^bb0:\n} {a}\nt.try {\n}\nt.both {\n}, {\n}", ""},
	{"segments", "%x = \"u.x\"() : () -> i8\n%0:3 = t.split(%x, %x) : i8, i8 -> i1, i2 | i3", ""},
	{"type of the constraint", "%c = \"u.x\"() : () -> i1\n%0 = t.only %c @f / \"text\" -3 {z}\n%1 = t.only %0", "*"},
	{"hooks", "%x = \"u.x\"() : () -> i32\n%0 = t.loop (%a = %x, %b = %x) : i32, i32 loc(\"f\":1:2) [1, -2] dims<2x?x0x4xf32> \"te\\0Axt\" @s use %x : (i32) -> (i8)\n" +
		"    7 {\n  \"u.y\"(%a, %b) : (i32, i32) -> ()\n}\nt.loop () {\n}", "*"},
	{"odd names", "\"u.r\"() ({\n^bb0(%a-b$: i32, %_.x: i32):\n  \"u.y\"(%a-b$, %_.x) : (i32, i32) -> ()\n^entry.1:\n}) : () -> ()", "*"},
	{"comments and lines", "// start\n\"u.x\"() // here\n  : () // there\n -> ()\n// end", "\"u.x\"() : () -> ()"},
	{"verbose symbols", `"u.x"() {a = #t<layout<3>>, b = !t<box<i32>>} : () -> ()`, "*"},
}

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
	for _, tt := range roundTrips {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.want == "error" {
				ctx, _ := newCtx(t)
				if _, err := Parse(ctx, "t.mlir", []byte(tt.src), ParseOptions{ImplicitModule: testModule}); err == nil {
					t.Error("want an error")
				}
				return
			}
			text := print(t, parseOK(t, tt.src), PrintOptions{})
			want := tt.want
			if want == "" {
				want = tt.src
			}
			if want != "*" && text != "\"t.module\"() ({\n"+indented(want)+"}) : () -> ()\n" {
				t.Errorf("got:\n%s\nwant:\n%s", text, indented(want))
			}
			if again := print(t, parseOK(t, text), PrintOptions{}); again != text {
				t.Errorf("printing is not a fixed point:\n%s\n%s", text, again)
			}
			generic := print(t, parseOK(t, text), PrintOptions{Generic: true, DebugInfo: true})
			op := parseOK(t, generic)
			if again := print(t, op, PrintOptions{Generic: true, DebugInfo: true}); again != generic {
				t.Errorf("generic form is not a fixed point:\n%s\n%s", generic, again)
			}
			if custom := print(t, op, PrintOptions{}); !strings.Contains(generic, "%0") && custom != text {
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
	text := print(t, op, PrintOptions{DebugInfo: true})
	if text != src {
		t.Errorf("got:\n%s\nwant:\n%s", text, src)
	}
	inner := op.Body().First()
	if got := ir.FileLocOf(inner.Loc()); got == nil || got.Line != 3 {
		t.Errorf("source position of a dialect's location: got %v", got)
	}
	local := print(t, op, PrintOptions{DebugInfo: true, LocalScope: true})
	if strings.Contains(local, "#loc") || !strings.Contains(local, `loc(callsite(#s.scoped<loc("a.py":3:4) in #t.layout<7>> at "a.py":5:6))`) {
		t.Errorf("local scope:\n%s", local)
	}
	if again := print(t, parseOK(t, local), PrintOptions{DebugInfo: true}); again != src {
		t.Errorf("local scope does not read back:\n%s", again)
	}
	pretty := print(t, op, PrintOptions{PrettyDebugInfo: true})
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
	if got := print(t, parseOK(t, src), PrintOptions{DebugInfo: true}); got != src {
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
	text := print(t, op, PrintOptions{})
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
	text := print(t, op, PrintOptions{ElideLargeElements: 2})
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
	text := print(t, op, PrintOptions{})
	if !strings.Contains(text, `"t.func"() : () -> ()`) || !strings.Contains(text, `"s.const"() : () -> i32`) {
		t.Errorf("got:\n%s", text)
	}
}

func TestImplicitModule(t *testing.T) {
	t.Parallel()
	ctx, _ := newCtx(t)
	text := "func @a() {\n}\nfunc @b() {\n}\n"
	op, err := Parse(ctx, "m", []byte(text), ParseOptions{ImplicitModule: testModule, TopDialects: []*ir.Dialect{shortDialect, testDialect},
		ImplicitAttrs: []ir.NamedAttr{{Name: "x", Value: ctx.Unit()}}})
	if err != nil {
		t.Fatal(err)
	}
	if !op.Is(testModule) || op.Attr("x") == nil || !op.Body().First().Is(testFunc) {
		t.Errorf("got %s", String(op))
	}
	if got, want := print(t, op, PrintOptions{ImplicitModule: true}), "t.func @a() {\n}\nt.func @b() {\n}\n"; got != want {
		t.Errorf("got %s", got)
	}
	single, err := Parse(ctx, "m", []byte("\"t.module\"() ({}) : () -> ()"), ParseOptions{ImplicitModule: testModule})
	if err != nil || !single.Is(testModule) || single.NumRegions() != 1 || !single.Region(0).Empty() {
		t.Errorf("a module must not be wrapped: %v %v", single, err)
	}
	alone, err := Parse(ctx, "m", []byte("t.func @a() {\n}"), ParseOptions{})
	if err != nil || !alone.Is(testFunc) || !alone.ParentOp().IsNil() {
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
	ctx, diags := newCtx(t)
	var res []ResourceGroup
	op, err := Parse(ctx, "m", []byte(text), ParseOptions{ImplicitModule: testModule, Resources: &res})
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
	if got := print(t, op, PrintOptions{Resources: res}); got != text {
		t.Errorf("got:\n%s", got)
	}
}
