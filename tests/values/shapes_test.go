package values

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/interp"
)

// TestValuesOfShapes executes operations that move or combine elements, of all element types with which their texts
// are legal.
func TestValuesOfShapes(t *testing.T) {
	t.Parallel()
	for _, def := range ops.Dialect.Ops() {
		lines := linesOf(t, def)
		if len(lines) == 0 || lines[0].Text == "" {
			continue
		}
		t.Run(def.Name, func(t *testing.T) {
			t.Parallel()
			c := tileir.NewContext()
			byText := make(map[string]map[string]*valueLine)
			for _, l := range lines {
				if byText[l.Text] == nil {
					byText[l.Text] = make(map[string]*valueLine)
				}
				byText[l.Text][l.key()] = l
				l.executeText(t, c, def)
			}
			for text, known := range byText {
				for _, types := range tuples(c, text) {
					l := &valueLine{Op: def.Name, Types: types, Text: text}
					if _, _, err := l.module(c); err == nil && known[l.key()] == nil {
						t.Errorf("there are no values of %v for %s", types, text)
					}
				}
			}
		})
	}
}

// tuples returns all choices of the types for which a text has places.
func tuples(c *ir.Context, text string) (out [][]string) {
	all := append(elementTypes(c), c.Int(4))
	for _, a := range all {
		if !strings.Contains(text, "$1") {
			out = append(out, []string{ir.TypeString(a)})
			continue
		}
		for _, b := range all {
			out = append(out, []string{ir.TypeString(a), ir.TypeString(b)})
		}
	}
	return out
}

// module parses the text of a line in a kernel that begins with constants for its operands, which are still to be
// given their values.
func (l *valueLine) module(c *ir.Context) (module, op ir.Op, err error) {
	text := l.Text
	for i, t := range l.Types {
		text = strings.ReplaceAll(text, fmt.Sprintf("$%d", i), t)
	}
	signature := text[strings.LastIndex(text, "%r"):]
	types := tileTypes(signature)
	var before strings.Builder
	for i, letter := range "abcde" {
		name := "%" + string(letter)
		if !strings.Contains(signature, name) || i >= len(types) {
			break
		}
		elem := types[i][strings.LastIndex(types[i], "x")+1:]
		elem = strings.TrimSuffix(strings.TrimPrefix(elem, "tile<"), ">")
		switch {
		case elem == "i4":
			wide := strings.Replace(types[i], "i4>", "i8>", 1)
			fmt.Fprintf(&before, "%s8 = constant <i8: 0> : %s\n%s = trunci %s8 : %s -> %s\n", name, wide, name, name, wide, types[i])
		case elem == "i1":
			fmt.Fprintf(&before, "%s = constant <i1: false> : %s\n", name, types[i])
		case elem[0] == 'i':
			fmt.Fprintf(&before, "%s = constant <%s: 0> : %s\n", name, elem, types[i])
		default:
			fmt.Fprintf(&before, "%s = constant <%s: 1.0> : %s\n", name, elem, types[i])
		}
	}
	src := "cuda_tile.module @m {\nentry @k() {\n" + before.String() + text + "\nreturn\n}\n}\n"
	module, err = asm.Parse(c, "k.mlir", []byte(src), asm.ParseOptions{})
	if err != nil {
		return module, op, err
	}
	if err := ir.Verify(module); err != nil {
		return module, op, err
	}
	module.Walk(func(o ir.Op) ir.WalkResult {
		if o.Name() == "cuda_tile."+l.Op {
			op = o
		}
		return ir.Advance
	})
	return module, op, nil
}

// tileTypes returns the types that follow the colon of an operation.
func tileTypes(text string) (out []string) {
	for rest := text; ; {
		i := strings.Index(rest, "tile<")
		if i < 0 {
			return out
		}
		n := strings.Index(rest[i:], ">") + 1
		out = append(out, rest[i:i+n])
		rest = rest[i+n:]
	}
}

// executeText gives the operands of a line their values, and compares what the operation yields.
func (l *valueLine) executeText(t *testing.T, c *ir.Context, def *ir.OpDef) {
	t.Helper()
	module, op, err := l.module(c)
	if err != nil {
		t.Errorf("%s: %v", l.Text, err)
		return
	}
	f := &foldBench{t: t, module: module, b: ir.BuilderAtStart(op.ParentOp().Body())}
	for i, in := range l.inputs {
		old := op.Operand(i)
		old.ReplaceAllUsesWith(f.tileOf(old.Type().(*cudatile.TileType), in))
	}
	seen := 0
	err = observe(module, func(o ir.Op, got interp.Tile) {
		if o != op {
			return
		}
		seen++
		for i, e := range l.want {
			if i >= len(got.Bits) || got.Bits[i] != e.bits || got.Undef != nil && got.Undef[i] {
				t.Errorf("%s of %v: got %x, unspecified %v, expected %s", l.Text, l.Types, got.Bits, got.Undef, l.Out)
				return
			}
		}
		if len(got.Bits) != len(l.want) {
			t.Errorf("%s of %v: %d elements, expected %d", l.Text, l.Types, len(got.Bits), len(l.want))
		}
	})
	if err != nil || seen != 1 {
		t.Errorf("%s: executed %d times, error %v", l.Text, seen, err)
	}
}
