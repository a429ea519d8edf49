package timing

import (
	"slices"
	"strings"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/sass"
	"github.com/tilewright/tilewright/target/sm"
)

// Where the assembler's machine code is known, an instruction of the PTX costs what the assembler made of it: nothing,
// or several instructions, with the rest of their units. Loads, MMAs and waits keep their own costs, and get the slots
// and units of the address arithmetic and of spills beside them.
//
// The assembler may have copied a block, as it unrolls loops. How often, its accesses to memory say: each of the PTX is
// one of the machine code.

// The instructions of the machine code by unit, without modifiers. Those in no list are for the ALU. Names are those of
// NVIDIA's CUDA Binary Utilities, section "Instruction Set Reference".
var machineClasses = map[sm.Class]string{
	sm.F32Arith:     "FADD FMUL FFMA FADD32I FMUL32I FFMA32I FADD2 FMUL2 FFMA2 FSWZADD",
	sm.F16Arith:     "HADD2 HMUL2 HFMA2 HADD2_32I HMUL2_32I HFMA2_32I",
	sm.F64Arith:     "DADD DMUL DFMA DSETP DMNMX",
	sm.IntMul:       "IMAD IMUL IDP IDP4A",
	sm.Special:      "MUFU POPC FLO BREV",
	sm.Convert:      "F2FP I2FP F2IP",
	sm.ConvertToInt: "F2F F2I I2F FRND I2I",
}

const (
	// issueOnly go to units that nothing else waits for: uniform data paths, branches, special registers, constants.
	issueOnly = "BAR BRA BRX BSSY BSYNC BREAK BMOV CALL CS2R DEPBAR ELECT ENDCOLLECTIVE ERRBAR EXIT FENCE JMP LDC LDCU LEPC MEMBAR NANOSLEEP NOP PMTRIG R2UR RET S2R S2UR " +
		"USETMAXREG VOTE WARPSYNC WARPGROUP WARPGROUPSET YIELD ACQBULK CCTL CCTLT"
	// toMemory are counted by the accesses of the PTX, but for spills.
	toMemory = "LD LDG LDS LDL LDSM ST STG STS STL STSM LDGSTS LDGDEPBAR ATOM ATOMG ATOMS RED REDG REDAS SHFL SYNCS ARRIVES UBLKCP UBLKPF UBLKRED UTMALDG UTMASTG UTMAREDG UTMAPF " +
		"UTMACMDFLUSH UTMACCTL MATCH REDUX MOVM LDTM STTM LDT STT UTCBAR"
	spills = "LDL STL"
)

var (
	machineUnits = func() map[string]sm.Class {
		m := make(map[string]sm.Class)
		for k, names := range machineClasses {
			for name := range strings.FieldsSeq(names) {
				m[name] = k
			}
		}
		return m
	}()
	issueSet, memorySet, spillSet = nameSet(issueOnly), nameSet(toMemory), nameSet(spills)
)

func nameSet(names string) map[string]bool {
	m := make(map[string]bool)
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}

// tensorName says that an instruction is for the tensor cores: HMMA, IMMA, DMMA, QMMA, HGMMA, UTCHMMA and so on.
func tensorName(name string) bool { return strings.HasSuffix(name, "MMA") }

// made is what the assembler made of an instruction of the PTX.
type made struct {
	slots  float64            // instructions
	cycles [unitParts]float64 // of the units
	memory float64            // accesses
	spills float64
	stalls float64 // cycles until the warp may issue again
	// last is the address behind the last instruction, or of the last access to memory.
	last uint64
}

