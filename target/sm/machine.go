package sm

import (
	"cmp"
	"slices"
)

// A Unit is a part of an SM that instructions keep busy. Numbers are those of one of the four sub-partitions of an SM.
// Where these share a unit, they are a quarter of the SM's. So a warp's work on its sub-partition can be added up.
type Unit uint8

// The units.
const (
	UnitIssue   Unit = iota // the scheduler: one instruction of a warp each cycle
	UnitTensor              // tensor core
	UnitFMA                 // f32 and f16 arithmetic, integer multiplication
	UnitALU                 // integer addition, logic, comparison, selection; conversions between float formats
	UnitF64                 // f64 arithmetic
	UnitSpecial             // reciprocal, square root, exponential, logarithm; conversions to integers
	UnitLSU                 // addresses of loads and stores, exchange between lanes; shared by the SM
	UnitShared              // data of shared memory; shared by the SM
	UnitGlobal              // data from and to the L2 cache; the SM's part of it
	UnitBarrier             // barriers of the tile block
	NumUnits
)

var unitNames = [NumUnits]string{"issue", "tensor", "fma", "alu", "f64", "special", "lsu", "shared", "global", "barrier"}

func (u Unit) String() string {
	if u < NumUnits {
		return unitNames[u]
	}
	return "?"
}

// A Class is a kind of work of a thread that takes the same time on an architecture.
type Class uint8

// The classes.
const (
	F32Arith Class = iota // add, multiply, multiply-add
	F16Arith              // of one element; two share an instruction
	F64Arith
	IntAdd   // also comparison, selection, minimum, maximum
	IntMul   // also multiply-add
	IntLogic // also shifts
	Special  // approximate functions
	Convert  // between float formats, and from 32-bit integers
	ConvertToInt
	Convert64
	Shuffle // exchange between lanes
	numClasses
)

// PairsF32 reports whether one instruction of the machine computes two f32 of a thread (FFMA2). PTX has f32x2 on others
// too (F32x2), where ptxas takes each apart.
func (a *Arch) PairsF32() bool { return slices.Contains(family100, a.Name) }

// A Cost is what one instruction of a warp costs.
type Cost struct {
	Unit     Unit
	Cycles   int // that it keeps the unit of its sub-partition busy
	Latency  int // cycles until a dependent instruction can issue
	Source   string
	Estimate bool
}

// throughput is how many results of a class an SM delivers in a cycle.
type throughput struct {
	archs    []string
	results  [numClasses]float64
	latency  [numClasses]int // where it differs; 0: as in classUnits
	special  bool            // the unit for special functions converts between float formats, not the ALU
	source   string
	estimate bool
}

// The sources of throughputs. The guide's table gives results per clock cycle per SM.
const (
	guideTable = "CUDA C++ Best Practices Guide 13.4, throughput of native arithmetic instructions"
	guideNear  = "as the nearest column of the CUDA C++ Best Practices Guide 13.4"
	confirmed  = "docs/confirmed/h100.json and h200.json"
)

// classUnits says which unit works on a class, and the latency of a dependent chain. The arithmetic pipes have 4
// cycles, measured from Volta on (Jia et al., arXiv 1804.06826; Abdelkhalik et al., arXiv 2208.11174 find 2 to 4 on the
// A100). Of others where the papers agree within some cycles. They are estimates on the architectures that were not
// measured.
//
// The ALU converts between float formats from Ampere on, and the unit for special functions converts to integers
// (Nsight Compute, "Pipelines").
var classUnits = [numClasses]struct {
	unit    Unit
	latency int
}{
	F32Arith: {UnitFMA, 4}, F16Arith: {UnitFMA, 5}, F64Arith: {UnitF64, 8}, IntAdd: {UnitALU, 4}, IntMul: {UnitFMA, 5}, IntLogic: {UnitALU, 4},
	Special: {UnitSpecial, 18}, Convert: {UnitALU, 5}, ConvertToInt: {UnitSpecial, 18}, Convert64: {UnitF64, 14}, Shuffle: {UnitLSU, 23},
}

// throughputs is the table. On sm_90 conversions to integers have a quarter of what the guide says: in turn with
// conversions from integers, which are short and of another unit, they took 4.0 cycles each, and 11.6 one after the
// other. That was not measured elsewhere, where the guide's figure stays.
var throughputs = []throughput{
	// f32  f16  f64 add mul log spc cvt int c64 shfl
	{[]string{"sm_80"}, classes(64, 256, 32, 64, 64, 64, 16, 64, 64, 16, 32), asPapers, false, guideTable, false},
	{[]string{"sm_86", "sm_89"}, classes(128, 128, 2, 64, 64, 64, 16, 64, 64, 2, 32), asPapers, false, guideTable, false},
	{[]string{"sm_87", "sm_88"}, classes(128, 128, 2, 64, 64, 64, 16, 64, 64, 2, 32), asPapers, false, guideNear, true},
	{hopper, classes(128, 256, 64, 64, 64, 64, 16, 64, 16, 16, 32), onHopper, false, guideTable + "; " + confirmed, false},
	{tensorMemory, classes(128, 256, 64, 64, 64, 64, 16, 64, 64, 16, 32), asEstimated, true, guideNear, true},
	{family120, classes(128, 128, 2, 128, 64, 64, 16, 16, 16, 2, 32), slowly, true, guideTable, false},
}

