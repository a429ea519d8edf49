package expandmath_test

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
)

// scalars is the operations on scalars from loads to a store, as a program for many arguments. What runs under a
// condition is computed for all arguments, and kept for those for which it holds.
type scalars struct {
	steps  []step
	values map[ir.Value]int
	in     []int
	out    int
	fixed  map[int]uint64 // constants
}

type step struct {
	op    ir.Op
	args  []int
	to    int
	f     vector
	under int // where the condition is without which nothing reads the result, or -1
}

// newScalars reads the blocks of a function. One that a branch skips ends with what that branch hands on instead.
func newScalars(region ir.Region) (*scalars, error) {
	p := &scalars{values: make(map[ir.Value]int), fixed: make(map[int]uint64)}
	under := -1
	var skipping []ir.Value
	for block := region.First(); !block.IsNil(); block = block.Next() {
		for op := range block.Ops() {
			switch {
			case op.Is(nvvm.Ld):
				p.in = append(p.in, p.slot(op.Result(0)))
			case op.Is(nvvm.St):
				p.out = p.slot(op.Operand(1))
				return p, nil
			case op.Is(arith.Constant):
				p.fixed[p.slot(op.Result(0))] = arith.Bits(ir.ConstantValue(op.Result(0)))
			case op.Is(cf.CondBr) && under < 0 && op.Successor(0) == block.Next() && op.Successor(1) == block.Next().Next():
				lo, hi := op.OperandRange(2)
				under, skipping = p.slot(op.Operand(0)), op.Operands()[lo:hi]
			case op.Is(cf.Br) && under >= 0 && op.Successor(0) == block.Next():
				for i, v := range op.Operands() {
					args := []int{under, p.slot(v), p.slot(skipping[i])}
					p.steps = append(p.steps, step{op: op, args: args, to: p.slot(block.Next().Arg(i)), f: chooseVector, under: -1})
				}
				under = -1
			default:
				f := vectorFunction(op)
				if f == nil {
					return nil, fmt.Errorf("'%s' in an expansion has no function here", op.Name())
				}
				s := step{op: op, f: f, under: under}
				for _, v := range op.Operands() {
					s.args = append(s.args, p.slot(v))
				}
				s.to = p.slot(op.Result(0))
				p.steps = append(p.steps, s)
			}
		}
	}
	return nil, fmt.Errorf("the function stores nothing")
}

func (p *scalars) slot(v ir.Value) int {
	i, ok := p.values[v]
	if !ok {
		i = len(p.values)
		p.values[v] = i
	}
	return i
}

// A machine runs the program on a block of arguments.
type machine struct {
	p     *scalars
	by    []int32 // of each step
	lanes [][]uint64
	in    [][]uint64
	out   []uint64
}

func (p *scalars) machine(by nudge) *machine {
	m := &machine{p: p, lanes: make([][]uint64, len(p.values))}
	for _, s := range p.steps {
		m.by = append(m.by, by.of(s.op.Name()))
	}
	for i := range m.lanes {
		m.lanes[i] = make([]uint64, block)
		if bits, ok := p.fixed[i]; ok {
			for k := range m.lanes[i] {
				m.lanes[i][k] = bits
			}
		}
	}
	for _, i := range p.in {
		m.in = append(m.in, m.lanes[i])
	}
	m.out = m.lanes[p.out]
	return m
}

func (m *machine) run() {
	asked, needed := -1, true // of the last condition: whether it holds for an argument
	for i, s := range m.p.steps {
		if s.under >= 0 {
			if s.under != asked {
				asked, needed = s.under, slices.Contains(m.lanes[s.under], 1)
			}
			if !needed {
				continue
			}
		}
		var arg [3][]uint64
		for i := range arg {
			arg[i] = m.lanes[s.args[min(i, len(s.args)-1)]]
		}
		to := m.lanes[s.to]
		s.f(to, arg[0], arg[1], arg[2])
		if by := m.by[i]; by != 0 {
			for k, bits := range to {
				if e := bits >> 23 & 0xff; e != 0 && e != 0xff {
					to[k] = uint64(uint32(bits) + uint32(by))
				}
			}
		}
	}
}

// A vector computes an operation of as many operands as there are arguments.
type vector func(to, a, b, c []uint64)