// machine corrects the costs of instructions by the machine code.
func (m *model) machine(code []emu.Instruction, costs []cost, list []sass.Instruction) {
	if len(list) == 0 {
		return
	}
	lines := make(map[int]*made)
	for i := range list {
		if x := &list[i]; !x.Apart && x.Line > 0 {
			if lines[x.Line] == nil {
				lines[x.Line] = new(made)
			}
			m.add(lines[x.Line], x)
		}
	}
	several := make(map[int]int)
	for i := range code {
		several[code[i].Line]++
	}
	m.place = make([]uint64, len(code))
	m.tensorPlaces(code, list)
	for _, b := range blocksOf(code) {
		copies := copiesOf(code[b.from:b.to], costs[b.from:b.to], lines)
		var rest made
		for i := b.from; i < b.to; i++ {
			if several[code[i].Line] > 1 || costs[i].slots == 0 {
				continue // not said, or not executed
			}
			x := made{}
			if l := lines[code[i].Line]; l != nil {
				x = *l
			}
			if copies == 1 && m.place[i] == 0 {
				m.place[i] = x.last
			}
			costs[i].correct(&x, &rest, copies, m)
		}
	}
}

// tensorPlaces finds MMAs in the machine code by their number: the assembler is not careful about their lines.
func (m *model) tensorPlaces(code []emu.Instruction, list []sass.Instruction) {
	var places []uint64
	for i := range list {
		if tensorName(list[i].Name()) {
			places = append(places, list[i].Address+1)
		}
	}
	var products []int
	for i := range code {
		if code[i].Unit == "tensor" {
			products = append(products, i)
		}
	}
	if len(products) == len(places) {
		for k, i := range products {
			m.place[i] = places[k]
		}
	}
}

// add counts an instruction of the machine code.
func (m *model) add(x *made, in *sass.Instruction) {
	x.slots++
	x.stalls += float64(in.Stall)
	name := in.Name()
	if memorySet[name] || x.memory == 0 {
		x.last = in.Address + 1
	}
	k, known := machineUnits[name]
	switch {
	case tensorName(name) || strings.HasPrefix(name, "U") && !memorySet[name] || issueSet[name]:
		return
	case spillSet[name]:
		x.spills++
		return
	case memorySet[name]:
		x.memory++
		return
	case !known:
		k = sm.IntAdd
	}
	c := m.arch.Cost(k)
	x.cycles[unitOf[c.Unit]] += float64(c.Cycles)
}

// copiesOf is how often a block is there in the machine code.
func copiesOf(code []emu.Instruction, costs []cost, lines map[int]*made) float64 {
	var accesses, others []float64
	for i := range code {
		l := lines[code[i].Line]
		if l == nil {
			continue
		}
		if l.memory > 0 && (costs[i].what == memory || costs[i].what == copies) {
			accesses = append(accesses, l.memory)
		} else if l.slots > 0 && costs[i].slots == 1 {
			others = append(others, l.slots)
		}
	}
	if len(accesses) == 0 {
		accesses = others
	}
	if len(accesses) == 0 {
		return 1
	}
	slices.Sort(accesses)
	return max(1, accesses[len(accesses)/2])
}

// whole takes the whole part of x and what was left before. So fractions of a block's copies add up.
func whole(x float64, rest *float64) int {
	*rest += x
	n := int(*rest + 1e-6)
	*rest -= float64(n)
	return n
}

// correct sets a cost to what the assembler made.
func (c *cost) correct(x, rest *made, copies float64, m *model) {
	slots := whole(x.slots/copies, &rest.slots)
	var cycles [unitParts]int
	for u := range cycles {
		cycles[u] = whole(x.cycles[u]/copies, &rest.cycles[u])
	}
	c.spills, c.stalls = whole(x.spills/copies, &rest.spills), whole(x.stalls/copies, &rest.stalls)
	switch {
	case c.what != nothing && (c.what != plain || c.unit == unitTensor || c.unit >= unitParts):
		c.slots, c.more, c.beside = max(1, slots), cycles, true
		return
	case slots == 0:
		c.what = nothing
		return
	case c.what == nothing:
		*c = cost{latency: 4, because: fixed, unit: unitALU, stalls: c.stalls}
	}
	// The unit that works longest is that of the instruction.
	main := c.unit
	for u := range cycles {
		if cycles[u] > cycles[main] {
			main = unit(u)
		}
	}
	c.latency = max(4, c.latency-(c.slots-1)*2+(slots-1)*2)
	c.slots, c.unit, c.cycles = slots, main, cycles[main]
	cycles[main] = 0
	c.more, c.beside = cycles, true
}
