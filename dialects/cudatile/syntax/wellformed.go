package syntax

import "github.com/tilewright/tilewright/ir"

// Guarded returns a print hook that does not run on an operation that it could not rely on: printing is for wrong IR
// as well.
func Guarded(print func(ir.AsmPrinter, ir.Op)) func(ir.AsmPrinter, ir.Op) {
	return func(p ir.AsmPrinter, op ir.Op) {
		if !wellFormed(op) {
			p.Str(" <<malformed operation>>")
			return
		}
		print(p, op)
	}
}

// wellFormed reports whether an operation has the operands, results and regions that its row requires.
func wellFormed(op ir.Op) bool {
	def := op.Def()
	for i, f := range def.Operands {
		if lo, hi := op.OperandRange(i); f.Arity == ir.One && hi-lo != 1 {
			return false
		}
	}
	for i, f := range def.Results {
		if lo, hi := op.ResultRange(i); f.Arity == ir.One && hi-lo != 1 {
			return false
		}
	}
	if op.NumRegions() != len(def.Regions) {
		return false
	}
	for i, f := range def.Regions {
		if f.Blocks == 1 && !op.Region(i).HasOneBlock() {
			return false
		}
	}
	return operandsSet(op)
}

func operandsSet(op ir.Op) bool {
	for i := range op.NumOperands() {
		if op.Operand(i).IsNil() {
			return false
		}
	}
	return true
}
