package emu

import "slices"

// lanes is the value of one register in the 32 threads of a warp. A
// register of n bits keeps its value in the low n bits; the rest is zero.
type lanes = [32]uint64

const warpSize = 32

// execFn executes a decoded instruction for the lanes of mask m.
type execFn func(w *warp, m uint32)

type kind uint8

const (
	kindPlain  kind = iota
	kindBranch      // target, reconv
	kindIndex       // brx.idx: targets, index, reconv
	kindExit
	kindRet
	kindCall         // target
	kindCallIndirect // callees, index
	kindBarrier      // exec may block the lanes
	kindSync         // waits for the lanes of a member mask, then exec
)

// inst is a decoded instruction.
type inst struct {
	exec         execFn
	kind         kind
	guarded      bool
	guard        predSrc
	uses, defs   []int32 // register slots read and written
	puses, pdefs []int32 // predicate slots read and written
	target       int32
	reconv       int32 // immediate post-dominator of a branch, -1 if none
	targets      []int32
	index        src // brx.idx: the index; kindSync: the member mask; kindCallIndirect: the address
	anywhere     bool
	callees      map[uint64]*indirectTarget // kindCallIndirect: by address
	after        execFn                     // kindCall: copies the results when lanes return
	stmt         *stmt
}

// src is a readable operand: a register slot, or ^i for constant i.
type src int32

// predSrc is a readable predicate.
type predSrc struct {
	slot int32
	not  bool
}

// Predicate slots with a meaning: always true, and the sink.
const (
	predTrue = 0
	predSink = 1
)

// slotSink takes what is written to `_`; the slot behind it takes the upper
// half of a 128-bit value.
const slotSink = 0

// program is an entry with the functions that it calls, decoded.
type program struct {
	// cancels tells that the program cancels launches.
	cancels bool
	// stack is the register of the stack pointer, if there is a stack, and
	// stackBase is its lowest address in local memory.
	stack     int32
	stackBase int
	// clustered is the predicate of %is_explicit_cluster, if it is read.
	clustered int32

	// asyncReads tells that the program reads shared memory through the
	// asynchronous proxy.
	asyncReads bool
	// unit makes what a CTA has beside memory and threads, if the program uses it.
	unit        func() unit
	tensorGroup string // .cta_group of tcgen05, once known
	m           *textModule
	entry       *function
	code        []inst
	starts      map[*function]int32
	consts      []lanes
	relocs      []reloc
	specials    []special
	slots       map[*symbol]int32 // for messages
	nregs       int
	npreds      int
	sharedSize  int
	localSize   int
	paramBytes  int
	dynAlign    int64
}

// reloc asks that what is known of the address of a variable at launch be added to a constant: the place of a module
// variable, the CTA of a shared one.
type reloc struct {
	index int
	sym   *symbol
}

// relocate returns the constants with what place says added to the addresses of variables.
func (p *program) relocate(place func(*symbol) uint64) []lanes {
	if len(p.relocs) == 0 {
		return p.consts
	}
	consts := slices.Clone(p.consts)
	for _, r := range p.relocs {
		for i := range consts[r.index] {
			consts[r.index][i] += place(r.sym)
		}
	}
	return consts
}

// special asks that a slot hold a special register's value in every warp.
type special struct {
	slot int32
	fill func(w *warp, out *lanes)
}
