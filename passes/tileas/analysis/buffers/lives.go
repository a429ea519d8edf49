package buffers

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Alignment is the least alignment in shared memory, in bytes: a row of banks, which every swizzle assumes.
const Alignment = 128

// addressBytes is the size of a global alloca: its address, which one thread publishes.
const addressBytes = 8

// A Life is the range in which an allocation needs its memory: positions in the order of the text, both inclusive.
// Alternative regions follow each other, so allocations in different ones do not overlap.
type Life struct {
	Op         ir.Op // the allocation, which gets the attribute tileas.AttrOffset
	Start, End int
	Size       int64 // in bytes, a multiple of Alignment
	Align      int64 // at least Alignment in shared memory
	BlockEnd   int   // the end of its block, or of the kernel if it lives throughout
}

// Meets reports whether both lifetimes overlap.
func (l *Life) Meets(o *Life) bool { return l.Start <= o.End && o.Start <= l.End }

func aligned(bytes int64) int64 { return (bytes + Alignment - 1) / Alignment * Alignment }

// positions numbers the operations of a kernel in the order of the text.
type positions struct {
	spans *ir.OpTable[span]
	// allocates is the region that allocates most, for operations whose regions run concurrently.
	allocates map[ir.Op]ir.Region
}

// A span is the positions of an operation, and of the last one inside.
type span struct{ first, last int }

func (p positions) first(op ir.Op) int { return p.spans.At(op).first }
func (p positions) last(op ir.Op) int  { return p.spans.At(op).last }

func number(fn ir.Op) positions {
	p := positions{ir.NewOpTable[span](fn), make(map[ir.Op]ir.Region)}
	n, bytes := 0, make(map[ir.Region]int64)
	var visit func(op ir.Op)
	visit = func(op ir.Op) {
		p.spans.At(op).first = n
		n++
		if op.Is(tileas.AllocShared) || op.Is(tileas.AllocTMEM) {
			if all := concurrent(op); !all.IsNil() {
				in := regionOf(op, all)
				if bytes[in] += sizeOf(op.Result(0)); bytes[in] > bytes[p.allocates[all]] {
					p.allocates[all] = in
				}
			}
		}
		for b := range op.Blocks() {
			for inner := range b.Ops() {
				visit(inner)
			}
		}
		p.spans.At(op).last = n - 1
	}
	visit(fn)
	return p
}

// regionOf returns the region of all that contains op.
func regionOf(op, all ir.Op) ir.Region {
	for op.ParentOp() != all {
		op = op.ParentOp()
	}
	return op.ParentRegion()
}

// TensorLives returns the lifetime of each allocation in TMEM, in the order of the text. Sizes are in bytes of full
// columns.
func (b *Buffers) TensorLives() []*Life {
	pos := number(b.root)
	lives := ir.Map(b.root.Collect(tileas.AllocTMEM.Is), pos.life)
	b.extend(lives, pos)
	return lives
}

// Lives returns the lifetime of each allocation of shared memory, in the order of the text.
func (b *Buffers) Lives() []*Life {
	pos := number(b.root)
	var lives []*Life
	for op := range b.root.All() {
		switch {
		case op.Is(tileas.Level.Alloca): // its address may escape, so it lives throughout
			bytes, _ := op.IntAttr(tile.AttrBytes)
			if op.HasUnitAttr(tile.AttrGlobal) {
				bytes = addressBytes
			}
			lives = append(lives, &Life{Op: op, End: pos.last(b.root), Size: aligned(bytes), Align: Alignment, BlockEnd: pos.last(b.root)})
		case op.Is(tileas.AllocShared):
			l := pos.life(op)
			l.Size, l.Align = aligned(l.Size), max(Alignment, tileas.Alignment(op))
			if tileas.IsBarriers(op.Result(0).Type()) {
				// The memory of an mbarrier must not be reused before mbarrier.inval (PTX ISA), which costs more than
				// eight bytes.
				l.End = pos.last(b.root)
			}
			lives = append(lives, l)
		}
	}
	b.extend(lives, pos)
	return lives
}

// life returns the lifetime of a buffer that nothing accesses.
func (p positions) life(alloc ir.Op) *Life {
	l := &Life{Op: alloc, Start: p.first(alloc), End: p.first(alloc), Size: sizeOf(alloc.Result(0)), Align: 1, BlockEnd: p.last(alloc.Block().Last())}
	l.include(alloc, p)
	return l
}

// extend extends lifetimes to all accesses. An alloca lives throughout the kernel anyway.
func (b *Buffers) extend(lives []*Life, pos positions) {
	byRoot := make(map[ir.Op]*Life, len(lives))
	for _, l := range lives {
		if !l.Op.Is(tileas.Level.Alloca) {
			byRoot[l.Op] = l
		}
	}
	if len(byRoot) == 0 {
		return
	}
	keep := func(where Places, at ir.Op) {
		if where.Any {
			for _, l := range byRoot {
				l.include(at, pos)
			}
			return
		}
		for _, root := range where.Roots() {
			if l := byRoot[root]; l != nil {
				l.include(at, pos)
			}
		}
	}
	for op := range b.root.All() {
		b.Accesses(op, func(a Access) { keep(a.Where, op) })
	}
	b.extendInFlight(keep)
}

