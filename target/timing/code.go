package timing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/sm"
)

// A unit of the SM. Those up to unitParts are in each of its quarters.
type unit uint8

const (
	unitIssue unit = iota
	unitTensor
	unitFMA
	unitALU
	unitF64
	unitSpecial
	unitParts
)

// The units that the SM has once.
const (
	unitLSU    = unitParts + iota // addresses and exchange between lanes
	unitShared                    // data of shared memory
	unitBulk                      // bulk copies
	unitL2                        // the way to the L2 cache
	unitMemory                    // its part of memory's bandwidth
	numUnits
)

var unitNames = [numUnits]string{unitIssue: "issue", unitTensor: "tensor", unitFMA: "fma", unitALU: "alu", unitF64: "f64", unitSpecial: "special",
	unitLSU: "lsu", unitShared: "shared", unitBulk: "bulk", unitL2: "l2", unitMemory: "memory"}

// what an instruction does beyond keeping its unit busy.
type what uint8

const (
	plain   what = iota
	nothing      // the assembler makes no instruction of it
	memory       // what it costs is in the event
	copies       // cp.async
	copyCommit
	copyWait
	copyArrive
	bulk
	bulkCommit
	bulkWait
	wgmma
	wgmmaCommit
	wgmmaWait
	tcMma
	tcCommit
	tcMove
	tcWait
	branch
	poll
	sync // waits at a barrier
)

// cost is what an instruction costs on an architecture.
type cost struct {
	what    what
	unit    unit
	slots   int // issue slots: instructions that the assembler makes of it
	cycles  int // that it keeps its unit busy
	latency int
	because reason  // for which those wait that need its result
	flops   float64 // of a lane; of a warp for matrix multiplications
	rate    float64 // cycles of the SM for these operations in all lanes, at best
	bytes   int     // of shared memory that its operands are read from, by one warp
	elem    sm.Elem // of a product
	loads   bool
	remote  bool           // it may access shared memory of another CTA
	count   int64          // groups that a wait leaves in flight
	more    [unitParts]int // cycles that machine code beside it keeps units busy
	beside  bool           // there is such code
	stalls  int            // cycles until the warp may issue again, as machine code says
	spills  int            // accesses to local memory beside it
}

// model is an architecture, looked up once.
type model struct {
	arch   *sm.Arch
	memory *sm.Memory
	async  *sm.Async
	chip   *sm.Chip
	mhz    float64
	notes  []string
	place  []uint64 // where instructions are in the machine code; nil: not known, 0: of one not known
}

func (m *model) note(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !slices.Contains(m.notes, s) && len(m.notes) < 20 {
		m.notes = append(m.notes, s)
	}
}

// unitOf is where classes of arithmetic execute.
var unitOf = map[sm.Unit]unit{sm.UnitFMA: unitFMA, sm.UnitALU: unitALU, sm.UnitF64: unitF64, sm.UnitSpecial: unitSpecial, sm.UnitLSU: unitLSU}

// class fills in the cost of a class of arithmetic.
func (m *model) class(c *cost, k sm.Class, slots int) {
	x := m.arch.Cost(k)
	c.unit = unitOf[x.Unit]
	c.slots, c.cycles, c.because = slots, x.Cycles*slots, fixed
	c.latency = x.Latency + (slots-1)*max(x.Cycles, 2)
	if c.unit == unitLSU {
		c.cycles, c.because = slots, short // a quarter of the SM's, which has it once
	}
	if c.unit == unitSpecial || c.unit == unitF64 {
		c.because = short
	}
}

