package difference_test

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/testdialect"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/ir/difference"
)

const module = `"test.module"() ({
"test.func"() <{sym_name = "f"}> ({
^bb0(%x: i32, %y: i32, %z: i8):
  %unused = "test.read"() : () -> i8 loc("a":9:1)
  %a = "test.sub"(%x, %y) {note = 1 : i32} : (i32, i32) -> i32 loc("a":1:1)
  %b = "test.region"(%a) ({
    "test.use"(%a, %x) : (i32, i32) -> () loc("a":2:1)
    "test.yield"() : () -> () loc("a":2:2)
  }) : (i32) -> i32 loc("a":3:1)
  "test.br"(%b)[^bb1, ^bb2] : (i32) -> () loc("a":4:1)
^bb1:
  "test.ret"() : () -> () loc("a":5:1)
^bb2:
  "test.ret"(%b) : (i32) -> () loc("a":6:1)
}) : () -> () loc("a":7:1)
}) : () -> () loc("a":8:1)
`

// TestBetween changes one thing and expects to be told of it, at its operation.
func TestBetween(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, old, new, op, want string }{
		{"nothing", "", "", "", ""},
		{"a name", "%a", "%other", "", ""},
		{"operation", "test.sub", "test.add", "test.sub", "is 'test.add'"},
		{"operand", "(%x, %y)", "(%x, %x)", "test.sub", "operand #1 is another value"},
		{"order of operands", "(%a, %x)", "(%x, %a)", "test.use", "operand #0 is another value"},
		{"result type", "() -> i8", "() -> i16", "test.read", "result #0 has type i8, then i16"},
		{"number of operands", "(%b) : (i32)", "() : ()", "test.ret", "has 1 operands, then 0"},
		{"type of an argument", "i8):", "i16):", "test.func", "block argument #2 has type i8, then i16"},
		{"attribute", `"f"`, `"g"`, "test.func", `has attribute 'sym_name' = "f", then "g"`},
		{"no attribute", `<{sym_name = "f"}> `, "", "test.func", `has attribute 'sym_name' = "f", then none`},
		{"other attributes", "note = 1", "note = 2", "test.sub", "has attributes {note = 1 : i32}, then {note = 2 : i32}"},
		{"successors", "[^bb1, ^bb2]", "[^bb2, ^bb1]", "test.br", "successor #0 is another block"},
		{"an operation less", `  "test.use"(%a, %x) : (i32, i32) -> () loc("a":2:1)` + "\n", "", "test.use", "is 'test.yield'"},
		{"the last operation less", `  "test.yield"() : () -> () loc("a":2:2)` + "\n", "", "test.yield", "is missing"},
		{"an operation more", `loc("a":2:2)`, `loc("a":2:2)` + "\n" + `"test.use"() : () -> ()`, "test.region", "has 'test.use' in addition"},
		{"location", `"a":1:1`, `"a":1:2`, "test.sub", `has location loc("a":1:1), then loc("a":1:2)`},
		{"location of what the text may leave out", `loc("a":2:2)`, "", "", ""},
		{"location of another operation", `loc("a":2:1)`, "", "test.use", "has location"},
		{"location of one with operands", `loc("a":6:1)`, "", "test.ret", "has location"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ctx := ir.NewContext(testdialect.Dialect)
			parse := func(file, text string) ir.Op {
				op, err := asm.Parse(ctx, file, []byte(text), asm.ParseOptions{})
				if err != nil {
					t.Fatal(err)
				}
				return op
			}
			a := parse("first", module)
			b := parse("second", strings.ReplaceAll(module, test.old, test.new))
			madeUp := func(l ir.Location) bool { at, ok := l.(*ir.FileLoc); return ok && at.File == "second" }
			d := difference.Between(a, b, difference.Options{MadeUp: madeUp})
			switch {
			case test.want == "" && d != nil:
				t.Errorf("'%s' differs: %s", d.Op.Name(), d.What)
			case test.want != "" && d == nil:
				t.Errorf("no difference, expected %q", test.want)
			case test.want != "" && (d.Op.Name() != test.op || !strings.HasPrefix(d.What, test.want)):
				t.Errorf("got '%s': %s, expected '%s': %s", d.Op.Name(), d.What, test.op, test.want)
			}
		})
	}
}