var (
	asPapers [numClasses]int
	// asEstimated is of sm_100 and later, which nobody has timed.
	// Schedules for these targets were judged with that, and with other costs some take too much of TMEM.
	asEstimated = [numClasses]int{Convert: 12}
	// slowly is of targets whose conversions have the rate of special functions.
	slowly = [numClasses]int{Convert: 18}
	// onHopper are latencies of an H100 and an H200, which differ by less than 0.1.
	onHopper = [numClasses]int{F16Arith: 4, IntMul: 4, Special: 17, Convert64: 18, Shuffle: 26}
)

func classes(results ...float64) (out [numClasses]float64) {
	copy(out[:], results)
	return out
}

// Cost returns what an instruction of the class costs on the architecture.
func (a *Arch) Cost(c Class) Cost {
	for _, t := range throughputs {
		if slices.Contains(t.archs, a.Name) {
			perPart := t.results[c] / Subpartitions
			k := classUnits[c]
			if c == Convert && t.special {
				k.unit = UnitSpecial
			}
			return Cost{Unit: k.unit, Cycles: max(1, int(WarpSize/perPart+0.5)), Latency: cmp.Or(t.latency[c], k.latency), Source: t.source, Estimate: t.estimate}
		}
	}
	panic("sm: no throughput for " + a.Name) // a test asks for each
}

// Memory is how the memories of an architecture answer, in cycles and bytes of one SM.
type Memory struct {
	archs                         []string
	Shared, L1, L2, Global        int     // latency of a load
	SharedBytes, L1Bytes, L2Bytes float64 // per cycle
	Barrier                       int     // latency of a barrier whose warps have all arrived
	Source                        string
	Estimate                      bool
}

// UnfittedL2Bytes is what Memory.L2Bytes of Hopper was before it was fitted: 5,563 bytes a cycle for 132 SMs.
const UnfittedL2Bytes = 42

// memories is the table. Bandwidth of shared memory is 32 banks of 4 bytes everywhere; what the L2 cache delivers is
// the chip's over its SMs.
var memories = []Memory{
	{archs: []string{"sm_80"}, Shared: 29, L1: 38, L2: 262, Global: 466, SharedBytes: 128, L1Bytes: 128, L2Bytes: 47, Barrier: 20,
		Source: "latencies: Luo et al., arXiv 2402.13499; L2: 5,120 bytes a cycle for 108 SMs, NVIDIA A100 white paper; barrier: estimate"},
	{archs: []string{"sm_86", "sm_87", "sm_88"}, Shared: 29, L1: 38, L2: 262, Global: 500, SharedBytes: 128, L1Bytes: 128, L2Bytes: 32, Barrier: 20,
		Source: "between sm_80 and sm_89", Estimate: true},
	{archs: []string{"sm_89"}, Shared: 30, L1: 43, L2: 273, Global: 542, SharedBytes: 128, L1Bytes: 128, L2Bytes: 32, Barrier: 20,
		Source: "latencies: Luo et al., arXiv 2402.13499; bandwidth of L2 and barrier: estimate"},
	{archs: hopper, Shared: 23, L1: 34, L2: 277, Global: 493, SharedBytes: 128, L1Bytes: 128, L2Bytes: 37, Barrier: 20,
		Source: confirmed + "; from L2 to memory: 216, Luo et al., arXiv 2402.13499; bandwidth of L2: fitted to a GEMM, docs/measurements/timing.md"},
	{archs: tensorMemory, Shared: 29, L1: 41, L2: 280, Global: 560, SharedBytes: 128, L1Bytes: 128, L2Bytes: 37, Barrier: 20,
		Source: "as sm_90, with a longer way to memory", Estimate: true},
	{archs: family120, Shared: 30, L1: 43, L2: 280, Global: 560, SharedBytes: 128, L1Bytes: 128, L2Bytes: 32, Barrier: 20,
		Source: "as sm_89, with a longer way to memory", Estimate: true},
}

// Memory returns how the memories of the architecture answer.
func (a *Arch) Memory() *Memory {
	for i := range memories {
		if slices.Contains(memories[i].archs, a.Name) {
			return &memories[i]
		}
	}
	panic("sm: no memory timing for " + a.Name) // a test asks for each
}
