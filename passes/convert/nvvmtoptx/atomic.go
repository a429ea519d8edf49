package nvvmtoptx

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/ptx"
	"github.com/tilewright/tilewright/target/sm"
)

func init() {
	add(map[*ir.OpDef]rule{
		nvvm.AtomicRMW: (*emitter).atomic,
		nvvm.AtomicCAS: (*emitter).compareAndSwap,
		nvvm.Red:       (*emitter).reduction,
		nvvm.Fence: func(e *emitter, o ir.Op) error {
			scope := o.StringAttr(nvvm.AttrScope)
			if scope == "cluster" {
				if err := e.need(o, sm.FenceCluster); err != nil {
					return err
				}
			}
			e.emit(ptx.OpFence, mods(ptx.AcqRel, scopes[scope]))
			return nil
		},
	})
}

// An atomicForm is an atomic operation: its modifier and the type that it works on values of a kind under.
//
// Only integers have min and max: atom has no floating-point ones on f32 (PTX ISA, "atom": .min and .max on
// integers and packed halves). Level tileas asks for none.
type atomicForm struct {
	mod    ptx.Mod
	choose typeChoice
}

// Unsigned: an addition is the same for both signs.
func addType(k *kind) ptx.Mod {
	switch {
	case k.f != 0:
		return k.f
	case k.bits >= 32:
		return k.u
	}
	return 0
}

// wide limits a choice to the 32 and 64 bits that integer atomics have.
func wide(choose typeChoice) typeChoice {
	return func(k *kind) ptx.Mod {
		if k.bits < 32 {
			return 0
		}
		return choose(k)
	}
}

var atomicForms = map[string]atomicForm{
	"add": {ptx.AddMod, addType}, "and": {ptx.AndMod, wide(bitsType)}, "or": {ptx.OrMod, wide(bitsType)}, "xor": {ptx.XorMod, wide(bitsType)},
	"min": {ptx.MinMod, wide(signedType)}, "max": {ptx.MaxMod, wide(signedType)},
	"umin": {ptx.MinMod, wide(unsignedType)}, "umax": {ptx.MaxMod, wide(unsignedType)}, "exch": {ptx.Exch, wide(bitsType)},
}

// atomicFeatures are what additions of floats need.
var atomicFeatures = map[numeric.Format]sm.Feature{numeric.F16: sm.AtomF16, numeric.BF16: sm.AtomBF16, numeric.F64: sm.AtomF64}

// atomicOrder returns the modifiers of an atomic operation's ordering, scope and space.
func (e *emitter) atomicOrder(o ir.Op) ([]ptx.Mod, error) {
	list, err := e.order(o)
	if err != nil {
		return nil, err
	}
	// What the ISA takes as the default, spelled.
	if len(list) == 0 {
		list = mods(ptx.Relaxed, scopes[o.StringAttr(nvvm.AttrScope)])
	}
	return inSpace(list, spaceOf(o.Operand(0))), nil
}

// On global memory, atom.add.f32 flushes subnormal numbers (PTX ISA, "atom"). So a sum there may differ from one
// that a CTA adds up itself; no form of atom keeps them.
func (e *emitter) atomic(o ir.Op) error {
	name := o.StringAttr(nvvm.AttrKind)
	form := atomicForms[name]
	t := o.Result(0).Type()
	k := kindOf(t)
	typ := form.choose(k)
	if typ == 0 || k == &tf32Kind {
		return o.Errorf("'%s' on type '%s' has no PTX instruction", name, ir.TypeString(t))
	}
	list, err := e.atomicOrder(o)
	if err != nil {
		return err
	}
	list = append(list, form.mod)
	if format := formatOf(t); name == "add" && format != 0 {
		if f, ok := atomicFeatures[format]; ok {
			if err := e.need(o, f); err != nil {
				return err
			}
		}
		// The ISA demands it for f16 and bf16.
		if k.bits == 16 {
			list = append(list, ptx.NoFTZ)
		}
	}
	list = append(list, typ)
	// A reduction returns nothing, and cannot acquire.
	ordering := o.StringAttr(nvvm.AttrOrdering)
	// red has .relaxed and .release (PTX ISA, "red"): a reduction reads nothing into the thread that could be
	// ordered.
	op, withResult := ptx.OpAtom, true
	// red has no exchange either (PTX ISA, red).
	if !o.Result(0).HasUses() && name != "exch" && ordering != "acquire" && ordering != "acq_rel" {
		op, withResult = ptx.OpRed, false
	}
	e.swap(o, op, list, withResult, e.reg(o.Operand(1)))
	return nil
}

