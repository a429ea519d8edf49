package machine

import (
	"slices"
	"sync"

	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// Lanes is the value of one register in the 32 threads of a warp. A
// register of n bits keeps its value in the low n bits; the rest is zero.
type Lanes = [32]uint64

// WarpSize is fixed: masks of lanes are words of 32 bits everywhere.
const WarpSize = 32

// Exec executes a decoded instruction for the lanes of mask m.
type Exec func(w *Warp, m uint32)

// Kind is what the machine has to do for an instruction beyond calling its function. Whatever moves program counters or
// may block lanes is in one switch of the machine. An instruction cannot do that on its own. The kinds that may block
// come last.
type Kind uint8

const (
	KindPlain  Kind = iota
	KindBranch      // target, reconv
	KindIndex       // brx.idx: targets, index, reconv
	KindExit
	KindRet
	KindCall         // target
	KindCallIndirect // callees, index
	KindBarrier      // exec may block the lanes
	KindSync         // waits for the lanes of a member mask, then exec
)

// Inst is a decoded instruction.
//
// Which registers are read and written stands beside the function, so that the check for unwritten registers is one
// loop in the machine and no instruction can forget it.
type Inst struct {
	Exec               Exec
	Kind               Kind
	Guarded            bool
	Guard              PredSrc
	Uses, Defs         []int32 // register slots read and written
	PredUses, PredDefs []int32 // predicate slots read and written
	Target             int32
	Join               int32 // immediate post-dominator of a branch, -1 if none
	Targets            []int32
	Index              Src // brx.idx: the index; KindSync: the member mask; KindCallIndirect: the address
	AnyPlace           bool
	Callees            map[uint64]*IndirectTarget // KindCallIndirect: by address
	After              Exec                       // KindCall: copies the results when lanes return
	Stmt               *syntax.Stmt
}

// Src is a readable operand: a register slot, or ^i for constant i.
type Src int32

// PredSrc is a readable predicate.
type PredSrc struct {
	Slot int32
	Not  bool
}

// Predicate slots with a meaning: always true, and the sink.
const (
	PredTrue = 0
	PredSink = 1
)

// SlotSink takes what is written to `_`; the slot after it takes the upper
// half of a 128-bit value.
const SlotSink = 0

// Program is an entry with the functions that it calls, decoded.
type Program struct {
	// Cancels says that the program cancels launches.
	Cancels bool
	// Stack is the register of the stack pointer, if there is a stack, and
	// StackBase is its lowest address in local memory.
	Stack     int32
	StackBase int
	// Clustered is the predicate of %is_explicit_cluster, if it is read.
	Clustered int32

	// AsyncReads says that the program reads shared memory through the
	// asynchronous proxy.
	AsyncReads bool
	// AsyncGlobal says that it accesses global memory so.
	AsyncGlobal bool
	// Wgmma says that the program has wgmma.mma_async.
	Wgmma bool
	// Fences says that it has fences of memory.
	Fences bool
	// Observes says that it reads what other CTAs may be writing: by a strong load, or as an atomic operation's result.
	Observes bool
	// Unit makes what a CTA has beside memory and threads, if the program uses it.
	Unit        func() Unit
	TensorGroup string // .cta_group of tcgen05, once known
	Module      *syntax.Module
	Entry       *syntax.Function
	Code        []Inst
	// Probes say what there is to count at instructions, nil at those whose issue is all. They stand apart from Code,
	// so that what every launch reads does not grow.
	Probes     []*Probe
	Orders     []*Order // likewise, for the check of synchronisation
	Starts     map[*syntax.Function]int32
	Consts     []Lanes
	Relocs     []Reloc
	Specials   []SpecialFill
	Slots      map[*syntax.Symbol]int32 // for messages
	Regs       int
	Preds      int
	SharedSize int
	LocalSize  int
	ParamBytes int
	DynAlign   int64

	// files keeps the registers of warps from launch to launch: PTX has thousands of them, and who times a launch runs a
	// thousand tile blocks one by one. They need no clearing, see Warp.start.
	files sync.Pool
}

func (p *Program) takeRegisters() []Lanes {
	if f, ok := p.files.Get().(*[]Lanes); ok {
		return *f
	}
	return make([]Lanes, p.Regs)
}

func (p *Program) giveRegisters(f []Lanes) { p.files.Put(&f) }

// Reloc adds to a constant what only the launch knows of a variable's address: the place of a module variable, or the
// CTA of a shared one.
type Reloc struct {
	Index int
	Sym   *syntax.Symbol
}

// relocate returns the constants with what place says added to the addresses of variables.
//
// Addresses of variables are constants of the program and known at launch only; a launch copies the constants if it
// has any to change.
func (p *Program) relocate(place func(*syntax.Symbol) uint64) []Lanes {
	if len(p.Relocs) == 0 {
		return p.Consts
	}
	consts := slices.Clone(p.Consts)
	for _, r := range p.Relocs {
		for i := range consts[r.Index] {
			consts[r.Index][i] += place(r.Sym)
		}
	}
	return consts
}