// sequences are instructions of which the assembler makes several, counted in what ptxas 13 makes of them for sm_80
// (without the paths for special values): instructions in all.
var sequences = []struct {
	ops   string
	bits  int // of the type; 0: any
	float bool
	mod   string
	slots int
}{
	{"div rem", 32, false, "", 22},
	{"div rem", 16, false, "", 10},
	{"div rem", 64, false, "", 70},
	{"div", 32, true, "rn", 10},
	{"div", 32, true, "", 3},
	{"div", 64, true, "", 14},
	{"sqrt", 32, true, "rn", 8},
	{"rcp", 32, true, "rn", 6},
	{"rcp sqrt", 64, true, "", 12},
	{"ex2 lg2 rcp rsqrt sqrt", 32, true, "", 2}, // with the scaling of small numbers; one with .ftz
	{"sin cos", 32, true, "", 2},
	{"mul mad", 64, false, "", 4},
	{"add sub and or xor not setp selp set min max neg shl shr", 64, false, "", 2},
}

// classify says what an instruction costs.
func (m *model) classify(in *emu.Instruction) cost {
	c := cost{slots: 1, cycles: 1, latency: 4, because: fixed, unit: unitALU}
	has := func(mod string) bool { return slices.Contains(in.Mods, mod) }
	first := ""
	if len(in.Mods) > 0 {
		first = in.Mods[0]
	}
	switch in.Unit {
	case "tensor":
		m.mma(&c, in)
	case "fma", "alu", "f64", "special", "convert":
		m.arithmetic(&c, in)
	case "move":
		c.what = nothing
		if special := len(in.Uses) == 0 && in.Op == "mov" && strings.Contains(in.Text, "%"); special && specialRegister(in.Text) {
			// S2R; the paper by Jia et al. does not separate it from the way to its first use.
			c = cost{slots: 1, cycles: 1, latency: m.async.Special, because: short, unit: unitLSU}
		}
	case "lsu":
		m.access(&c, in, first, has)
	case "bulk":
		c.unit, c.because = unitBulk, long
		switch {
		case in.Op == "tcgen05" && first != "cp" && first != "shift":
			c.what, c.because, c.loads = tcMove, tensorWait, first == "ld"
			registers := max(len(in.Defs), len(in.Uses)-1, 1)
			rate := m.async.TensorIn
			if c.loads {
				rate = m.async.TensorOut
			}
			c.unit, c.cycles = unitLSU, 1
			c.bytes = int(float64(registers*4*sm.WarpSize)/rate + 0.5) // cycles of the quarter's way
			c.latency = m.async.Tensor + c.bytes
		case in.Op == "tcgen05":
			c.what, c.latency = tcMma, m.async.Tensor
		default:
			c.what, c.cycles, c.loads = bulk, m.async.BulkIssue, !stores(in)
		}
	case "barrier":
		m.barrier(&c, in, first, has)
	case "control":
		c.because = branchWait
		switch {
		case in.Branch:
			c.what = branch
		case in.Op == "elect" || in.Op == "vote" || in.Op == "activemask":
			c.latency, c.because = m.async.Vote, fixed
		case in.Op == "setmaxnreg" || in.Op == "bar":
			c.latency = 8
		}
	}
	c.rate = float64(c.cycles) / sm.Subpartitions
	return c
}

// stores says that an instruction writes global memory, or copies to it.
func stores(in *emu.Instruction) bool {
	switch in.Op {
	case "st", "red":
		return true
	case "cp":
		for _, mod := range in.Mods { // the first space is the destination
			switch mod {
			case "global":
				return true
			case "shared", "shared::cta", "shared::cluster":
				return false
			}
		}
	}
	return false
}

// tensorMaps is how many tensor maps a CTA made for which caches were invalidated.
func tensorMaps(t *emu.Trace, code []emu.Instruction) (n int) {
	for _, l := range t.Warps {
		maps := 0
		for i := range l {
			if in := &code[l[i].PC]; in.Op == "fence" && slices.Contains(in.Mods, "tensormap::generic") && slices.Contains(in.Mods, "acquire") {
				maps++
			}
		}
		n = max(n, maps) // each warp that uses a map does so
	}
	return n
}

