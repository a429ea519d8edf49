package compute

import (
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/sched"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

func init() {
	core.Define(core.Table{cudatile.Print: {Run: printOp}})
	for _, l := range core.Levels {
		core.Define(core.Table{l.Print: {Run: func(d *core.Decoder, op ir.Op) (core.Action, error) {
			return printf(d, op, op.StringAttr(tile.AttrFormat))
		}}})
	}
}

// printOp writes the elements of a tile in row-major order, in brackets.
func printOp(d *core.Decoder, op ir.Op) (core.Action, error) {
	return printf(d, op, op.StringAttr("str"))
}

// printf decodes a print with a format.
func printf(d *core.Decoder, op ir.Op, format string) (core.Action, error) {
	args := op.OperandsNamed("args")
	slots := d.SlotsOf(args)
	pieces := values.ParseFormat(format)
	d.Program.Prints = true
	return func(m *core.Machine) error {
		if m.Launch.Prints.To == nil {
			return nil
		}
		var b strings.Builder
		next := 0
		for _, p := range pieces {
			switch {
			case p.Verb == 0:
				b.WriteString(p.Text)
			case next < len(slots):
				printTile(&b, p, values.ElemOf(args[next]), values.ShapeOf(args[next]), m.Vals[slots[next]], 0)
				next++
			}
		}
		return m.Launch.Prints.Print(m.Unit, sched.Print{Op: op, Text: b.String()})
	}, nil
}

func printTile(b *strings.Builder, p values.Piece, elem ir.Type, shape []int64, v *values.Vec, first int) {
	if len(shape) == 0 {
		if v.IsUndef(first) {
			b.WriteByte('?')
		} else {
			b.WriteString(p.Format(elem, v.Data[first]))
		}
		return
	}
	b.WriteByte('[')
	step := values.Count(shape[1:])
	for i := range int(shape[0]) {
		if i > 0 {
			b.WriteString(", ")
		}
		printTile(b, p, elem, shape[1:], v, first+i*step)
	}
	b.WriteByte(']')
}
