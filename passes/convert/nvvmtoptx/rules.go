package nvvmtoptx

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptx"
)

// A rule writes one operation.
type rule func(e *emitter, op ir.Op) error

// rules has the rule of every operation that has one; the files of the families fill it.
//
// It is a map by row and not a switch. A family of operations is one file, with its rules next to the code that
// they call. A plugin's row gets a rule by one call of add.
var rules = map[*ir.OpDef]rule{
	arith.Constant: func(*emitter, ir.Op) error { return nil }, // written where it is used
}

func add(list map[*ir.OpDef]rule) {
	for def, r := range list {
		// Two rules for one operation would be a race of init functions for which one holds.
		if rules[def] != nil {
			panic("nvvmtoptx: two rules for " + def.FullName())
		}
		rules[def] = r
	}
}

// A typeChoice says under which type an instruction works on values of a kind; zero: it does not.
//
// add.s32 and add.u32 do the same; the signed type is written where either would do, as nvcc does.
type typeChoice func(k *kind) ptx.Mod

func bitsType(k *kind) ptx.Mod     { return k.b }
func unsignedType(k *kind) ptx.Mod { return k.u }
func signedType(k *kind) ptx.Mod   { return k.s }

// emit writes an instruction. Its operands are ready by then: making one may write instructions of its own, which
// must come before.
func (e *emitter) emit(op ptx.Op, mods []ptx.Mod, args ...ptx.Operand) {
	e.emitIf(0, op, mods, args...)
}

// emitIf is emit under a predicate; 0: none.
func (e *emitter) emitIf(pred ptx.Reg, op ptx.Op, mods []ptx.Mod, args ...ptx.Operand) {
	i := e.body.Ins(op)
	for _, m := range mods {
		// A choice that does not apply is zero, so that callers list what may be there in the order in which PTX
		// wants it.
		if m != 0 {
			i = i.Mod(m)
		}
	}
	if i.Args(args...); pred != 0 {
		i.If(pred)
	}
}

// mods lists modifiers, of which zero ones are not written.
func mods(list ...ptx.Mod) []ptx.Mod { return list }

// apply writes an instruction from the operands of an operation to its result.
func (e *emitter) apply(o ir.Op, op ptx.Op, mods []ptx.Mod) {
	args := []ptx.Operand{ptx.R(e.def(o.Result(0)))}
	for _, v := range o.Operands() {
		args = append(args, e.use(v))
	}
	e.emit(op, mods, args...)
}

// simple is the rule of an operation that is one instruction, with the operands in order.
func simple(op ptx.Op, choose typeChoice, before ...ptx.Mod) rule {
	return func(e *emitter, o ir.Op) error {
		t, err := resultType(o, choose)
		if err != nil {
			return err
		}
		e.apply(o, op, append(append([]ptx.Mod{}, before...), t))
		return nil
	}
}

// resultType returns the type of the instruction for an operation's result.
func resultType(o ir.Op, choose typeChoice) (ptx.Mod, error) {
	if t := choose(kindOf(o.Result(0).Type())); t != 0 {
		return t, nil
	}
	return 0, unsupported(o, o.Result(0).Type())
}

func unsupported(o ir.Op, t ir.Type) error {
	return o.Errorf("on type '%s' has no PTX instruction", ir.TypeString(t))
}
