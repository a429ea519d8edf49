package expandmath_test

import (
	"fmt"
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
)

// scalars is a block of operations on f32, i32 and i1 from loads to a store, as a program for many arguments.
type scalars struct {
	steps  []step
	values map[ir.Value]int
	in     []int
	out    int
	fixed  map[int]uint32 // constants
}

type step struct {
	op   ir.Op
	args []int
	to   int
	f    func(a, b, c uint32) uint32
}

func newScalars(body ir.Block) (*scalars, error) {
	p := &scalars{values: make(map[ir.Value]int), fixed: make(map[int]uint32)}
	for op := range body.Ops() {
		switch {
		case op.Is(nvvm.Ld):
			p.in = append(p.in, p.slot(op.Result(0)))
		case op.Is(nvvm.St):
			p.out = p.slot(op.Operand(1))
			return p, nil
		case op.Is(arith.Constant):
			p.fixed[p.slot(op.Result(0))] = uint32(arith.Bits(ir.ConstantValue(op.Result(0))))
		default:
			f := scalarFunction(op)
			if f == nil {
				return nil, fmt.Errorf("'%s' in an expansion has no function here", op.Name())
			}
			s := step{op: op, f: f}
			for _, v := range op.Operands() {
				s.args = append(s.args, p.slot(v))
			}
			s.to = p.slot(op.Result(0))
			p.steps = append(p.steps, s)
		}
	}
	return nil, fmt.Errorf("the block stores nothing")
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
	by    nudge
	lanes [][]uint32
	in    [][]uint32
	out   []uint32
}

func (p *scalars) machine(by nudge) *machine {
	m := &machine{p: p, by: by, lanes: make([][]uint32, len(p.values))}
	for i := range m.lanes {
		m.lanes[i] = make([]uint32, block)
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
	for _, s := range m.p.steps {
		var arg [3][]uint32
		for i := range arg {
			arg[i] = m.lanes[s.args[min(i, len(s.args)-1)]]
		}
		to, a, b, c := m.lanes[s.to], arg[0], arg[1], arg[2]
		for k := range to {
			to[k] = s.f(a[k], b[k], c[k])
		}
		if by := m.by.of(s.op.Name()); by != 0 {
			for k, bits := range to {
				if e := bits >> 23 & 0xff; e != 0 && e != 0xff {
					to[k] = bits + uint32(by)
				}
			}
		}
	}
}

func float(f func(a, b float32) float32) func(a, b, c uint32) uint32 {
	return func(a, b, _ uint32) uint32 {
		return math.Float32bits(f(math.Float32frombits(a), math.Float32frombits(b)))
	}
}

func fma(a, b, c uint32) uint32 {
	return math.Float32bits(fp.FmaF32(math.Float32frombits(a), math.Float32frombits(b), math.Float32frombits(c), fp.Nearest))
}

func truth(ok bool) uint32 {
	if ok {
		return 1
	}
	return 0
}

// flushing is an approximate instruction with .ftz, as the emulator has it: rounded correctly.
func flushing(f func(uint64) uint64) func(a, b, c uint32) uint32 {
	return func(a, _, _ uint32) uint32 { return uint32(fp.Flush(f(fp.Flush(uint64(a))))) }
}

// scalarFunction is what an operation computes of the bits of its operands.
func scalarFunction(op ir.Op) func(a, b, c uint32) uint32 {
	switch op.Def() {
	case arith.AddF:
		return float(func(a, b float32) float32 { return a + b })
	case arith.SubF:
		return float(func(a, b float32) float32 { return a - b })
	case arith.MulF:
		return float(func(a, b float32) float32 { return a * b })
	case arith.Fma:
		return fma
	case arith.NegF:
		return func(a, _, _ uint32) uint32 { return a ^ 1<<31 }
	case arith.Floor:
		return float(func(a, _ float32) float32 { return float32(math.Floor(float64(a))) })
	case arith.MinimumF:
		return float(func(a, b float32) float32 { return min(a, b) })
	case arith.MaximumF:
		return float(func(a, b float32) float32 { return max(a, b) })
	case arith.AbsF:
		return func(a, _, _ uint32) uint32 { return a &^ (1 << 31) }
	case arith.MinNumF:
		return float(func(a, b float32) float32 {
			if a < b || b != b {
				return a
			}
			return b
		})
	case nvvm.FmaSat:
		return func(a, b, c uint32) uint32 { return uint32(fp.Saturate(uint64(fma(a, b, c)))) }
	case nvvm.Ex2Approx, nvvm.Lg2Approx, nvvm.RcpApprox:
		if !op.HasUnitAttr(arith.AttrFtz) {
			return nil
		}
		switch op.Def() {
		case nvvm.RcpApprox:
			return flushing(fp.RcpApprox)
		case nvvm.Lg2Approx:
			return flushing(fp.Lg2Approx)
		}
		return flushing(fp.Ex2Approx)
	case arith.Bitcast:
		return func(a, _, _ uint32) uint32 { return a }
	case arith.AddI:
		return func(a, b, _ uint32) uint32 { return a + b }
	case arith.SubI:
		return func(a, b, _ uint32) uint32 { return a - b }
	case arith.AndI:
		return func(a, b, _ uint32) uint32 { return a & b }
	case arith.OrI:
		return func(a, b, _ uint32) uint32 { return a | b }
	case arith.ShLI:
		return func(a, b, _ uint32) uint32 { return a << b }
	case arith.SIToFP:
		return func(a, _, _ uint32) uint32 { return math.Float32bits(float32(int32(a))) }
	case arith.Select:
		return func(a, b, c uint32) uint32 {
			if a != 0 {
				return b
			}
			return c
		}
	case arith.CmpF, arith.CmpI:
		return comparison(op.StringAttr(arith.AttrPredicate))
	}
	return nil
}

func comparison(predicate string) func(a, b, c uint32) uint32 {
	switch predicate {
	case "olt":
		return func(a, b, _ uint32) uint32 { return truth(math.Float32frombits(a) < math.Float32frombits(b)) }
	case "oeq":
		return func(a, b, _ uint32) uint32 { return truth(math.Float32frombits(a) == math.Float32frombits(b)) }
	case "ogt":
		return func(a, b, _ uint32) uint32 { return truth(math.Float32frombits(a) > math.Float32frombits(b)) }
	case "une":
		return func(a, b, _ uint32) uint32 { return truth(math.Float32frombits(a) != math.Float32frombits(b)) }
	case "slt":
		return func(a, b, _ uint32) uint32 { return truth(int32(a) < int32(b)) }
	case "uge":
		return func(a, b, _ uint32) uint32 { return truth(a >= b) }
	}
	return nil
}
