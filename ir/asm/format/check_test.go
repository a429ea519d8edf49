package format

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/asmtest"
)

func TestSyntaxOfRows(t *testing.T) {
	t.Parallel()
	for _, d := range []*ir.Dialect{asmtest.Dialect, asmtest.Short} {
		for _, def := range d.Ops() {
			if err := Check(def); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	t.Parallel()
	d := &ir.Dialect{Name: "bad"}
	base := ir.OpDef{
		Operands: []ir.Field{asmtest.AnyField("x"), asmtest.OptField("y")}, Results: []ir.Field{asmtest.AnyField("r")}, Regions: []ir.Field{{Name: "body"}},
		Attrs: []ir.Field{{Name: "a", Kind: ir.I32Kind}, {Name: "u", Kind: ir.UnitKind, Arity: ir.Optional}, {Name: "d", Kind: ir.DictKind, Arity: ir.Optional}},
	}
	for _, tt := range []struct{ name, syntax, want string }{
		{"variable", "$z attr-dict", "'$z' is no operand, attribute or region"},
		{"directive", "what attr-dict", "unknown directive 'what'"},
		{"custom", "custom<What>($a) attr-dict", "dialect 'bad' has no directive 'What'"},
		{"no dictionary", "$x", "'attr-dict' is missing"},
		{"two dictionaries", "attr-dict attr-dict", "'attr-dict' occurs twice"},
		{"operand twice", "$x $x attr-dict", "operand 'x' occurs twice"},
		{"attribute twice", "$a $a attr-dict", "attribute 'a' occurs twice"},
		{"region twice", "$body $body attr-dict", "region 'body' occurs twice"},
		{"operand missing", "$x $body attr-dict", "operand 'y' is missing"},
		{"region missing", "$x (`y` $y^)? attr-dict", "region 'body' is missing"},
		{"operand type", "$x (`y` $y^)? $body attr-dict type($r)", "the type of operand 'x' is not known"},
		{"result type", "$x (`y` $y^)? $body attr-dict type($x, $y)", "the type of result 'r' is not known"},
		{"type twice", "type($x) type($x) attr-dict", "the type of 'x' occurs twice"},
		{"type of nothing", "type($a)", "'$a' is no operand or result"},
		{"open literal", "`x", "expected '`' to close a literal"},
		{"odd literal", "`~`", "'~' is not a keyword or punctuation"},
		{"open group", "(`y` $y^", "expected ')' to close a group"},
		{"group without mark", "(`y` $y^) attr-dict", "expected '?'"},
		{"no anchor", "(`y` $y)?", "a group needs an anchor"},
		{"two anchors", "(`y`  $y^ $u^)?", "a group has one anchor"},
		{"anchor on a literal", "(`y`^)?", "anchor must be a variable"},
		{"required operand", "(`x` $x^)?", "operand 'x' of a group must be optional"},
		{"required attribute", "(`a` $a^)?", "attribute 'a' of a group must be optional"},
		{"unit outside", "$u attr-dict", "unit attribute 'u' must stand in a group"},
		{"nested group", "(`y` (`z`)? $y^)?", "groups do not nest"},
		{"undecidable", "($d^)?", "must not start with attribute 'd'"},
		{"operands twice", "$x operands", "operands occur twice"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			def := base
			def.Dialect, def.Name, def.Syntax = d, "op", tt.syntax
			row := (&ir.Dialect{Name: "bad"}).Op(def)
			err := Check(row)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), `"bad.op"`) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}