// specialRegister says that a mov reads %tid, %ctaid, %clock and the like, not a register, an address or a constant.
func specialRegister(text string) bool {
	_, src, ok := strings.Cut(text, ",")
	src = strings.TrimSpace(src)
	if !ok || !strings.HasPrefix(src, "%") {
		return false
	}
	name := strings.TrimLeft(src, "%")
	return strings.IndexFunc(name, func(r rune) bool { return r >= '0' && r <= '9' }) < 0
}

// arithmetic is the cost of an instruction of the arithmetic units: its class, in as many issue slots as the assembler
// makes of it.
func (m *model) arithmetic(c *cost, in *emu.Instruction) {
	k, slots := classOf(in), slotsOf(in)
	if slices.Contains(in.Mods, "f32x2") && !m.arch.PairsF32() {
		slots = 2
	}
	switch {
	// Most of a long sequence is multiplications and additions. One instruction goes to the unit that the class names.
	case slots > 4:
		m.class(c, sm.IntMul, slots-1)
		x := m.arch.Cost(k)
		c.slots, c.latency = slots, c.latency+x.Latency
		if k == sm.F64Arith {
			c.unit, c.cycles, c.because = unitF64, x.Cycles*slots, short
		}
	case k == sm.Special && slots == 2: // the other one handles subnormal numbers
		m.class(c, k, 1)
		c.slots, c.latency = 2, c.latency+4
	default:
		m.class(c, k, slots)
	}
	if in.Float {
		c.flops = 1
		if in.Op == "fma" {
			c.flops = 2
		}
		if strings.Contains(in.Text, "x2") {
			c.flops *= 2
		}
	}
}

// classOf returns the class of the unit that executes an instruction.
func classOf(in *emu.Instruction) sm.Class {
	narrow := in.Bits == 16 || in.Float && in.Bits == 32 && strings.Contains(in.Text, "x2")
	switch {
	case in.Unit == "convert" && !floatTypes(in.Mods): // between integers it is logic, or nothing
		return sm.IntAdd
	case in.Unit == "convert" && in.Bits == 64:
		return sm.Convert64
	case in.Unit == "convert" && !in.Float: // it is the type of the result
		return sm.ConvertToInt
	case in.Unit == "convert":
		return sm.Convert
	case in.Unit == "f64":
		return sm.F64Arith
	case in.Unit == "special":
		return sm.Special
	case in.Unit == "fma" && in.Float && narrow && !strings.Contains(in.Text, "f32x2"):
		return sm.F16Arith
	case in.Unit == "fma" && in.Float:
		return sm.F32Arith
	case in.Unit == "fma":
		return sm.IntMul
	case strings.Contains(" and or xor not lop3 shl shr shf prmt bfe bfi bmsk cnot ", " "+in.Op+" "):
		return sm.IntLogic
	}
	return sm.IntAdd
}

// slotsOf returns how many instructions the assembler makes of one.
func slotsOf(in *emu.Instruction) int {
	for _, s := range sequences {
		if strings.Contains(" "+s.ops+" ", " "+in.Op+" ") && (s.bits == 0 || s.bits == in.Bits) && s.float == in.Float && (s.mod == "" || slices.Contains(in.Mods, s.mod)) {
			if s.slots == 2 && slices.Contains(in.Mods, "ftz") {
				return 1
			}
			return s.slots
		}
	}
	return 1
}

// floatTypes says that one of the types of a conversion is a float.
func floatTypes(mods []string) bool {
	return slices.ContainsFunc(mods, func(m string) bool {
		return strings.Contains(m, "f") && m != "ftz" && m != "satfinite" || strings.HasPrefix(m, "e4m") || strings.HasPrefix(m, "e5m") || strings.HasPrefix(m, "e2m") || strings.HasPrefix(m, "e3m") || strings.HasPrefix(m, "ue")
	})
}

