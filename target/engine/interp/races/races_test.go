package races

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/target/engine/interp/memory"
)

// someOps returns operations with places of their own.
func someOps(t testing.TB) (out []ir.Op) {
	t.Helper()
	text := "cuda_tile.module @m {\nentry @k() {\n"
	for i := range 7 {
		text += fmt.Sprintf("%%c%d = constant <i32: %d> : tile<i32>\n", i, i)
	}
	module, err := asm.Parse(ir.NewContext(ops.Dialect), "k.mlir", []byte(text+"return\n}\n}\n"), asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	module.Walk(func(op ir.Op) ir.WalkResult {
		if op.NumResults() > 0 {
			out = append(out, op)
		}
		return ir.Advance
	})
	return out
}

// A side is one tile block, as both see it.
type side struct {
	state  *State
	oracle *oracle
	all    int // events so far
}

// buffer is one buffer at the end of a page, and nothing else.
func buffer(addr uint64) (first, end uint64) {
	if addr < 0x7f0000000000+pageSize-512 || addr >= 0x7f0000000000+2*pageSize {
		return 0, 0
	}
	return 0x7f0000000000 + pageSize - 512, 0x7f0000000000 + 2*pageSize
}

// elements returns the offsets of the elements of a tile in bytes, in the order of the tile.
func elements(size uint64, dims []memory.Dim) []uint64 {
	out := []uint64{0}
	for _, d := range dims {
		var next []uint64
		for _, at := range out {
			for i := range d.N {
				next = append(next, at+uint64(i*d.Stride)*size)
			}
		}
		out = next
	}
	return out
}

// TestAgainstOracle runs random accesses of tiles, rows and elements by some tile blocks. It compares errors, and what
// is known of each byte, with the definition that looks at each byte alone.
func TestAgainstOracle(t *testing.T) {
	t.Parallel()
	all := someOps(t)
	races, tiles := map[string]int{}, 0
	for seed := range uint64(400) {
		tiles += compare(t, rand.New(rand.NewPCG(seed, 27)), all, seed, races)
		if t.Failed() {
			return
		}
	}
	t.Logf("%d tiles noted together; programs and loads: %v", tiles, races)
	for _, kind := range []string{"another element", "no token", "nothing that one released", "flat", "without a record"} {
		if races[kind] < 10 {
			t.Errorf("only %d programs have %q", races[kind], kind)
		}
	}
	if tiles < 1000 {
		t.Errorf("only %d tiles were noted together", tiles)
	}
}

// compare runs one program, and returns how many tiles were noted together.
func compare(t *testing.T, rnd *rand.Rand, all []ir.Op, seed uint64, races map[string]int) (tiles int) {
	const span = 512
	grid := [3]uint32{2, 2, 2}
	blocks := NewBlocks(grid, 1)
	truth := &blockOracle{grid: grid, visits: make(map[uint64][]visit), released: make(map[uint64]clock)}
	open, halves := rnd.IntN(4) == 0, rnd.IntN(4) == 0
	sides := make([]side, 4)
	for i := range sides {
		s := &sides[i]
		s.state, s.oracle = NewState(halves, open, buffer), newOracle(truth, uint64(i), open)
		s.state.Start(blocks.Start(uint64(i)))
	}
	tidy, readers := rnd.IntN(3) > 0, rnd.IntN(2) == 0
	for step := range 40 {
		s := &sides[rnd.IntN(len(sides))]
		if step == 20 { // another tile block, on the same machine
			s.state.Start(blocks.Start(uint64(len(sides))))
			s.oracle, s.all = newOracle(truth, uint64(len(sides)), open), 0
		}
		// Both sides of a page's end, and memory of one tile block.
		region := uint64(0x7f0000000000 + pageSize - span/2)
		if rnd.IntN(4) == 0 {
			region = memory.PrivateAddr
		}
		if rnd.IntN(20) == 0 && region == memory.PrivateAddr {
			addr, size := region+rnd.Uint64N(span/2), rnd.Uint64N(span/2)
			s.state.Forget(addr, size)
			s.oracle.forget(addr, size)
		}
		before := make([]uint64, s.all/64+1)
		for n := range s.all {
			if tidy || rnd.IntN(8) > 0 {
				before[n/64] |= 1 << (n % 64)
			}
		}
		weak := rnd.IntN(4) > 0
		write := rnd.IntN(3) == 0 && !(readers && region != memory.PrivateAddr && rnd.IntN(8) > 0)
		e := NewEvent(all[rnd.IntN(len(all))], weak, !weak && rnd.IntN(2) == 0, !weak && rnd.IntN(2) == 0)
		s.state.Begin(e, true, before)
		s.oracle.begin(e, before)
		s.all++
		size := uint64(1) << rnd.IntN(4)
		var dims []memory.Dim
		for range rnd.IntN(4) {
			dims = append(dims, memory.Dim{N: rnd.Int64N(5), Stride: rnd.Int64N(9)})
		}
		if rnd.IntN(2) == 0 { // a tile in memory, transposed or not
			dims = []memory.Dim{{N: 1 + rnd.Int64N(4), Stride: 16}, {N: 1 + rnd.Int64N(16), Stride: 1}}
			if rnd.IntN(2) == 0 {
				slices.Reverse(dims)
			}
		}
		if rnd.IntN(8) == 0 { // every second element or so: a page with many runs
			size = uint64(1) << rnd.IntN(2)
			dims = []memory.Dim{{N: 2*maxRuns + rnd.Int64N(40), Stride: 2 + rnd.Int64N(2)}}
		}
		if rnd.IntN(60) == 0 { // a page, and what is beside it
			size, dims = 1, []memory.Dim{{N: pageSize + span, Stride: 1}}
		}
		addr := region + rnd.Uint64N(span/8/size)*size
		offsets, together := elements(size, dims), s.state.Tile
		if rnd.IntN(3) == 0 { // a gather or a scatter
			rnd.Shuffle(len(offsets), func(i, k int) { offsets[i], offsets[k] = offsets[k], offsets[i] })
			together = func(addr, size uint64, _ []memory.Dim, write bool) uint64 {
				addrs := slices.Clone(offsets)
				for i := range addrs {
					addrs[i] += addr
				}
				return s.state.Elements(addrs, size, write)
			}
		}
		var want, got error
		for _, at := range offsets {
			if want = s.oracle.access(addr+at, size, write); want != nil {
				break
			}
		}
		// What access.Cell does: the entire tile if it is weak, and what is left by elements.
		noted := uint64(0)
		if weak {
			before := blocks.places
			if noted = together(addr, size, dims, write); noted == Everywhere {
				tiles++
			}
			if blocks.places > before {
				races["without a record"]++
			}
		}
		for _, at := range offsets {
			if addr+at < noted {
				continue
			}
			if got = s.state.Access(addr+at, size, write); got != nil {
				break
			}
			s.state.Accessed(addr + at)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("program %d, access %d of %v by %d bytes at 0x%x:\n got %v\nwant %v", seed, step, dims, size, addr, got, want)
			return tiles
		}
		if want != nil {
			for _, kind := range []string{"another element", "no token", "nothing that one released"} {
				if strings.Contains(want.Error(), kind) {
					races[kind]++
				}
			}
			return tiles
		}
		if step%8 > 0 || halves || seed%2 == 0 { // positions of halves are not the oracle's; nor are loads without records
			continue
		}
		for _, s := range sides {
			s.state.record(0x7f0000000000+pageSize-512, 0x7f0000000000+2*pageSize, true)
		}
		for _, p := range blocks.bytes.pages {
			if p.flat != nil {
				races["flat"]++
			}
		}
		for i, s := range sides {
			if known := footprints(s.state); !maps.EqualFunc(known, s.oracle.bytes, slices.Equal[[]uint32]) {
				t.Errorf("program %d, access %d of %v by %d bytes at 0x%x: tile block %d knows\n%v\nwant\n%v", seed, step, dims, size, addr, i, known, s.oracle.bytes)
				return tiles
			}
		}
		if known := visited(blocks); !maps.EqualFunc(known, truth.visits, slices.Equal[[]visit]) {
			t.Errorf("program %d, access %d of %v by %d bytes at 0x%x: tile blocks know\n%v\nwant\n%v", seed, step, dims, size, addr, known, truth.visits)
			return tiles
		}
	}
	races["none"]++
	return tiles
}

// footprints returns what a state knows of each byte, and checks its runs.
func footprints(s *State) map[uint64][]uint32 {
	out := make(map[uint64][]uint32)
	flatten(&s.bytes, func(at uint64, f *footprint) { out[at] = f.events })
	return out
}

func visited(b *Blocks) map[uint64][]visit {
	out := make(map[uint64][]visit)
	flatten(&b.bytes, func(at uint64, v *visits) { out[at] = v.list })
	return out
}

func flatten[R comparable](s *shadow[R], f func(at uint64, r R)) {
	var none R
	for number, p := range s.pages {
		for i, r := range p.flat {
			for at := i << p.unit; at < (i+1)<<p.unit && r != none; at++ {
				f(number<<pageBits+uint64(at), r)
			}
		}
		if p.flat != nil && len(p.runs) > 0 {
			panic(fmt.Sprintf("page %d is flat and has the runs %v", number, p.runs))
		}
		for i, r := range p.runs {
			if r.from >= r.to || r.to > pageSize || i > 0 && (r.from < p.runs[i-1].to || r.from == p.runs[i-1].to && r.record == p.runs[i-1].record) {
				panic(fmt.Sprintf("page %d has the runs %v", number, p.runs))
			}
			for at := r.from; at < r.to; at++ {
				f(number<<pageBits+uint64(at), r.record)
			}
		}
	}
}

// TestRunsOfTiles: what was accessed alike takes one record for each row, however large it is.
func TestRunsOfTiles(t *testing.T) {
	t.Parallel()
	op := someOps(t)[0]
	blocks := NewBlocks([3]uint32{1, 1, 1}, 1)
	s := NewState(false, false, nil)
	s.Start(blocks.Start(0))
	count := func() (n int) {
		for _, p := range blocks.bytes.pages {
			n += len(p.runs)
		}
		return n
	}
	for i := range uint64(4) { // tiles of 64 x 64 f16 beside each other, in rows of 256
		s.Begin(NewEvent(op, true, false, false), true, nil)
		if s.Tile(0x7f0000000000+i*128, 2, []memory.Dim{{N: 64, Stride: 256}, {N: 64, Stride: 1}}, false) != Everywhere {
			t.Fatal("loads race")
		}
		if n := count(); n > 64*4 {
			t.Errorf("%d runs", n)
		}
	}
	s.Begin(NewEvent(op, true, false, false), true, []uint64{15})
	if s.Tile(0x7f0000000000, 2, []memory.Dim{{N: 256, Stride: 1}, {N: 64, Stride: 256}}, true) != Everywhere {
		t.Fatal("an ordered store races")
	}
	if n, pages := count(), len(blocks.bytes.pages); n != pages {
		t.Errorf("%d runs in %d pages, but one store of 32 KiB has overwritten all", n, pages)
	}
}

// TestFirstAccesses: the first accesses of a buffer have no records, and race all the same.
func TestFirstAccesses(t *testing.T) {
	t.Parallel()
	all := someOps(t)
	const load, store = false, true
	for _, c := range []struct {
		name          string
		first, second bool
		blocks        [2]int
		ordered       bool
		race          string
	}{
		{"loads", load, load, [2]int{0, 0}, false, ""},
		{"a load behind a store", store, load, [2]int{0, 0}, false, "no token orders them"},
		{"an ordered load behind a store", store, load, [2]int{0, 0}, true, ""},
		{"a store behind a load", load, store, [2]int{0, 0}, false, "no token orders them"},
		{"an ordered store behind a load", load, store, [2]int{0, 0}, true, ""},
		{"two stores", store, store, [2]int{0, 0}, false, "no token orders them"},
		{"loads of two tile blocks", load, load, [2]int{0, 1}, false, ""},
		{"another tile block's load behind a store", store, load, [2]int{0, 1}, false, "nothing that one released"},
		{"another tile block's store behind a load", load, store, [2]int{0, 1}, false, "nothing that one released"},
	} {
		for _, random := range []bool{false, true} {
			blocks := NewBlocks([3]uint32{2, 1, 1}, 1)
			states := []*State{NewState(false, false, buffer), NewState(false, false, buffer)}
			for i, s := range states {
				s.Start(blocks.Start(uint64(i)))
			}
			var err error
			for i, write := range []bool{c.first, c.second} {
				s, addr := states[c.blocks[i]], uint64(0x7f0000000000+pageSize)
				var before []uint64
				if c.ordered && i == 1 {
					before = []uint64{1}
				}
				s.Begin(NewEvent(all[i], true, false, false), true, before)
				noted := uint64(0)
				if random {
					noted = s.Elements([]uint64{addr + 12, addr, addr + 40}, 4, write)
				} else {
					noted = s.Tile(addr, 4, []memory.Dim{{N: 16, Stride: 1}}, write)
				}
				if noted != Everywhere && err == nil {
					err = s.Access(addr, 4, write)
				}
			}
			if got := fmt.Sprint(err); err == nil && c.race != "" || err != nil && (c.race == "" || !strings.Contains(got, c.race)) {
				t.Errorf("%s, random %t: %s, want a race with %q", c.name, random, got, c.race)
			}
		}
	}
}
