package profile

import (
	"strings"

	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// The units of an SM that take instructions. An instruction counts for the unit that its name and type say, once,
// though the assembler may need several instructions for it (div, sin) or none (mov).
const (
	Tensor  = "tensor"  // mma, wgmma, tcgen05.mma, wmma
	FMA     = "fma"     // f32, f16 and packed arithmetic; products of integers
	ALU     = "alu"     // integer addition, logic, shifts; comparison and selection
	F64     = "f64"     // f64 arithmetic
	Special = "special" // approximate functions, division
	Convert = "convert" // between types
	Move    = "move"    // between registers; most of it disappears in the assembler
	LSU     = "lsu"     // loads and stores, atomics, cp.async, exchange between lanes
	Bulk    = "bulk"    // bulk copies, TMA copies, tensor memory
	Barrier = "barrier" // barriers, mbarriers, fences, waits
	Control = "control" // branches, calls
)

// UnitNames are all units, in the order of reports.
var UnitNames = []string{Tensor, FMA, ALU, F64, Special, Convert, Move, LSU, Bulk, Barrier, Control}

// unitRow says which unit takes instructions: by the first word, and where that does not say it, by a modifier or the
// type.
type unitRow struct {
	ops  string // first words
	mod  string // a modifier that they must have, if any
	unit string
	// float and f64 are the units for these types, if others.
	float, f64 string
	// uncounted marks accesses to memory that the counters of memory leave out.
	uncounted bool
}

// unitTable: the first row that fits counts. Integer products use the f32 unit, and minima and comparisons of f32 use
// the ALU. The throughput table of the CUDA C++ Best Practices Guide shows that from compute capability 8.0 on.
var unitTable = []unitRow{
	{ops: "mma", unit: Tensor},
	{ops: "wmma", mod: "mma", unit: Tensor},
	{ops: "wmma", unit: LSU, uncounted: true},
	{ops: "wgmma", mod: "mma_async", unit: Tensor, uncounted: true},
	{ops: "wgmma", unit: Barrier},
	{ops: "tcgen05", mod: "mma", unit: Tensor, uncounted: true},
	{ops: "tcgen05", mod: "cp", unit: Bulk, uncounted: true},
	{ops: "tcgen05", mod: "ld", unit: Bulk},
	{ops: "tcgen05", mod: "st", unit: Bulk},
	{ops: "tcgen05", mod: "shift", unit: Bulk},
	{ops: "tcgen05", unit: Barrier},
	{ops: "cp", mod: "commit_group", unit: Barrier},
	{ops: "cp", mod: "wait_group", unit: Barrier},
	{ops: "cp", mod: "wait_all", unit: Barrier},
	{ops: "cp", mod: "arrive", unit: Barrier},
	{ops: "cp multimem", mod: "bulk", unit: Bulk},
	{ops: "st", mod: "bulk", unit: Bulk},
	{ops: "cp", unit: LSU},
	{ops: "ld ldu st atom red multimem ldmatrix stmatrix prefetch prefetchu discard applypriority shfl movmatrix", unit: LSU},
	{ops: "tensormap", unit: LSU, uncounted: true},
	{ops: "redux match", unit: LSU},
	{ops: "bar", mod: "warp", unit: Control},
	{ops: "bar barrier mbarrier fence membar griddepcontrol clusterlaunchcontrol", unit: Barrier},
	{ops: "bra brx call ret exit trap brkpt nanosleep pmevent setmaxnreg activemask elect vote stacksave stackrestore alloca", unit: Control},
	{ops: "div rem", unit: Special, f64: F64},
	{ops: "rcp sqrt rsqrt", unit: Special, f64: F64},
	{ops: "sin cos lg2 ex2 tanh", unit: Special},
	{ops: "cvt", unit: Convert},
	{ops: "mov cvta mapa getctarank isspacep createpolicy", unit: Move},
	{ops: "add sub fma", unit: ALU, float: FMA, f64: F64},
	{ops: "mul mad", unit: FMA, f64: F64},
	{ops: "mul24 mad24 madc dp2a dp4a sad vmad", unit: FMA},
	{ops: "abs neg min max set setp copysign testp selp slct", unit: ALU, f64: F64},
	{ops: "addc subc and or xor not cnot lop3 shf shl shr prmt bfe bfi bfind bmsk brev clz fns popc szext", unit: ALU},
	{ops: "vabsdiff vabsdiff2 vabsdiff4 vadd vadd2 vadd4 vavrg2 vavrg4 vmax vmax2 vmax4 vmin vmin2 vmin4 vset vset2 vset4 vshl vshr vsub vsub2 vsub4", unit: ALU},
}

// rowOf returns the row of an instruction, or nil.
func rowOf(s *syntax.Stmt) *unitRow {
	for i := range unitTable {
		r := &unitTable[i]
		if !word(r.ops, s.Op) {
			continue
		}
		if r.mod == "" {
			return r
		}
		for _, m := range s.Mods {
			if m == r.mod {
				return r
			}
		}
	}
	return nil
}

func word(list, w string) bool {
	for f := range strings.FieldsSeq(list) {
		if f == w {
			return true
		}
	}
	return false
}

// Unit returns the unit that takes an instruction; "" for one that the table lacks, which a test rules out.
func Unit(s *syntax.Stmt) string {
	r := rowOf(s)
	if r == nil {
		return ""
	}
	if t := typeOf(s); t != syntax.NoType {
		switch {
		case t == syntax.F64 && r.f64 != "":
			return r.f64
		case (t.Float() || syntax.Types[t].Class == syntax.ClassPacked && t != syntax.U16x2 && t != syntax.S16x2) && r.float != "":
			return r.float
		}
	}
	return r.unit
}

// typeOf is the first type among the modifiers.
func typeOf(s *syntax.Stmt) syntax.Type {
	for _, m := range s.Mods {
		if t, ok := syntax.TypeByName[m]; ok {
			return t
		}
	}
	return syntax.NoType
}

// Instructions are the first words that the table has.
func Instructions() []string {
	var out []string
	for i := range unitTable {
		out = append(out, strings.Fields(unitTable[i].ops)...)
	}
	return out
}
