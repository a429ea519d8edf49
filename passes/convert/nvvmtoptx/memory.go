package nvvmtoptx

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptx"
	"github.com/tilewright/tilewright/target/sm"
)

func init() {
	add(map[*ir.OpDef]rule{nvvm.Ld: (*emitter).load, nvvm.St: (*emitter).store})
}

// An access is how several values are in memory and in registers: as words, each of one or more values.
//
//	values            words                 instruction for all of them
//	4 x f32           4 of one f32          ld.v4.f32
//	8 x f16           4 of two f16          ld.v4.b32, and a mov takes each word apart
//	16 x i8           4 of four i8          ld.v4.b32, and masks and shifts
//	2 x i8            1 of two i8           ld.b16
//
// A vector has at most 4 elements, or 8 of 32 bits from sm_100 on (PTX ISA, "ld"), which is why small values
// are accessed as words.
type access struct {
	value, word *kind
	perWord     int
}

// accessOf chooses the words of n values of a kind. Values of 32 bits and more, and single ones, are words.
// Smaller ones share words of 32 bits, or of 16 if they are no more.
func accessOf(k *kind, n int) access {
	switch {
	// There is no vector of predicates in memory, nor a load into one.
	case n == 1 && k == &predKind:
		return access{k, &byteKind, 1}
	case n == 1 || k.bits >= 32:
		return access{k, k, 1}
	// A word must not be wider than what is accessed.
	case n*k.bits == 16:
		return access{k, &i16Kind, n}
	}
	return access{k, &i32Kind, 32 / k.bits}
}

// direct reports whether the registers of the values are those of the words.
func (a access) direct() bool { return a.value == a.word }

// memMods gives the modifiers of loads and stores by attribute.
var (
	orderings = map[string]ptx.Mod{"relaxed": ptx.Relaxed, "acquire": ptx.Acquire, "release": ptx.Release, "acq_rel": ptx.AcqRel}
	scopes    = map[string]ptx.Mod{"cta": ptx.CTA, "cluster": ptx.ClusterScope, "gpu": ptx.GPU, "sys": ptx.Sys}
	caches    = map[string]ptx.Mod{"ca": ptx.CA, "cg": ptx.CG, "cs": ptx.CS, "lu": ptx.LU, "cv": ptx.CV, "wb": ptx.WB, "wt": ptx.WT}
)

// order returns the modifiers of a memory operation's ordering and scope.
func (e *emitter) order(o ir.Op) ([]ptx.Mod, error) {
	ordering, scope := o.StringAttr(nvvm.AttrOrdering), o.StringAttr(nvvm.AttrScope)
	switch ordering {
	case "", "weak":
		return nil, nil
	case "volatile":
		return mods(ptx.Volatile), nil
	}
	if scopes[scope] == 0 {
		return nil, o.Errorf("with ordering '%s' needs a scope", ordering)
	}
	if scope == "cluster" {
		if err := e.need(o, sm.FenceCluster); err != nil {
			return nil, err
		}
	}
	return mods(orderings[ordering], scopes[scope]), nil
}

// accessMods returns the opcode and the modifiers, without vector and type, of a load or store.
func (e *emitter) accessMods(o ir.Op, op ptx.Op) (ptx.Op, []ptx.Mod, error) {
	list, err := e.order(o)
	if err != nil {
		return 0, nil, err
	}
	space, cache := spaceOf(o.Operand(0)), o.StringAttr(nvvm.AttrCache)
	switch {
	case cache == "":
		return op, inSpace(list, space), nil
	// The ISA has cache operators on weak accesses only.
	case len(list) > 0:
		return 0, nil, o.Errorf("with ordering '%s' cannot have a cache operator", o.StringAttr(nvvm.AttrOrdering))
	// The non-coherent path is for memory that nobody writes while the kernel runs (PTX ISA, ld.global.nc), which
	// stores contradict.
	case cache == "nc" && (space != nvvm.Global || op != ptx.OpLd):
		return 0, nil, o.Errorf("with cache operator 'nc' must be a load from global memory")
	// ld.global.nc is an opcode of its own in the model, which carries the space.
	case cache == "nc":
		return ptx.OpLdNc, nil, nil
	}
	return op, append(inSpace(nil, space), caches[cache]), nil
}

// inSpace adds the modifier of an address space, which generic addresses do not have.
func inSpace(list []ptx.Mod, space nvvm.Space) []ptx.Mod {
	if m := spaces[space]; m != 0 {
		return append(list, m)
	}
	return list
}

var vectors = map[int]ptx.Mod{2: ptx.V2, 4: ptx.V4, 8: ptx.V8}

// wordsAtOnce returns how many of n words one instruction accesses.
//
// How many registers one nvvm.ld or st has is the lowering's choice, from facts about the address: an access
// that is wider than its alignment would fault.
func (e *emitter) wordsAtOnce(o ir.Op, a access, n int) (int, error) {
	// 16 bytes is the widest access of one thread until sm_100, whose v8 forms move 32 in global memory, if the
	// access is weak.
	bits := 128
	ordering := o.StringAttr(nvvm.AttrOrdering)
	if n*a.word.bits > bits && spaceOf(o.Operand(0)) == nvvm.Global && (ordering == "" || ordering == "weak") && e.features.arch.Has(sm.LdV8) {
		if err := e.need(o, sm.LdV8); err != nil {
			return 0, err
		}
		bits = 256
	}
	return min(n, bits/a.word.bits), nil
}

