package scf

import (
	"github.com/tilewright/tilewright/ir"
)

// isOp compares by name, because the rows refer to the verifiers.
func isOp(op ir.Op, name string) bool { return op.Dialect() == Dialect && op.Def().Name == name }

func verifyIf(op ir.Op) error {
	if op.NumResults() > 0 && op.Region(1).Empty() {
		return op.Errorf("has results, so it must have an else region")
	}
	for i := range 2 {
		r := op.Region(i)
		if r.Empty() {
			continue
		}
		term := r.First().Last()
		if !term.IsNil() && isOp(term, "yield") {
			if err := matches(op, term, op.ResultTypes()); err != nil {
				return err
			}
		}
	}
	return nil
}

func matches(op, term ir.Op, want []ir.Type) error {
	if term.NumOperands() != len(want) {
		return term.Errorf("has %d operands, but '%s' needs %d", term.NumOperands(), op.Name(), len(want))
	}
	for i, t := range want {
		if term.Operand(i).Type() != t {
			return term.Errorf("operand #%d has not the type that '%s' needs", i, op.Name())
		}
	}
	return nil
}

func carried(l ir.Loop) (ts []ir.Type) {
	for i := range l.NumIterArgs {
		ts = append(ts, l.Init(i).Type())
	}
	return ts
}

func verifyFor(op ir.Op) error {
	if op.Region(0).Empty() || op.NumOperands() < 3 {
		return op.Errorf("needs a body")
	}
	l := forLoop(op)
	if op.NumResults() != l.NumIterArgs || op.Body().NumArgs() != l.NumIterArgs+1 {
		return op.Errorf("needs as many results and body arguments as initial values")
	}
	if t := l.IndVar.Type(); l.Lower.Type() != t || l.Upper.Type() != t || l.Step.Type() != t {
		return op.Errorf("bounds, step and counter must have one type")
	}
	for i, t := range carried(l) {
		if l.IterArg(i).Type() != t || l.Result(i).Type() != t {
			return op.Errorf("loop-carried value #%d changes its type", i)
		}
	}
	return verifyExits(op, carried(l))
}

func verifyLoop(op ir.Op) error {
	if op.Region(0).Empty() {
		return op.Errorf("needs a body")
	}
	l := loopLoop(op)
	if op.Body().NumArgs() != l.NumIterArgs {
		return op.Errorf("needs as many body arguments as initial values")
	}
	for i, t := range carried(l) {
		if l.IterArg(i).Type() != t {
			return op.Errorf("loop-carried value #%d changes its type", i)
		}
	}
	return verifyExits(op, carried(l))
}

// verifyExits checks the continues and breaks that belong to the loop.
func verifyExits(loop ir.Op, next []ir.Type) (err error) {
	if term := loop.Body().Last(); term.IsNil() || isOp(term, "yield") {
		return loop.Errorf("body must not end in a yield")
	}
	loop.Walk(func(op ir.Op) ir.WalkResult {
		switch {
		case op != loop && (isOp(op, "for") || isOp(op, "loop")):
			return ir.SkipBelow
		case isOp(op, "continue"):
			err = matches(loop, op, next)
		case isOp(op, "break") && isOp(loop, "for"):
			err = op.Errorf("cannot leave a counting loop")
		case isOp(op, "break"):
			err = matches(loop, op, loop.ResultTypes())
		}
		if err != nil {
			return ir.Interrupt
		}
		return ir.Advance
	})
	return err
}
