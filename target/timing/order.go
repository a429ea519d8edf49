package timing

import (
	"cmp"
	"slices"

	"github.com/tilewright/tilewright/target/engine/emu"
)

// The assembler orders the instructions of a block again, so that a warp rarely waits for what it could have asked for
// earlier. Timing PTX as it stands would count these waits. As any list scheduler does, order takes the instruction on
// the longest path first, among those whose operands are due.
//
// What stays in place: waits, barriers and whatever orders memory; branches; and stores and loads of the same space
// against each other, as nothing is known of their addresses here. The window bounds how far an instruction may move
// up, as registers do in the assembler.
const (
	orderWindow = 96
	orderChunk  = 1024
)

// orders keeps the orders of runs of instructions.
type orders struct {
	code  []emu.Instruction
	costs []cost
	place []uint64 // in machine code, if that is known
	known map[[2]int32][]int32
	ends  []bool // instructions after which a block ends
}

func newOrders(code []emu.Instruction, costs []cost, place []uint64) *orders {
	o := &orders{code: code, costs: costs, place: place, known: make(map[[2]int32][]int32), ends: make([]bool, len(code)+1)}
	for i := range code {
		if code[i].Branch {
			o.ends[i] = true
		}
		for _, t := range code[i].Targets {
			if t > 0 {
				o.ends[t-1] = true
			}
		}
		if i > 0 && code[i].Function != code[i-1].Function {
			o.ends[i-1] = true
		}
	}
	return o
}

// fixedPlace says that an instruction stays where it is.
func (c *cost) fixedPlace() bool {
	switch c.what {
	case plain, nothing, memory, wgmma, copies:
		return false
	}
	return true
}

// warp returns the events of a warp in the assembler's order, as numbers of events.
func (o *orders) warp(list []emu.Event) []int32 {
	out := make([]int32, len(list))
	for a := 0; a < len(list); {
		b := a + 1
		for b < len(list) && b-a < orderChunk && list[b].PC == list[b-1].PC+1 && !o.ends[list[b-1].PC] {
			b++
		}
		for i, k := range o.run(list[a].PC, list[b-1].PC+1) {
			out[a+i] = int32(a) + k
		}
		a = b
	}
	return out
}

// maxRuns bounds the orders that are kept; divergence can make any number of runs.
const maxRuns = 1 << 14

func (o *orders) run(from, to int32) []int32 {
	key := [2]int32{from, to}
	if known, ok := o.known[key]; ok {
		return known
	}
	list := o.schedule(int(from), int(to))
	if len(o.known) < maxRuns {
		o.known[key] = list
	}
	return list
}

// node is an instruction of a run with those that wait for it.
type node struct {
	after   []edge
	waiting int // instructions that it waits for
	length  int // of the longest path from here on
	ready   int
	done    bool
}

type edge struct{ to, latency int }

func (o *orders) schedule(from, to int) []int32 {
	if list := o.placed(from, to); list != nil {
		return list
	}
	nodes := o.graph(from, to)
	n := len(nodes)
	for i := n - 1; i >= 0; i-- {
		for _, e := range nodes[i].after {
			nodes[i].length = max(nodes[i].length, nodes[e.to].length+e.latency)
		}
	}
	out := make([]int32, 0, n)
	for now, first := 0, 0; len(out) < n; now++ {
		best := -1
		for i := first; i < min(n, first+orderWindow); i++ {
			x := &nodes[i]
			if x.done || x.waiting > 0 {
				continue
			}
			if best < 0 || better(x, &nodes[best], now) {
				best = i
			}
		}
		x := &nodes[best]
		now = max(now, x.ready)
		x.done = true
		out = append(out, int32(best))
		for _, e := range x.after {
			nodes[e.to].waiting--
			nodes[e.to].ready = max(nodes[e.to].ready, now+e.latency)
		}
		for first < n && nodes[first].done {
			first++
		}
	}
	return out
}

// placed is the order of the machine code, nil where that is not known. What has no place stays behind the one before it.
func (o *orders) placed(from, to int) []int32 {
	if o.place == nil {
		return nil
	}
	places, list, at := make([]uint64, to-from), make([]int32, to-from), uint64(0)
	for i := range places {
		if p := o.place[from+i]; p > 0 {
			at = p
		}
		places[i], list[i] = at, int32(i)
	}
	if at == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(places[a], places[b]) })
	return list
}

// better: what can issue now before what cannot, then the longer path; on a tie the earlier instruction stays first.
func better(a, b *node, now int) bool {
	if x, y := max(a.ready, now), max(b.ready, now); x != y {
		return x < y
	}
	return a.length > b.length
}

// expected is the latency that the assembler plans with.
func (o *orders) expected(i int) int {
	c := &o.costs[i]
	switch {
	case c.what == nothing:
		return 0
	case c.what == memory && c.loads && c.because == long:
		for _, mod := range o.code[i].Mods {
			if mod == "global" {
				return 200
			}
		}
		return 30
	}
	return c.latency
}

// graph finds what waits for what in a run.
func (o *orders) graph(from, to int) []node {
	nodes := make([]node, to-from)
	add := func(a, b, latency int) {
		if a >= 0 && a != b {
			nodes[a].after = append(nodes[a].after, edge{b, latency})
			nodes[b].waiting++
		}
	}
	defs, uses := map[int32]int{}, map[int32][]int{}
	wall := -1
	lastStore, loads := [spaces]int{-1, -1}, [spaces][]int{}
	for i := range nodes {
		in, c := &o.code[from+i], &o.costs[from+i]
		// An instruction comes after the definition of what it reads, by the latency of that.
		for _, r := range in.Uses {
			if d, ok := defs[r]; ok {
				add(d, i, o.expected(from+d))
			}
			uses[r] = append(uses[r], i)
		}
		for _, r := range in.Defs {
			// A definition comes after the last reads of the old value, and after the old definition.
			for _, u := range uses[r] {
				add(u, i, 0)
			}
			if d, ok := defs[r]; ok {
				add(d, i, 1)
			}
			defs[r], uses[r] = i, uses[r][:0]
		}
		switch {
		// Nothing moves across a barrier, a wait or the branch at the end.
		case c.fixedPlace() || i == len(nodes)-1 && in.Branch:
			for k := max(wall, 0); k < i; k++ {
				add(k, i, 0)
			}
			wall = i
			for k := range spaces {
				lastStore[k], loads[k] = -1, loads[k][:0]
			}
			continue
		case c.what == memory || c.what == copies || c.what == wgmma:
			for _, k := range spacesOf(in, c) {
				add(lastStore[k], i, 0)
				// Loads may pass each other. A store keeps its order with all loads of its space.
				if c.what == memory && c.loads && in.Op != "atom" {
					loads[k] = append(loads[k], i)
					continue
				}
				for _, l := range loads[k] {
					add(l, i, 0)
				}
				lastStore[k], loads[k] = i, loads[k][:0]
			}
		}
		add(wall, i, 0)
	}
	return nodes
}

// spaces are those of memory that cannot be the same bytes: shared memory, and all else.
const spaces = 2

// spacesOf are the spaces that an instruction accesses.
func spacesOf(in *emu.Instruction, c *cost) []int {
	if c.what == memory {
		for _, m := range in.Mods {
			switch m {
			case "shared", "shared::cta", "shared::cluster":
				return []int{0}
			case "global", "local":
				return []int{1}
			}
		}
		if in.Op == "ldmatrix" || in.Op == "stmatrix" {
			return []int{0}
		}
	}
	return []int{0, 1}
}