// vectorFunction has loops of their own for the operations of which there are most.
func vectorFunction(op ir.Op) vector {
	single := op.Result(0).Type() == op.Context().F32()
	switch {
	case op.Is(arith.Select):
		return chooseVector
	case op.Is(arith.Fma):
		return fmaVector
	case op.Is(arith.MulF) && single:
		return mulVector
	case op.Is(arith.AddF) && single:
		return addVector
	case op.Is(arith.SubF) && single:
		return subVector
	case op.Is(arith.Bitcast):
		return func(to, a, _, _ []uint64) { copy(to, a) }
	}
	f := scalarFunction(op)
	if f == nil {
		return nil
	}
	return func(to, a, b, c []uint64) {
		a, b, c = a[:len(to)], b[:len(to)], c[:len(to)]
		for k := range to {
			to[k] = f(a[k], b[k], c[k])
		}
	}
}

func mulVector(to, a, b, _ []uint64) {
	a, b = a[:len(to)], b[:len(to)]
	for k := range to {
		to[k] = fp.Bits32(fp.Float32(a[k]) * fp.Float32(b[k]))
	}
}

func addVector(to, a, b, _ []uint64) {
	a, b = a[:len(to)], b[:len(to)]
	for k := range to {
		to[k] = fp.Bits32(fp.Float32(a[k]) + fp.Float32(b[k]))
	}
}

func subVector(to, a, b, _ []uint64) {
	a, b = a[:len(to)], b[:len(to)]
	for k := range to {
		to[k] = fp.Bits32(fp.Float32(a[k]) - fp.Float32(b[k]))
	}
}

func chooseVector(to, a, b, c []uint64) {
	a, b, c = a[:len(to)], b[:len(to)], c[:len(to)]
	for k := range to {
		mask := -a[k]
		to[k] = b[k]&mask | c[k]&^mask
	}
}

// fmaVector adds in f64, where the product is exact. The sum may be rounded twice where it is half-way between two f32,
// or no normal f32. fp.FmaF32 is right there too.
func fmaVector(to, a, b, c []uint64) {
	const below, half, least = 1<<29 - 1, 1 << 28, 0x1p-126
	a, b, c = a[:len(to)], b[:len(to)], c[:len(to)]
	for k := range to {
		s := float64(fp.Float32(a[k]))*float64(fp.Float32(b[k])) + float64(fp.Float32(c[k]))
		if fp.Bits64(s)&below == half || !(math.Abs(s) >= least) {
			s = float64(fp.FmaF32(fp.Float32(a[k]), fp.Float32(b[k]), fp.Float32(c[k]), fp.Nearest))
		}
		to[k] = fp.Bits32(float32(s))
	}
}

func float(f func(a, b float32) float32) func(a, b, c uint64) uint64 {
	return func(a, b, _ uint64) uint64 { return fp.Bits32(f(fp.Float32(a), fp.Float32(b))) }
}

func double(f func(a, b float64) float64) func(a, b, c uint64) uint64 {
	return func(a, b, _ uint64) uint64 { return fp.Bits64(f(fp.Float64(a), fp.Float64(b))) }
}

// integer is a function of integers of 32 or 64 bits.
func integer(width int, f func(a, b uint64) uint64) func(a, b, c uint64) uint64 {
	if width == 32 {
		return func(a, b, _ uint64) uint64 { return uint64(uint32(f(a, b))) }
	}
	return func(a, b, _ uint64) uint64 { return f(a, b) }
}

func fma(a, b, c uint64) uint64 {
	return fp.Bits32(fp.FmaF32(fp.Float32(a), fp.Float32(b), fp.Float32(c), fp.Nearest))
}

func truth(ok bool) uint64 {
	if ok {
		return 1
	}
	return 0
}

// approximate is an approximate instruction, as the emulator has it: rounded correctly.
func approximate(op ir.Op, f func(uint64) uint64) func(a, b, c uint64) uint64 {
	if op.HasUnitAttr(arith.AttrFtz) {
		return func(a, _, _ uint64) uint64 { return fp.Flush(f(fp.Flush(a))) }
	}
	return func(a, _, _ uint64) uint64 { return f(a) }
}

