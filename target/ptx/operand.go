package ptx

import "math"

// Operand is one operand of an instruction. It is a small value without pointers; the functions below make one of each
// form. The zero Operand is not an operand.
type Operand struct {
	kind operandKind
	reg  Reg   // register, or the base of an address
	aux  Reg   // second register of a pair
	bits int64 // immediate, offset, symbol and offset, label, or the count of the operands that follow
}

type operandKind uint8

const (
	invalidOperand operandKind = iota
	regOperand                 // %r1
	notOperand                 // !%p1
	pairOperand                // %p1|%p2
	sinkOperand                // _
	intOperand                 // -7
	hexOperand                 // 0xFF
	f32Operand                 // 0f3F800000
	f64Operand                 // 0d3FF0000000000000
	addrOperand                // [%rd1+16]
	symAddrOperand             // [name+16]
	symOperand                 // name, or name+16
	labelOperand               // $L1
	specialOperand             // %tid.x
	vectorOperand              // {..}: the next bits operands
	tensorOperand              // [%rd1, {..}]: the next bits operands are the coordinates
)

// R is a register.
func R(r Reg) Operand { return Operand{kind: regOperand, reg: r} }

// Not is a negated predicate.
func Not(p Reg) Operand { return Operand{kind: notOperand, reg: p} }

// Pair is a destination of two registers, such as the two predicates of setp or the value and predicate of shfl. A zero
// register stands for the sink "_".
func Pair(a, b Reg) Operand { return Operand{kind: pairOperand, reg: a, aux: b} }

// Sink is "_", a result that nobody reads.
func Sink() Operand { return Operand{kind: sinkOperand} }

// Int is a decimal immediate.
func Int(v int64) Operand { return Operand{kind: intOperand, bits: v} }

// Hex is a hexadecimal immediate.
func Hex(v uint64) Operand { return Operand{kind: hexOperand, bits: int64(v)} }

// Float32 is a single-precision immediate, exact to the bit.
func Float32(v float32) Operand { return Bits32(math.Float32bits(v)) }

// Bits32 is a single-precision immediate given by its bits.
func Bits32(v uint32) Operand { return Operand{kind: f32Operand, bits: int64(v)} }

// Float64 is a double-precision immediate, exact to the bit.
func Float64(v float64) Operand { return Bits64(math.Float64bits(v)) }

// Bits64 is a double-precision immediate given by its bits.
func Bits64(v uint64) Operand { return Operand{kind: f64Operand, bits: int64(v)} }

// At is the address in a register plus an offset in bytes.
func At(base Reg, offset int32) Operand {
	return Operand{kind: addrOperand, reg: base, bits: int64(offset)}
}

// AtSym is the address of a symbol plus an offset in bytes.
func AtSym(s Sym, offset int32) Operand {
	return Operand{kind: symAddrOperand, bits: packSym(s, offset)}
}

// SymAddr is a symbol plus an offset in bytes as a value, as mov takes it.
func SymAddr(s Sym, offset int32) Operand {
	return Operand{kind: symOperand, bits: packSym(s, offset)}
}

// ToLabel is a branch target.
func ToLabel(l Label) Operand { return Operand{kind: labelOperand, bits: int64(l)} }

// Sreg is the value of a special register.
func Sreg(s Special) Operand { return Operand{kind: specialOperand, bits: int64(s)} }

func packSym(s Sym, offset int32) int64 { return int64(s)<<32 | int64(uint32(offset)) }

func (o Operand) sym() (Sym, int32) { return Sym(o.bits >> 32), int32(uint32(o.bits)) }

// Register returns the register that the operand is, or zero when it has another form.
func (o Operand) Register() Reg {
	if o.kind == regOperand {
		return o.reg
	}
	return 0
}