func (m *model) access(c *cost, in *emu.Instruction, first string, has func(string) bool) {
	c.what, c.unit, c.because = memory, unitLSU, long
	switch in.Op {
	case "cp":
		c.what = copies
		return
	case "shfl", "redux", "match", "movmatrix":
		c.what = plain
		m.class(c, sm.Shuffle, 1)
		return
	case "ld", "ldu", "ldmatrix", "atom":
		c.loads = true
	case "multimem":
		c.loads = first == "ld_reduce"
	case "prefetch", "prefetchu", "discard", "applypriority":
		c.what = plain
	}
	c.remote = has("shared::cluster")
	if has("param") || has("const") {
		c.loads = false
		if in.Op == "ld" { // an operand of the instruction that uses it
			c.what = nothing
		}
	}
}

// barrier is about what orders and waits.
func (m *model) barrier(c *cost, in *emu.Instruction, first string, has func(string) bool) {
	c.unit, c.because = unitLSU, barrierWait
	c.count = int64(min(in.Count, 1<<30))
	switch {
	case in.Op == "cp" && has("bulk"):
		c.what, c.because = bulkWait, copyGroup
		if has("commit_group") {
			c.what = bulkCommit
		}
	case in.Op == "cp" && first == "async" && has("arrive"):
		c.what = copyArrive
	case in.Op == "cp":
		c.what, c.because = copyWait, copyGroup
		switch {
		case has("commit_group"):
			c.what = copyCommit
		case has("wait_all"):
			c.count = -1
		}
	case in.Op == "wgmma":
		switch first {
		case "wait_group":
			c.what, c.because = wgmmaWait, tensorWait
		case "commit_group":
			c.what = wgmmaCommit
		default:
			c.latency, c.because, c.unit = 4, fixed, unitALU
		}
	case in.Op == "tcgen05":
		switch first {
		case "commit":
			c.what = tcCommit
		case "wait":
			c.what, c.because = tcWait, tensorWait
		}
	case in.Op == "mbarrier":
		c.latency, c.because = m.async.Poll, short
		if first == "try_wait" || first == "test_wait" {
			c.what, c.because = poll, mbarrierWait
		}
	case in.Op == "bar", in.Op == "barrier":
		c.what, c.latency = sync, m.memory.Barrier
		switch {
		case has("arrive"): // it does not wait
			c.latency = 1
		case has("cluster"):
			c.latency = m.async.ClusterBarrier
		}
	case in.Op == "fence", in.Op == "membar":
		c.because = fence
		if has("gpu") || has("sys") || has("gl") {
			c.what, c.latency = sync, m.async.Fence
		} else if in.Op == "fence" && has("proxy") {
			c.what, c.latency = sync, m.async.ProxyFence
		}
	}
}