// extendInFlight calls keep with each access that may be in flight, and each operation before which it is. An access is
// still in flight at the operation that completes it.
//
// Which phase of an mbarrier a wait is for is known at run time only, and the interpreter checks it. But after the last
// wait at an mbarrier, nothing that signals it is in flight. So those accesses last to each wait at it, and only for
// those without a wait does every operation count.
func (b *Buffers) extendInFlight(keep func(where Places, at ir.Op)) {
	points := b.flights()
	if points == nil {
		return
	}
	waits := make(map[ir.Op]bool) // the allocations of mbarriers with a wait
	for op := range b.root.All() {
		if v, ok := waitsAt(op); ok {
			for _, root := range b.Of(v).Roots() {
				waits[root] = true
			}
		}
	}
	type landing struct {
		Places
		until ir.Op // the mbarriers that something waits at for it; a zero Op: none is known
	}
	flights := make(map[start][]landing)
	of := func(k start) []landing {
		out, ok := flights[k]
		if !ok {
			for _, a := range b.startedBy(k) {
				out = append(out, landing{Places: a.Where})
				if a.Object.IsNil() {
					continue
				}
				if roots := b.Of(a.Object).Roots(); len(roots) == 1 && waits[roots[0]] {
					out[len(out)-1].until = roots[0]
				}
			}
			flights[k] = out
		}
		return out
	}
	plain := func(op ir.Op) bool { return !op.IsNil() && op.NumRegions() == 0 && !ir.Asynchrony.Has(op) }
	points.Walk(func(op ir.Op, under InFlight) {
		// Between plain operations of a block nothing lands, and what is in flight at the first and last of them is
		// so at all.
		if plain(op.Prev()) && plain(op) && plain(op.Next()) {
			return
		}
		var waited []ir.Op
		if object, ok := waitsAt(op); ok {
			waited = b.Of(object).Roots()
		}
		for _, x := range under {
			for _, f := range of(x.start) {
				if f.until.IsNil() || slices.Contains(waited, f.until) {
					keep(f.Places, op)
				}
			}
		}
	})
}

// waitsAt returns the mbarrier that an operation waits at.
func waitsAt(op ir.Op) (object ir.Value, ok bool) {
	if steps, async := ir.Asynchrony.Of(op); async {
		steps(op, func(s ir.AsyncStep) {
			if s.Kind == ir.AsyncWait && s.Queue == nil {
				object, ok = s.Object, true
			}
		})
	}
	return object, ok
}

// concurrent returns the outermost operation around op, or op itself, whose regions run concurrently; a zero Op if
// there is none.
func concurrent(op ir.Op) (out ir.Op) {
	for ; !op.IsNil(); op = op.ParentOp() {
		if ir.ConcurrentRegions.Has(op) {
			out = op
		}
	}
	return out
}

// include makes the memory live at an operation.
//
// The order of the text means nothing between concurrent regions. So an access in one of them, or an allocation in
// one, makes the memory live in all. The exception is one region: its allocations conflict with those of the others,
// which are live in all of it.
func (l *Life) include(at ir.Op, pos positions) {
	l.reach(at, pos)
	for _, op := range []ir.Op{l.Op, at} {
		all := concurrent(op)
		if all.IsNil() || all != op && all == concurrent(l.Op) && regionOf(op, all) == pos.allocates[all] {
			continue
		}
		l.reach(all, pos)
	}
}

// reach extends the lifetime to an operation. Both are compared in the innermost block that contains both. If the
// access is earlier there, a loop around brings the value back, and the memory lives through that loop.
func (l *Life) reach(at ir.Op, pos positions) {
	from, to := ir.Siblings(l.Op, at)
	if from != l.Op { // the value has left its block, which a loop may execute again
		l.Start = min(l.Start, pos.first(from))
	}
	if pos.first(to) < pos.first(from) {
		to = to.ParentOp()
		l.Start = min(l.Start, pos.first(to))
	}
	l.End = max(l.End, pos.last(to))
}

// Alive returns the bytes that are live at each of some operations, and the largest number of live bytes anywhere.
func (b *Buffers) Alive(ops []ir.Op) (at map[ir.Op]int64, most int64) {
	pos := number(b.root)
	// Changes at both ends and one prefix sum, instead of a sum per position.
	live := make([]int64, pos.last(b.root)+2)
	for _, l := range b.Lives() {
		live[l.Start] += l.Size
		live[l.End+1] -= l.Size
	}
	for i := 1; i < len(live); i++ {
		live[i] += live[i-1]
	}
	at = make(map[ir.Op]int64, len(ops))
	for _, op := range ops {
		at[op] = live[pos.first(op)]
	}
	return at, slices.Max(live)
}