// scalarFunction is what an operation computes of the bits of its operands, which are i1, i32, i64, f32 or f64.
func scalarFunction(op ir.Op) func(a, b, c uint64) uint64 {
	t := op.Result(0).Type()
	width := ir.BitWidth(t)
	if f := integerFunction(op, width); f != nil {
		return f
	}
	if t == op.Context().F64() {
		return doubleFunction(op)
	}
	switch op.Def() {
	case arith.NegF:
		return func(a, _, _ uint64) uint64 { return a ^ 1<<31 }
	case arith.Floor:
		return float(func(a, _ float32) float32 { return float32(math.Floor(float64(a))) })
	case arith.MinimumF:
		return float(func(a, b float32) float32 { return min(a, b) })
	case arith.MaximumF:
		return float(func(a, b float32) float32 { return max(a, b) })
	case arith.AbsF:
		return func(a, _, _ uint64) uint64 { return a &^ (1 << 31) }
	case arith.MinNumF:
		return float(func(a, b float32) float32 {
			if a < b || b != b {
				return a
			}
			return b
		})
	case nvvm.FmaSat:
		return func(a, b, c uint64) uint64 { return fp.Saturate(fma(a, b, c)) }
	case nvvm.Ex2Approx:
		return approximate(op, fp.Ex2Approx)
	case nvvm.Lg2Approx:
		return approximate(op, fp.Lg2Approx)
	case nvvm.RcpApprox:
		return approximate(op, fp.RcpApprox)
	case nvvm.RsqrtApprox:
		return approximate(op, fp.RsqrtApprox)
	case arith.SIToFP:
		return func(a, _, _ uint64) uint64 { return fp.Bits32(float32(int32(a))) }
	case arith.FToF:
		return func(a, _, _ uint64) uint64 { return fp.Bits32(float32(fp.Float64(a))) }
	case arith.CmpF:
		return comparison(op.StringAttr(arith.AttrPredicate))
	}
	return nil
}

func doubleFunction(op ir.Op) func(a, b, c uint64) uint64 {
	switch op.Def() {
	case arith.SubF:
		return double(func(a, b float64) float64 { return a - b })
	case arith.MulF:
		return double(func(a, b float64) float64 { return a * b })
	case arith.SIToFP:
		return func(a, _, _ uint64) uint64 { return fp.Bits64(float64(int64(a))) }
	case arith.FToF:
		return func(a, _, _ uint64) uint64 { return fp.Bits64(float64(fp.Float32(a))) }
	}
	return nil
}

func integerFunction(op ir.Op, width int) func(a, b, c uint64) uint64 {
	switch op.Def() {
	case arith.AddI:
		return integer(width, func(a, b uint64) uint64 { return a + b })
	case arith.SubI:
		return integer(width, func(a, b uint64) uint64 { return a - b })
	case arith.NegI:
		return integer(width, func(a, _ uint64) uint64 { return -a })
	case arith.MulI:
		return integer(width, func(a, b uint64) uint64 { return a * b })
	case arith.MulHUI:
		if width == 64 {
			return integer(width, func(a, b uint64) uint64 {
				hi, _ := bits.Mul64(a, b)
				return hi
			})
		}
	case arith.AndI:
		return integer(width, func(a, b uint64) uint64 { return a & b })
	case arith.OrI:
		return integer(width, func(a, b uint64) uint64 { return a | b })
	case arith.ShLI:
		return integer(width, func(a, b uint64) uint64 { return a << b })
	case arith.ShRUI:
		return integer(width, func(a, b uint64) uint64 { return a >> b })
	case arith.ExtUI, arith.TruncI:
		return integer(width, func(a, _ uint64) uint64 { return a })
	case arith.CmpI:
		return integerComparison(op.StringAttr(arith.AttrPredicate))
	}
	return nil
}

// integerComparison compares integers. Those that are compared as signed have 32 bits.
func integerComparison(predicate string) func(a, b, c uint64) uint64 {
	switch predicate {
	case "ne":
		return func(a, b, _ uint64) uint64 { return truth(a != b) }
	case "slt":
		return func(a, b, _ uint64) uint64 { return truth(int32(a) < int32(b)) }
	case "uge":
		return func(a, b, _ uint64) uint64 { return truth(a >= b) }
	}
	return nil
}

func comparison(predicate string) func(a, b, c uint64) uint64 {
	switch predicate {
	case "olt":
		return func(a, b, _ uint64) uint64 { return truth(fp.Float32(a) < fp.Float32(b)) }
	case "oeq":
		return func(a, b, _ uint64) uint64 { return truth(fp.Float32(a) == fp.Float32(b)) }
	case "ogt":
		return func(a, b, _ uint64) uint64 { return truth(fp.Float32(a) > fp.Float32(b)) }
	case "oge":
		return func(a, b, _ uint64) uint64 { return truth(fp.Float32(a) >= fp.Float32(b)) }
	case "une":
		return func(a, b, _ uint64) uint64 { return truth(fp.Float32(a) != fp.Float32(b)) }
	}
	return nil
}