// mma is an instruction of the tensor cores.
func (m *model) mma(c *cost, in *emu.Instruction) {
	c.unit, c.because = unitTensor, tensorWait
	types, shape := []sm.Elem{}, [3]int{}
	for _, mod := range in.Mods {
		if e, ok := sm.ElemNamed(mod); ok {
			types = append(types, e)
		} else if mod == "b1" {
			types = append(types, sm.S8)
		}
		var s [3]int
		if n, _ := fmt.Sscanf(mod, "m%dn%dk%d", &s[0], &s[1], &s[2]); n == 3 {
			shape = s
		}
	}
	sparse := slices.Contains(in.Mods, "sp") || strings.Contains(in.Text, "sp::ordered_metadata")
	row := &sm.Matrix{Family: sm.MmaSync, M: shape[0], K: shape[2], Warps: 1, Sparse: sparse}
	elem := sm.F16
	switch {
	case in.Op == "tcgen05":
		c.what, c.elem = tcMma, kindElem(in.Mods)
		c.unit, c.cycles = unitLSU, 1
		return
	case in.Op == "wmma":
		// The types of D and C come last but for those of integers and f64, which all stand there.
		if len(types) >= 4 {
			elem = types[1]
		} else if len(types) > 0 && (types[0] == sm.BF16 || types[0] == sm.TF32) {
			elem = types[0]
		}
	case len(types) >= 2:
		elem = types[1]
	}
	if in.Op == "wgmma" {
		c.what = wgmma
		row.Family, row.Warps = sm.Wgmma, 4
		// Each warp reads its rows of A, unless they are in registers, and a quarter of B for all four.
		if elem.Bits() > 0 {
			c.bytes = shape[1] * shape[2] * elem.Bits() / 8 / 4
			if a := strings.SplitN(in.Text, "}", 3); len(a) < 3 || !strings.HasPrefix(strings.TrimLeft(a[1], ", \t"), "{") {
				c.bytes += shape[0] / 4 * shape[2] * elem.Bits() / 8
			}
		}
	}
	c.elem, row.A.Elems = elem, []sm.Elem{elem}
	c.flops = 2 * float64(shape[0]*shape[1]*shape[2])
	if in.Op == "wgmma" {
		c.flops /= 4
	}
	if len(types) >= 3 {
		// The row of the table knows more: whether the architecture emulates it.
		if known := sm.FindMatrix(row.Family, sm.MatrixShape{M: shape[0], N: shape[1], K: shape[2]}, sm.MatrixTypes{A: types[1], B: types[2], D: types[0]}); known != nil {
			row = known
		}
	}
	if t, ok := row.Timing(m.arch, shape[1]); ok {
		if m.chip.HalfF32 && elem.Bits() == 16 && len(types) >= 2 && types[0] == sm.F32 {
			t.Latency, t.Issue = t.Latency+t.Issue, 2*t.Issue
		}
		c.cycles, c.latency = t.Issue, t.Latency
		if t.Estimate {
			m.note("%s on %s: %s", in.Op, m.arch, t.Source)
		}
		return
	}
	c.cycles, c.latency = max(1, shape[0]*shape[1]*shape[2]/256), 33
	m.note("%s of %s has no published rate on %s: taken as 1024 multiply-adds a cycle of an SM", in.Op, elem, m.arch)
}

// kindElem is the type that decides the rate of a tcgen05.mma.
func kindElem(mods []string) sm.Elem {
	for _, mod := range mods {
		switch mod {
		case "kind::tf32":
			return sm.TF32
		case "kind::f8f6f4", "kind::mxf8f6f4":
			return sm.E4M3
		case "kind::i8":
			return sm.S8
		case "kind::mxf4", "kind::mxf4nvf4":
			return sm.E2M1
		}
	}
	return sm.F16
}

// tensorWork is how long a tcgen05.mma keeps the tensor cores of the SM, and how many bytes of shared memory it reads.
func (m *model) tensorWork(c *cost, in *emu.Instruction, work [3]uint16) (cycles, bytes int, flops float64) {
	row := &sm.Matrix{Family: sm.Tcgen05, M: int(work[0]), K: int(work[2])}
	row.A.Elems = []sm.Elem{c.elem}
	if slices.Contains(in.Mods, "cta_group::2") {
		row.Family, row.CTAs = sm.Tcgen05Pair, 2
	}
	cycles = 1
	if t, ok := row.Timing(m.arch, int(work[1])); ok {
		cycles = t.Issue
		m.note("tcgen05.mma on %s: %s", m.arch, t.Source)
	}
	bits := c.elem.Bits()
	ctas := max(1, row.CTAs)
	bytes = int(work[1]) * int(work[2]) * bits / 8 / ctas
	if a, _, _ := strings.Cut(strings.TrimLeft(afterComma(in.Text), " \t"), ","); !strings.HasPrefix(a, "[") {
		bytes += int(work[0]) * int(work[2]) * bits / 8 / ctas
	}
	return cycles, bytes, 2 * float64(work[0]) * float64(work[1]) * float64(work[2]) / float64(ctas)
}

func afterComma(s string) string {
	_, rest, _ := strings.Cut(s, ",")
	return rest
}
