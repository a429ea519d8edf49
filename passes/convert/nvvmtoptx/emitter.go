package nvvmtoptx

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/ptx"
	"github.com/tilewright/tilewright/target/tensormap"
)

// emitter writes one kernel.
//
// Kernels are written one after the other into one module, since they share what it declares: features, and
// functions that are called.
type emitter struct {
	fn       ir.Op
	entry    *ptx.Entry
	body     *ptx.Body
	regs     *ptx.Regs
	features *features
	globals  map[string]bool // variables of the module
	lines    bool

	values     *ir.ValueTable[ptx.Reg]
	byteWords  map[ir.Value]*byteWord
	extended   map[ir.Value]ptx.Reg     // numbers that their load extends to 32 bits
	halves     map[ir.Value]halfOf      // bf16 in words
	joined     map[ir.Op]bool           // packs whose result is a loaded word
	constants  map[ir.Attribute]ptx.Reg // moved into registers in the current block
	labels     map[ir.Block]ptx.Label
	written    map[ir.Block]bool
	stubs      []stub
	loc        ir.Location  // last one written, and
	chain      []ir.Frame   // its callers
	calls      map[call]int // the number of each
	rows       map[call]int // the call in which the last line for a place was written, by the place
	usesShared bool
	locals     int // variables in the thread's memory
	maps       []tensormap.Map
	place      *inPlace // nil: every value has a register of its own
}

func newEmitter(fn ir.Op, f *features, globals map[string]bool, lines bool) *emitter {
	entry := &ptx.Entry{Name: fn.SymbolName()}
	return &emitter{
		fn: fn, entry: entry, body: &entry.Body, regs: &entry.Regs, features: f, globals: globals, lines: lines,
		values: ir.NewValueTable[ptx.Reg](fn), byteWords: make(map[ir.Value]*byteWord), extended: make(map[ir.Value]ptx.Reg), halves: make(map[ir.Value]halfOf), joined: make(map[ir.Op]bool), labels: make(map[ir.Block]ptx.Label), written: make(map[ir.Block]bool),
	}
}

// def returns the register of a value, which is made when it is first asked for.
func (e *emitter) def(v ir.Value) ptx.Reg {
	// A value may be asked for before it is written, as an argument of a block is by the branch to it.
	v = e.place.of(v)
	r := e.values.At(v)
	if *r == 0 {
		*r = e.regs.New(kindOf(v.Type()).class)
	}
	return *r
}

// tmp returns a new register like those of the kind.
func (e *emitter) tmp(k *kind) ptx.Reg { return e.regs.New(k.class) }

// use returns a value as an operand: an immediate when it is a constant that PTX can write.
func (e *emitter) use(v ir.Value) ptx.Operand {
	if a := constant(v); a != nil {
		if imm, ok := immediate(a); ok {
			return imm
		}
	}
	return ptx.R(e.reg(v))
}

// reg returns a value in a register.
//
//	%c = arith.constant 1.0 : f16 ; %d = arith.mulf %c, %x      mov.b16 %rs1, 0x3C00; mul.rn.f16 %rs2, %rs1, %rs3;
func (e *emitter) reg(v ir.Value) ptx.Reg {
	a := constant(v)
	if a == nil {
		return e.def(v)
	}
	// Kept for the block only: a register that another block wrote may not dominate this one, and a long life costs
	// more than another mov.
	if r, ok := e.constants[a]; ok {
		return r
	}
	r := e.tmp(kindOf(v.Type()))
	e.body.Mov(r, bitsOperand(a))
	e.constants[a] = r
	return r
}

func (e *emitter) regsOf(vs []ir.Value) []ptx.Reg {
	out := make([]ptx.Reg, len(vs))
	for i, v := range vs {
		out[i] = e.reg(v)
	}
	return out
}

// constant returns the scalar constant that v is, or nil.
func constant(v ir.Value) ir.Attribute {
	if op := v.DefiningOp(); !op.IsNil() && op.Is(arith.Constant) {
		return op.AttrAt(0)
	}
	return nil
}

// immediate returns a constant as instructions take it: integers in decimal, f32 and f64 by their bits. There are no
// immediates of narrower floats, nor predicates.
//
// Decimal text of a float would have to be parsed back to the same bits by ptxas; 0f3F800000 cannot be misread,
// and has the payload of a NaN.
func immediate(a ir.Attribute) (ptx.Operand, bool) {
	switch a := a.(type) {
	case *ir.IntegerAttr:
		// Signed immediates of other widths are cut to them by PTX.
		if w := ir.BitWidth(a.Type()); w == 8 || w == 4 {
			return ptx.Int(int64(a.Unsigned())), true // registers of bytes are zero-extended
		} else if w > 1 {
			return ptx.Int(a.Value), true
		}
	case *ir.FloatAttr:
		switch a.FloatType().Format {
		case numeric.F32:
			return ptx.Bits32(uint32(a.Bits)), true
		case numeric.F64:
			return ptx.Bits64(a.Bits), true
		}
	}
	return ptx.Operand{}, false
}

// bitsOperand returns a constant as mov takes it.
func bitsOperand(a ir.Attribute) ptx.Operand {
	if imm, ok := immediate(a); ok {
		return imm
	}
	// mov.pred takes 0 or 1.
	if i, ok := a.(*ir.IntegerAttr); ok {
		return ptx.Int(int64(i.Unsigned()))
	}
	return ptx.Hex(a.(*ir.FloatAttr).Bits)
}

// checkTypes fails unless every operand and result of op has a kind.
func (e *emitter) checkTypes(op ir.Op) error {
	for _, v := range op.Operands() {
		if kindOf(v.Type()) == nil {
			return op.Errorf("operand type '%s' has no PTX register", ir.TypeString(v.Type()))
		}
	}
	for _, t := range op.ResultTypes() {
		if kindOf(t) == nil {
			return op.Errorf("result type '%s' has no PTX register", ir.TypeString(t))
		}
	}
	return nil
}

// sharedAddress returns the offset from the kernel's shared memory that an address is known to be, and whether it is.
func sharedAddress(v ir.Value) (int64, bool) {
	op := v.DefiningOp()
	switch {
	case op.IsNil():
	case op.Is(nvvm.SharedBase):
		return 0, true
	case op.Is(nvvm.PtrAdd):
		if k, ok := constant(op.Operand(1)).(*ir.IntegerAttr); ok {
			off, ok := sharedAddress(op.Operand(0))
			return off + k.Value, ok
		}
	}
	return 0, false
}
