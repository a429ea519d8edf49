package builtin_test

import (
	"testing"

	"github.com/tilewright/tilewright/dialects/builtin"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
)

func TestText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, in, want string }{
		{"empty", "module {}", "module {\n}\n"},
		{"prefix", "builtin.module {\n}", "module {\n}\n"},
		{"named", `module @m attributes {x = 1 : i32, sym_visibility = "private"} {}`,
			"module @m attributes {sym_visibility = \"private\", x = 1 : i32} {\n}\n"},
		{"nested", "module { module @inner {} }", "module {\n  module @inner {\n  }\n}\n"},
		{"cast", "module {\n %a = unrealized_conversion_cast to i32\n" +
			" %b:2 = unrealized_conversion_cast %a : i32 to i16, f32 {k}\n %c = builtin.unrealized_conversion_cast %b#0, %b#1 : i16, f32 to i32\n}",
			"module {\n  %a = unrealized_conversion_cast to i32\n" +
				"  %b:2 = unrealized_conversion_cast %a : i32 to i16, f32 {k}\n" +
				"  %c = unrealized_conversion_cast %b#0, %b#1 : i16, f32 to i32\n}\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := ir.NewContext(builtin.Dialect)
			op, err := asm.Parse(c, "in", []byte(test.in), asm.ParseOptions{TopDialects: []*ir.Dialect{builtin.Dialect}})
			if err != nil {
				t.Fatal(err)
			}
			if err := ir.Verify(op); err != nil {
				t.Fatal(err)
			}
			if got := asm.String(op) + "\n"; got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestRejected(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no results":      `"builtin.unrealized_conversion_cast"() : () -> ()`,
		"two blocks":      "module {\n^a:\n^b:\n}",
		"same name twice": "module {\n  module @a {}\n  module @a {}\n}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := ir.NewContext(builtin.Dialect)
			op, err := asm.Parse(c, "in", []byte(text), asm.ParseOptions{ImplicitModule: builtin.Module})
			if err == nil && ir.Verify(op) == nil {
				t.Errorf("%q was accepted", text)
			}
		})
	}
}

func TestNewModuleAndFold(t *testing.T) {
	t.Parallel()
	c := ir.NewContext(builtin.Dialect)
	b := ir.BuilderAtEnd(builtin.NewModule(c, nil).Body())
	a := builtin.NewCast(b, nil, []ir.Type{c.Int(32)})
	there := builtin.NewCast(b, a, []ir.Type{c.F32()})
	back := builtin.NewCast(b, there, []ir.Type{c.Int(32)})
	elsewhere := builtin.NewCast(b, there, []ir.Type{c.Int(16)})
	if r := builtin.Cast.Fold(back[0].DefiningOp(), nil); len(r) != 1 || r[0].Value != a[0] {
		t.Errorf("there and back: got %v, want %v", r, a[0])
	}
	if r := builtin.Cast.Fold(elsewhere[0].DefiningOp(), nil); r != nil {
		t.Errorf("to another type: got %v, want none", r)
	}
	if r := builtin.Cast.Fold(a[0].DefiningOp(), nil); r != nil {
		t.Errorf("of nothing: got %v, want none", r)
	}
}
