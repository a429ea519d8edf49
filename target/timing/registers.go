package timing

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/sm"
)

// maxLiveness bounds the memory of liveness: words of 64 registers, over all blocks.
const maxLiveness = 1 << 22

// estimateRegisters is how many registers the assembler may give a thread: the most that live at once, and some for
// addresses that it makes. That leaves out what the assembler recomputes, orders again or holds in uniform registers.
// Slots from predicates on are predicates. Code that is too large to look at counts as 255. Live is the most that live
// at once, 0 if that is not known.
func estimateRegisters(arch *sm.Arch, code []emu.Instruction, count, predicates int) (n, live int) {
	const reserve = 10
	n = arch.Registers.PerThread
	if most, ok := mostLive(code, count, predicates); ok {
		n, live = min(n, (most+reserve+7)/8*8), most
	}
	return max(n, arch.Registers.Least), live
}

// block is a run of instructions with one way in and the live registers at its beginning.
type block struct {
	from, to int
	next     []int // blocks that may follow
	live     []uint64
}

func mostLive(code []emu.Instruction, count, predicates int) (most int, ok bool) {
	blocks := blocksOf(code)
	words := (count + 63) / 64
	if len(blocks)*words > maxLiveness {
		return 0, false
	}
	width := make([]int, count)
	for i := range code {
		w := 1
		if code[i].Bits == 64 || slices.Contains(code[i].Mods, "wide") {
			w = 2
		}
		for _, r := range code[i].Defs {
			width[r] = max(width[r], w)
		}
	}
	for i := range blocks {
		blocks[i].live = make([]uint64, words)
	}
	live := make([]uint64, words)
	walk := func(b *block, visit func()) {
		clear(live)
		for _, n := range b.next {
			for i, w := range blocks[n].live {
				live[i] |= w
			}
		}
		for i := b.to - 1; i >= b.from; i-- {
			if visit != nil {
				visit()
			}
			if !code[i].Guarded {
				for _, r := range code[i].Defs {
					live[r/64] &^= 1 << (r % 64)
				}
			}
			for _, r := range code[i].Uses {
				live[r/64] |= 1 << (r % 64)
			}
		}
	}
	for changed, rounds := true, 0; changed; rounds++ {
		if changed = false; rounds == 64 {
			return 0, false
		}
		for i := len(blocks) - 1; i >= 0; i-- {
			walk(&blocks[i], nil)
			if !slices.Equal(live, blocks[i].live) {
				copy(blocks[i].live, live)
				changed = true
			}
		}
	}
	wide := make([]uint64, words)
	registers := make([]uint64, words) // predicates have none
	for r, w := range width {
		if w > 0 && r < predicates {
			registers[r/64] |= 1 << (r % 64)
			if w > 1 {
				wide[r/64] |= 1 << (r % 64)
			}
		}
	}
	for i := range blocks {
		walk(&blocks[i], func() {
			n := 0
			for k, w := range live {
				n += bits.OnesCount64(w&registers[k]) + bits.OnesCount64(w&wide[k])
			}
			most = max(most, n)
		})
	}
	return most, true
}

// blocksOf divides code into blocks. Functions that are called count as if nothing lived across them.
func blocksOf(code []emu.Instruction) []block {
	starts := make([]bool, len(code)+1)
	starts[0] = true
	for i := range code {
		if code[i].Branch {
			starts[i+1] = true
		}
		for _, t := range code[i].Targets {
			starts[t] = true
		}
	}
	at := make([]int, len(code)+1)
	var list []block
	for i := range code {
		if starts[i] {
			list = append(list, block{from: i})
		}
		at[i] = len(list) - 1
		list[len(list)-1].to = i + 1
	}
	for i := range list {
		last := &code[list[i].to-1]
		for _, t := range last.Targets {
			list[i].next = append(list[i].next, at[t])
		}
		ends := last.Branch && !last.Guarded && (len(last.Targets) > 0 || last.Op == "ret" || last.Op == "exit")
		if !ends && i+1 < len(list) {
			list[i].next = append(list[i].next, i+1)
		}
	}
	return list
}

// limitRegisters applies what the entry asks for.
func limitRegisters(arch *sm.Arch, n, warps int, entry *emu.Entry) int {
	for _, d := range entry.Directives {
		if len(d.Args) == 0 {
			continue
		}
		v, err := strconv.Atoi(d.Args[0])
		switch {
		case err != nil || v <= 0:
		case d.Name == ".maxnreg":
			n = min(n, v)
		case d.Name == ".minnctapersm":
			n = min(n, arch.RegistersPerThread(warps, min(v, 64)))
		}
	}
	return min(n, arch.RegistersPerThread(warps, 1))
}

// mostRegisters is how many registers a thread has at most: roles of a warp-specialized kernel ask for more than they
// begin with (setmaxnreg.inc).
func mostRegisters(code []emu.Instruction, begin int) int {
	for i := range code {
		if code[i].Op != "setmaxnreg" {
			continue
		}
		text := strings.TrimSuffix(strings.TrimSpace(code[i].Text), ";")
		if v, err := strconv.Atoi(text[strings.LastIndexAny(text, " \t")+1:]); err == nil {
			begin = max(begin, v)
		}
	}
	return begin
}
