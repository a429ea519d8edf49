package scf

import (
	"github.com/tilewright/tilewright/ir"
)

// isOp compares by name, because the rows refer to the verifiers.
//
// A reference to the row from the verifier that the row refers to is a cycle of initialisation in Go.
func isOp(op ir.Op, name string) bool { return op.Dialect() == Dialect && op.Def().Name == name }

func isLoop(op ir.Op) bool { return isOp(op, "for") || isOp(op, "loop") }

func verifyIf(op ir.Op) error {
	if op.Region(0).Empty() {
		return op.Errorf("needs a then region")
	}
	if n := op.NumResults(); n > 0 && op.Region(1).Empty() {
		return op.Errorf("has %d results, so it must have an else region", n)
	}
	for i := range 2 {
		r := op.Region(i)
		if r.Empty() {
			continue
		}
		if n := r.First().NumArgs(); n > 0 {
			return op.Errorf("region #%d must have no arguments, but got %d", i, n)
		}
	}
	return nil
}

func verifyYield(op ir.Op) error { return matches(op.ParentOp(), op, op.ParentOp().ResultTypes()) }

// matches checks that what a terminator passes to op is of the wanted types.
func matches(op, term ir.Op, want []ir.Type) error {
	if n := term.NumOperands(); n != len(want) {
		return term.Errorf("passes %d values to '%s', which needs %d", n, op.Name(), len(want))
	}
	for i, t := range want {
		if got := term.Operand(i).Type(); got != t {
			return term.Errorf("operand #%d must have type '%s' for '%s', but got '%s'", i, ir.TypeString(t), op.Name(), ir.TypeString(got))
		}
	}
	return nil
}

func verifyContinue(op ir.Op) error {
	loop := enclosing(op)
	if loop.IsNil() {
		return notInLoop(op)
	}
	first := 0
	if isOp(loop, "for") {
		first = NumBounds
	}
	var want []ir.Type
	for i := first; i < loop.NumOperands(); i++ {
		want = append(want, loop.Operand(i).Type())
	}
	return matches(loop, op, want)
}

func verifyBreak(op ir.Op) error {
	loop := enclosing(op)
	switch {
	case loop.IsNil():
		return notInLoop(op)
	case isOp(loop, "for"):
		return op.Errorf("cannot leave an 'scf.for', which runs to its end")
	}
	return matches(loop, op, loop.ResultTypes())
}

func notInLoop(op ir.Op) error {
	what := "nothing"
	if p := op.ParentOp(); !p.IsNil() {
		what = "'" + p.Name() + "'"
	}
	return op.Errorf("must stand in an 'scf.for' or 'scf.loop', or in 'scf.if' there, but stands in %s", what)
}

func verifyFor(op ir.Op) error {
	if err := verifyBody(op, op.NumOperands()-NumBounds+1); err != nil {
		return err
	}
	l := forLoop(op)
	if op.NumResults() != l.NumIterArgs {
		return op.Errorf("must have a result for each of %d initial values, but got %d", l.NumIterArgs, op.NumResults())
	}
	t := l.IndVar.Type()
	for i, name := range []string{"lower bound", "upper bound", "step"} {
		if got := op.Operand(i).Type(); got != t {
			return op.Errorf("%s must have the type '%s' of the counter, but got '%s'", name, ir.TypeString(t), ir.TypeString(got))
		}
	}
	for i := range l.NumIterArgs {
		if want, got := l.Init(i).Type(), l.Result(i).Type(); got != want {
			return op.Errorf("result #%d must have the type '%s' of its initial value, but got '%s'", i, ir.TypeString(want), ir.TypeString(got))
		}
	}
	return verifyCarried(op, l)
}

func verifyLoop(op ir.Op) error {
	if err := verifyBody(op, op.NumOperands()); err != nil {
		return err
	}
	return verifyCarried(op, loopLoop(op))
}

// verifyBody checks that a loop has a body with n arguments.
func verifyBody(op ir.Op, n int) error {
	if op.Region(0).Empty() {
		return op.Errorf("needs a body")
	}
	if got := op.Body().NumArgs(); got != n {
		return op.Errorf("body must have %d arguments, but got %d", n, got)
	}
	return nil
}

func verifyCarried(op ir.Op, l ir.Loop) error {
	for i := range l.NumIterArgs {
		if want, got := l.Init(i).Type(), l.IterArg(i).Type(); got != want {
			return op.Errorf("loop-carried value #%d must have the type '%s' of its initial value, but got '%s'", i,
				ir.TypeString(want), ir.TypeString(got))
		}
	}
	return nil
}