// reduction adds a vector: f32 as they are, halves two in a word.
//
//	red.relaxed.gpu.global.add.v4.f32          [%rd1], {%f1, %f2, %f3, %f4};
//	red.relaxed.gpu.global.add.noftz.v4.f16x2  [%rd1], {%r1, %r2, %r3, %r4};
func (e *emitter) reduction(o ir.Op) error {
	if err := e.need(o, sm.AtomV4F32); err != nil {
		return err
	}
	values := o.OperandsNamed("values")
	k := kindOf(values[0].Type())
	a := accessOf(k, len(values))
	list, err := e.atomicOrder(o)
	if err != nil {
		return err
	}
	list = append(list, ptx.AddMod)
	typ := k.f
	if k.bits == 16 {
		list, typ = append(list, ptx.NoFTZ), pairedHalves[formatOf(values[0].Type())]
	}
	var pred ptx.Reg
	if p := o.OperandNamed("predicate"); !p.IsNil() {
		pred = e.reg(p)
	}
	words := make([]ptx.Reg, len(values)/a.perWord)
	for i := range words {
		w := e.pack(a, values[i*a.perWord:(i+1)*a.perWord])
		if words[i] = w.Register(); words[i] == 0 {
			words[i] = e.tmp(a.word)
			e.body.Mov(words[i], w)
		}
	}
	offset, _ := o.IntAttr(nvvm.AttrOffset)
	at := e.address(o.Operand(0), offset)
	var inst ptx.Inst
	if len(words) == 1 {
		inst = e.body.Ins(ptx.OpRed, append(list, typ)...).Args(at).Regs(words...)
	} else {
		inst = e.body.Ins(ptx.OpRed, append(list, vectors[len(words)], typ)...).Args(at).Vec(words...)
	}
	if pred != 0 {
		inst.If(pred)
	}
	return nil
}

func (e *emitter) compareAndSwap(o ir.Op) error {
	t := o.Result(0).Type()
	k := kindOf(t)
	if k.bits < 16 || k == &predKind {
		return unsupported(o, t)
	}
	list, err := e.atomicOrder(o)
	if err != nil {
		return err
	}
	e.swap(o, ptx.OpAtom, append(list, ptx.Cas, k.b), true, e.reg(o.Operand(2)), e.reg(o.Operand(1)))
	return nil
}

// swap writes an atomic instruction, with a zero for a result under a predicate that does not hold.
//
//	mov.b32  %r1, 0;
//	@%p1 atom.relaxed.gpu.global.add.u32  %r1, [%rd1], %r2;
func (e *emitter) swap(o ir.Op, op ptx.Op, list []ptx.Mod, withResult bool, args ...ptx.Reg) {
	offset, _ := o.IntAttr(nvvm.AttrOffset)
	at := e.address(o.Operand(0), offset)
	var pred, d ptx.Reg
	if p := o.OperandNamed("predicate"); !p.IsNil() {
		pred = e.reg(p)
	}
	if withResult {
		d = e.def(o.Result(0))
		// A register written under a false predicate keeps its value, and has none the first time. Without this,
		// the result would be undefined if the predicate is false.
		if pred != 0 {
			e.body.Mov(d, zeroOf(kindOf(o.Result(0).Type())))
		}
	}
	i := e.body.Ins(op, list...)
	if withResult {
		i = i.Regs(d)
	}
	i = i.Args(at).Regs(args...)
	if pred != 0 {
		i.If(pred)
	}
}

// zeroOf returns the zero that mov takes for registers of a kind.
func zeroOf(k *kind) ptx.Operand {
	switch k {
	case &f32Kind:
		return ptx.Bits32(0)
	case &f64Kind:
		return ptx.Bits64(0)
	}
	return ptx.Int(0)
}
