package core

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Levels are the levels below cuda_tile that can be executed.
var Levels = []*tile.Level{tileaa.Level, tileas.Level}

// A Row says how an operation is executed. Each operation has one, which the package that executes it defines.
type Row struct {
	Run    Rule      // decodes an operation without regions
	Nest   NestRule  // decodes an operation with regions
	As     *ir.OpDef // or: the operation whose row executes it, so that both have one meaning
	Vector bool      // element-wise, so that it runs on any number of elements

	MakesNarrow bool // its result may be narrow (Decoder.Narrow)
	TakesNarrow bool // element-wise, and its operands may be narrow; its result is, if all of them are

	// TakesRows reports whether an operand may stay in memory (Decoder.InMemory); nil: none may.
	TakesRows func(op ir.Op, operand int) bool

	// Pairs returns what combines the first and the second elements of pairs of neighbours at once; nil: nothing does.
	// Its results may be where the first pairs are.
	Pairs func(op ir.Op) func(out, pairs []uint64)
	End   Exit // where control goes after a terminator

	Entry     bool // a launch can name it
	Allocates bool // its memory ends with the enclosing block
}

// A Table holds the rows that a package defines.
type Table = map[*ir.OpDef]Row

// An Action executes an operation without regions, a Nested one with regions.
//
// A body ends with an Exit: yield ends an if or the body of a reduction, continue an iteration, break a loop, return
// the entry. An Exit passes outwards to the operation that it ends.
type (
	Action = func(m *Machine) error
	Nested = func(m *Machine) (Exit, error)
)

// A Rule decodes an operation into what executes it.
type (
	Rule     = func(d *Decoder, op ir.Op) (Action, error)
	NestRule = func(d *Decoder, op ir.Op) (Nested, error)
)

var rows = Table{}

// Define adds rows. Init functions call it.
func Define(more Table) {
	for def, r := range more {
		if _, twice := rows[def]; twice {
			panic("interp: two rows for " + def.FullName())
		}
		rows[def] = r
	}
}

// RowOf returns the row of an operation. It is zero if nothing executes the operation.
func RowOf(def *ir.OpDef) Row {
	r := rows[def]
	if r.As != nil {
		return rows[r.As]
	}
	return r
}

func init() {
	Define(Table{
		cudatile.Entry: {Entry: true},
		cudatile.Yield: {End: ExitYield}, cudatile.Continue: {End: ExitContinue}, cudatile.Break: {End: ExitBreak}, cudatile.Return: {End: exitReturn},
		scf.Yield: {End: ExitYield}, scf.Continue: {End: ExitContinue}, scf.Break: {End: ExitBreak},
		tileas.EndRole: {End: ExitYield},
	})
	for _, l := range Levels {
		Define(Table{l.Func: {Entry: true}, l.Return: {End: exitReturn}, l.Yield: {End: ExitYield}})
	}
}

// IsEntry reports whether an operation is a kernel that the interpreter can run, at any of its levels.
func IsEntry(op ir.Op) bool { return rows[op.Def()].Entry }

// Nothing is the action of an operation without effect.
func Nothing(*Machine) error { return nil }