// load writes, for two registers under a predicate,
//
//	mov.b32 %r1, 0; mov.b32 %r2, 0;                    what is there where %p1 does not hold
//	@%p1 ld.global.v2.b32 {%r1, %r2}, [%rd1];
func (e *emitter) load(o ir.Op) error {
	results := o.Results()
	a := accessOf(kindOf(results[0].Type()), len(results))
	mem := a.word.mem
	op, list, err := e.accessMods(o, ptx.OpLd)
	if err != nil {
		return err
	}
	words := make([]ptx.Reg, len(results)/a.perWord)
	for i := range words {
		switch extended := extends(o); {
		case extended != 0:
			mem, words[i] = extended, e.tmp(&i32Kind)
			e.extended[results[i]] = words[i]
		case a.direct():
			words[i] = e.def(results[i])
		default:
			words[i] = e.tmp(a.word)
		}
	}
	var pred ptx.Reg
	// A load under a predicate writes nothing where it does not hold, so the other values are there before.
	if p := o.OperandNamed("predicate"); !p.IsNil() {
		pred = e.reg(p)
		other := o.OperandsNamed("other")
		for i, w := range words {
			e.body.Mov(w, e.pack(a, other[i*a.perWord:(i+1)*a.perWord]))
		}
	}
	if err := e.transfer(o, a, words, func(vec []ptx.Reg, at ptx.Operand) ptx.Inst {
		if len(vec) == 1 {
			return e.body.Ins(op, append(list, mem)...).Args(ptx.R(vec[0]), at)
		}
		return e.body.Ins(op, append(list, vectors[len(vec)], mem)...).Vec(vec...).Args(at)
	}, pred); err != nil {
		return err
	}
	if !a.direct() {
		for i, w := range words {
			e.unpack(a, w, results[i*a.perWord:(i+1)*a.perWord])
		}
	}
	return nil
}

// extends returns the type under which a load of one number extends it to 32 bits by itself (PTX ISA, ld: a destination
// may be wider than the type), if all that reads it does so; else 0. What is there where a predicate does not hold is 0
// then, the same in any width.
func extends(o ir.Op) (mem ptx.Mod) {
	v := o.Result(0)
	from := kindOf(v.Type())
	if other := o.OperandsNamed("other"); o.NumResults() > 1 || from != &byteKind && from != &i16Kind || len(other) > 0 && !arith.IsInt(other[0], 0) {
		return 0
	}
	for u := range v.Uses() {
		by := u.Owner()
		as := from.asInt(by.Is(arith.ExtSI))
		if !by.Is(arith.ExtSI) && !by.Is(arith.ExtUI) || kindOf(by.Result(0).Type()) != &i32Kind || mem != 0 && mem != as {
			return 0
		}
		mem = as
	}
	return mem
}

func (e *emitter) store(o ir.Op) error {
	values := o.OperandsNamed("values")
	a := accessOf(kindOf(values[0].Type()), len(values))
	op, list, err := e.accessMods(o, ptx.OpSt)
	if err != nil {
		return err
	}
	var pred ptx.Reg
	if p := o.OperandNamed("predicate"); !p.IsNil() {
		pred = e.reg(p)
	}
	// Words are made before the first store is written, so that stores of one operation are adjacent.
	words := make([]ptx.Reg, len(values)/a.perWord)
	for i := range words {
		if a.direct() {
			words[i] = e.reg(values[i])
			continue
		}
		w := e.pack(a, values[i*a.perWord:(i+1)*a.perWord])
		if words[i] = w.Register(); words[i] == 0 {
			words[i] = e.tmp(a.word)
			e.body.Mov(words[i], w)
		}
	}
	return e.transfer(o, a, words, func(vec []ptx.Reg, at ptx.Operand) ptx.Inst {
		if len(vec) == 1 {
			return e.body.Ins(op, append(list, a.word.mem)...).Args(at, ptx.R(vec[0]))
		}
		return e.body.Ins(op, append(list, vectors[len(vec)], a.word.mem)...).Args(at).Vec(vec...)
	}, pred)
}

// transfer writes the instructions that load or store words, as many at once as may be.
func (e *emitter) transfer(o ir.Op, a access, words []ptx.Reg, ins func([]ptx.Reg, ptx.Operand) ptx.Inst, pred ptx.Reg) error {
	n, err := e.wordsAtOnce(o, a, len(words))
	if err != nil {
		return err
	}
	offset, _ := o.IntAttr(nvvm.AttrOffset)
	for i := 0; i < len(words); i += n {
		at := e.address(o.Operand(0), offset+int64(i*a.word.bits/8))
		inst := ins(words[i:i+n], at)
		if pred != 0 {
			inst.If(pred)
		}
	}
	return nil
}
