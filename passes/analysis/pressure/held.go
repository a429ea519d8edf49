package pressure

import (
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/target/sm"
)

// A Profile is how many registers all threads together need at each place of a kernel: the words of live tensors.
// Without layouts it counts no copies, and neither addresses nor temporaries of instructions. The limit leaves room
// for those.
//
// It is an upper estimate of pressure, not an allocation. ptxas reorders instructions within a block;
// docs/measurements shows what it spills.
type Profile struct {
	*holder
	live []int64
}

// A View is the assumption under which a kernel is estimated.
type View struct {
	// Cut returns into how many parts a value will be split, with one live at a time; nil: nothing is split.
	Cut func(ir.Value) int64
	// Summed returns which values are accumulators that live through an entire chain, from First on; nil: none.
	Summed func(ir.Value) bool
	First  ir.Op
	// InShared says that shared memory holds all operands of MMAs at once. Otherwise some come through registers.
	InShared bool
	// Staged leaves out loads on their way to shared memory through registers: such loads can wait for each other.
	Staged bool
	// Entire counts results of element-wise work as entire tiles. Otherwise ptxas is taken to order such work by element.
	Entire bool
}

// Of returns the profile of a kernel.
func Of(fn ir.Op, arch *sm.Arch, view View) *Profile {
	h := newHolder(fn, arch, view)
	h.number(fn)
	h.keepInTMEM(fn)
	// Only changes are recorded, and summed in one sweep. That is linear, whereas sets of live values would be
	// quadratic for long straight-line code.
	p := &Profile{h, make([]int64, h.next+1)}
	for _, v := range h.values {
		if words := h.words(v) / h.Cut(v); words > 0 {
			h.lifetime(v, func(from, to int) {
				if h.Summed != nil && h.Summed(v) {
					from = min(from, *h.begin.At(h.First))
				}
				p.live[from] += words
				p.live[to] -= words
			})
		}
	}
	for i := 1; i < len(p.live); i++ {
		p.live[i] += p.live[i-1]
	}
	// A scaled MMA without an instruction becomes many operations later, and no lifetime shows their temporaries.
	for _, op := range h.mmas {
		if op.NumOperands() > 3 && !h.hasScaledMMA(op) {
			p.live[*h.begin.At(op)] += h.blockWords(op)
		}
	}
	return p
}

// Most returns the largest need of the kernel.
func (p *Profile) Most() int64 { return slices.Max(p.live) }

// Within returns the largest need of a thread between two operations of a block, with so many warps. It is its share
// of the tensors, and in MMAs the operands of one step.
func (p *Profile) Within(first, last ir.Op, warps int) int64 {
	threads := int64(warps) * sm.WarpSize
	from, to := *p.begin.At(first), *p.end.At(last)
	most := slices.Max(p.live[from:to+1]) / threads
	for _, op := range p.mmas {
		// Its operands end where it begins.
		if at := *p.begin.At(op); from < at && at <= to {
			live := p.live[at-1]
			if p.words(op.Operand(2)) == 0 { // accumulators that begin as constants have no registers yet
				live += p.words(op.Result(0)) / p.Cut(op.Result(0))
			}
			most = max(most, (live+p.prepared(op, warps))/threads+p.step(op, warps))
			// Without an instruction that converts fp8, the conversion is arithmetic on all blocks at once. With it,
			// blocks are converted one after the other.
			if op.NumOperands() > 3 && !p.hasScaledMMA(op) && !p.arch.Has(sm.CvtF16FP8) {
				most = max(most, (live+p.blockWords(op))/threads)
			}
		}
	}
	return most
}

// stepWords is how many words of each row and column a step of an MMA takes: 32 bytes of K, as in most matrix
// instructions.
const stepWords = 8

// The least extents of a warp's part of an MMA.
const leastRows, leastColumns = 16, 8

// step returns the registers of a thread for the operands of one step of an MMA. MMAs that feed each other, or whose
// result is reduced along rows, have all warps along the rows; others are tiled as squarely as possible.
//
// This term explains spills of attention with accumulators of 128x256 in eight warps along the rows. A step of the 256
// columns takes 64 registers, since each warp multiplies all of them.
//
// An asynchronous MMA reads operands from shared memory or TMEM, if they fit. An operand that it reads from registers is
// live there.
func (p *Profile) step(op ir.Op, warps int) int64 {
	shape := tile.Shape(op.Result(0).Type())
	m, n := shape[len(shape)-2]/p.Cut(op.Operand(0)), shape[len(shape)-1]/p.Cut(op.Operand(1))
	along := p.alongRows(op)
	best := int64(math.MaxInt64)
	if p.InShared && p.Cut(op.Result(0)) == 1 && mma.Asynchronous(p.arch, op, warps) {
		best = 0
	}
	for rows := int64(warps); rows > 0 && best > 0; rows /= 2 {
		if m/rows < leastRows && rows > 1 || n/(int64(warps)/rows) < leastColumns && rows < int64(warps) {
			continue
		}
		if best = min(best, (m/rows+n*rows/int64(warps))*stepWords/sm.WarpSize); along {
			break
		}
	}
	if best == math.MaxInt64 {
		best = 0
	}
	return max(best, max(p.converted(op), p.oneByOne(op))/(int64(warps)*sm.WarpSize))
}

// oneByOne returns the words of the larger operand whose elements are loaded one by one, each to a register, on the
// way to shared memory.
func (p *Profile) oneByOne(op ir.Op) (words int64) {
	for _, v := range op.Operands()[:2] {
		// What is converted comes to registers anyway, and is counted there.
		if load, vector, converts := p.source(v); vector > 0 && !converts && ir.ElementType(load.Type()) == ir.ElementType(v.Type()) {
			words = max(words, inFlight(vector, load.Type().(*ir.TensorType))/p.Cut(v))
		}
	}
	return words
}

// source returns the load that an operand of an MMA is computed of alone, how many of its elements come at once, and
// whether they are converted on the way, other than to another format of floats; 0: of no load, or of more.
func (h *holder) source(v ir.Value) (load ir.Value, vector int, converts bool) {
	for range maxLinks {
		def := v.DefiningOp()
		if def.IsNil() {
			break
		}
		if vector, loads := vectorOf(def); loads {
			return v, vector, converts
		}
		tiles := ir.Filter(def.Operands(), func(x ir.Value) bool { return h.distinct(x) > 1 })
		if len(tiles) != 1 || !cheap(def) && !arith.Elementwise.Has(def) {
			break
		}
		converts = converts || !cheap(def) && !def.Is(arith.FToF)
		v = tiles[0]
	}
	return v, 0, converts
}

// converted returns the words of the larger operand of an fp8 MMA that the target computes in f16. Entire operands are
// converted on their way to shared memory, one after the other.
func (p *Profile) converted(op ir.Op) (words int64) {
	if mma.Choose(p.arch, mma.Unscaled(op), mma.KExtent(op)) != nil {
		return 0
	}
	for _, v := range op.Operands()[:2] {
		t := v.Type().(*ir.TensorType)
		if f, ok := t.Elem.(*ir.FloatType); ok && f.Format.Bits() <= 8 {
			const half = 2
			words = max(words, t.NumElements()*half/4/p.Cut(v))
		}
	}
	return words
}

// prepared returns the words of what threads convert on the way from a load to an MMA that reads operands from
// registers. While it multiplies, the next tile is on its way, and converted elements wait for their store. Floats of
// another format come to shared memory as they are, and each step converts its own (tileas-tile-mma-k).
//
// In a GEMM of 128x128 with weights in i8, 64x128 of them take 16 registers of 128 threads, and 32 as f16. Beside 128
// accumulators and a step of 32 that is too much: 48 spills on sm_80.
func (p *Profile) prepared(op ir.Op, warps int) (words int64) {
	if mma.Asynchronous(p.arch, op, warps) {
		return 0
	}
	for _, v := range op.Operands()[:2] {
		if load, vector, converts := p.source(v); vector > 0 && converts && !p.waits(v) {
			words += (size(load) + size(v)) / p.Cut(v)
		}
	}
	return words
}

// size returns the registers of all elements of a value.
func size(v ir.Value) int64 { return tile.Bytes(v.Type()) / 4 }

// alongRows reports whether the result of an MMA is used by rows, or its operand comes by rows.
func (p *Profile) alongRows(op ir.Op) bool {
	return p.words(op.Operand(0)) > 0 || byRows(op.Result(0), maxRows)
}

// maxRows is how many operations after an MMA are looked at.
const maxRows = 8

// byRows reports whether a value is reduced, or becomes an MMA operand, in its block.
func byRows(v ir.Value, links int) bool {
	for u := range v.Uses() {
		switch op := u.Owner(); {
		case op.Block() != v.Block() || op.HasTrait(ir.Terminator) || links == 0:
		case tile.IsMMA(op) && u.Index() != 2, op.NumRegions() > 0:
			return true
		case op.NumResults() == 1 && !tile.IsMMA(op) && byRows(op.Result(0), links-1):
			return true
		}
	}
	return false
}

// newHolder returns an empty holder.
func newHolder(fn ir.Op, arch *sm.Arch, view View) *holder {
	if view.Cut == nil {
		view.Cut = func(ir.Value) int64 { return 1 }
	}
	return &holder{arch: arch, View: view, begin: ir.NewOpTable[int](fn), end: ir.NewOpTable[int](fn), known: make(map[ir.Value]int64), runs: make(map[ir.Value]int64), different: make(map[ir.Value]int64), used: make(map[ir.Value]int), ends: make(map[ir.Value]int), accesses: make(map[int]bool)}
}

// cheap reports whether a result is rematerialized at its uses.
func cheap(op ir.Op) bool { return tile.Cheap.Has(op) || ir.ConstantOf(op) != nil }

// hasScaledMMA reports whether the target has an instruction for a scaled MMA.
func (h *holder) hasScaledMMA(op ir.Op) bool {
	return mma.Choose(h.arch, mma.Types(op), mma.KExtent(op)) != nil
}

// A holder numbers operations in program order, those with regions at their beginning and at their end.
type holder struct {
	arch *sm.Arch
	View
	next       int
	begin, end *ir.OpTable[int]
	values     []ir.Value
	mmas       []ir.Op
	known      map[ir.Value]int64
	runs       map[ir.Value]int64
	different  map[ir.Value]int64
	used, ends map[ir.Value]int
	accesses   map[int]bool      // outside of loops, where they begin
	inTMEM     map[ir.Op]bool    // MMAs whose accumulators are there
	resident   map[ir.Value]bool // values that stay there
}

func (h *holder) number(op ir.Op) {
	*h.begin.At(op) = h.next
	h.next++
	if tile.IsMMA(op) {
		h.mmas = append(h.mmas, op)
	}
	for b := range op.Blocks() {
		h.values = append(h.values, b.Args()...)
		for inner := range b.Ops() {
			h.number(inner)
		}
	}
	h.values = append(h.values, op.Results()...)
	*h.end.At(op) = h.next
	h.next++
}

// lifetime calls add with the ranges in which v is live. A loop keeps values from before it to its end, if it uses
// them. An operand whose last use is where a result is defined leaves its registers to the result.
//
// For example, with the numbers of begin and end,
//
//	1     %a = load                      live from 1 to the end of the loop: the next iteration reads it again
//	2     scf.for iter_args(%s = %z) {
//	3       %b = load                    live from 3 to 4
//	4       %t = addf %a, %b
//	5       %u = addf %s, %t             takes over the registers of %s and %t
//	6     }
//
// If an scf.if is the last user of a value, each region keeps it to its own last use. A region with a loop does not
// keep what the other region yields.
func (h *holder) lifetime(v ir.Value, add func(from, to int)) {
	scope := v.Block().ParentOp()
	from := *h.begin.At(scope)
	if def := v.DefiningOp(); !def.IsNil() {
		from = *h.end.At(def)
	}
	to, last := from+1, ir.Op{} // it is defined even if it is unused
	regions := make(map[ir.Region]int)
	for u := range v.Uses() {
		user := u.Owner()
		at, top := *h.begin.At(user), user
		region := ir.Region{}
		for p := user.ParentOp(); !p.IsNil() && p != scope; p = p.ParentOp() {
			// Every loop between the definition and the use counts; the outermost loop ends last.
			if ir.LoopLike.Has(p) {
				at = max(at, *h.end.At(p))
			}
			top, region = p, top.Block().Region()
		}
		if top != user {
			regions[region] = max(regions[region], at)
		}
		if at > to {
			to, last = at, top
		}
	}
	// The last user has no alternative regions, or a loop keeps the value beyond it.
	if last.IsNil() || last.NumRegions() < 2 || to > *h.end.At(last) || ir.LoopLike.Has(last) || *h.begin.At(last) < from {
		add(from, to)
		return
	}
	add(from, *h.begin.At(last)+1)
	for i := range last.NumRegions() {
		r := last.Region(i)
		if to, used := regions[r]; used {
			add(*h.begin.At(r.First().First()), to)
		}
	}
}

// words returns how many registers a value takes. It is 0 for what is no tensor, is rematerialized, or waits in shared
// memory, as most loads for MMAs do. A value that only repeats or reshapes another takes the registers of that one.
//
// A word is a register of one thread: 4 bytes of elements, spread over all threads. A tensor that every thread holds
// entirely counts too little; such layouts are of small tensors.
func (h *holder) words(v ir.Value) int64 {
	t, ok := v.Type().(*ir.TensorType)
	if !ok || h.resident[v] {
		return 0
	}
	if n, ok := h.known[v]; ok {
		return n
	}
	n := size(v)
	if def := v.DefiningOp(); !def.IsNil() {
		vector, loads := vectorOf(def)
		switch repeated := cheap(def); {
		case repeated && (def.NumOperands() == 0 || !ir.IsTensor(def.Operand(0))):
			n = 0
		case repeated:
			n = h.words(def.Operand(0)) // definitions come first, so the memo ends the recursion
		case !loads && h.waits(v):
			n = 0
		case loads && h.feedsDots(v):
			n = min(n, inFlight(vector, t)) // pairs are packed and stored as they come
			if h.Staged {
				n = 0
			}
		case loads && inFlight(vector, t) > 0: // elements that come alone are packed when all are there
			h.known[v] = t.NumElements() / int64(vector)
			return h.known[v]
		default:
			n = min(n, h.distinct(v)*int64(tile.ElementBytes(t.Elem))/4)
			n = min(n, h.deferred(v))
		}
	}
	if n > 0 {
		n /= h.addressRun(v)
	}
	// Without the memo, a chain of reshapes would be walked again from each of its links.
	h.known[v] = n
	return n
}

// deferred returns the registers that element-wise work takes if each element is computed where it is used, as ptxas
// orders it: those of operands that nothing else keeps until then. It is as many as the value has if something but
// element-wise work or a reduction uses it, or an access in a loop, which steps addresses one by one.
//
// The mask of a causal tile is made of a row's and a column's number, and takes their registers. In x * (1 + tanh(x)),
// the parts of the sum take none beside x. The pointers of a split-K epilogue, 128x128 sums of a row's and a column's
// offset, would take 128 registers of each of 256 threads, and the accumulator half of that (nvvm-sink).
func (h *holder) deferred(v ir.Value) (words int64) {
	all := size(v)
	def := v.DefiningOp()
	at := h.usedAt(v)
	if at == 0 || h.Entire && !h.accesses[at] || !elementwise(def) {
		return all
	}
	for _, x := range def.Operands() {
		if h.liveUntil(x) <= at {
			words += h.words(x)
		}
	}
	return min(words, all)
}

func elementwise(op ir.Op) bool { return arith.Elementwise.Has(op) || tile.Is(op, tile.RowAddPtr) }

// usedAt returns where the elements of element-wise work are used at last: where its only user is, or where that one's
// result is used, if it is element-wise itself. It is 0 for other values, and if users are at different places.
func (h *holder) usedAt(v ir.Value) (place int) {
	if at, ok := h.used[v]; ok {
		return at
	}
	h.used[v] = 0
	for u := range v.Uses() {
		op := u.Owner()
		at := *h.begin.At(op)
		switch {
		case op.Block() != v.Block():
			return 0
		case elementwise(op):
			at = max(at, h.usedAt(op.Result(0)))
		case tile.Is(op, tile.RowReduce): // each thread combines its elements as they come
		case len(h.mmas) > 0 && op.Def().OperandField("ptrs") >= 0 && !ir.InLoop(op) && (v == op.OperandNamed("ptrs") || v == op.OperandNamed("mask")):
			h.accesses[at] = true
		default:
			return 0
		}
		if place > 0 && place != at {
			return 0
		}
		place = at
	}
	h.used[v] = place
	return place
}

// liveUntil returns where a value is live at last.
func (h *holder) liveUntil(v ir.Value) (last int) {
	last, ok := h.ends[v]
	if !ok {
		h.lifetime(v, func(_, to int) { last = max(last, to) })
		h.ends[v] = last
	}
	return last
}

// distinct returns how many elements of a value differ at most: element-wise work on repeated values is done once for
// each row or column.
func (h *holder) distinct(v ir.Value) int64 {
	t, ok := v.Type().(*ir.TensorType)
	if !ok {
		return 1
	}
	if n, ok := h.different[v]; ok {
		return n
	}
	all := t.NumElements()
	h.different[v] = all // ends recursion through loops
	n := all
	def := v.DefiningOp()
	if def.IsNil() {
		return n
	}
	if c, ok := ir.ConstantOf(def).(*ir.DenseElementsAttr); ok && c.IsSplat(t.Elem) {
		n = 1
	}
	if arith.Elementwise.Has(def) || cheap(def) && def.NumOperands() > 0 {
		n = 1
		for _, x := range def.Operands() {
			if n *= h.distinct(x); n >= all {
				n = all
				break
			}
		}
	}
	h.different[v] = n
	return n
}

// addressRun returns how many neighbouring elements of a value need only one address or mask: accesses take the first
// of each run (tile.Run), and the others are never computed.
//
// Most pointers and masks of a gather are such. 64x64 pointers to rows of f16 are 512 addresses.
func (h *holder) addressRun(v ir.Value) int64 {
	if n, ok := h.runs[v]; ok {
		return n
	}
	h.runs[v] = 1 // ends recursion through loops
	n := int64(0)
	for u := range v.Uses() {
		k := int64(1)
		op := u.Owner()
		switch through := op.Def().OperandField("ptrs") >= 0; {
		case through && v != op.OperandNamed("ptrs") && v != op.OperandNamed("mask"):
		case through && !ir.HasNoEffects(op):
			_, run := tile.Run(op)
			k = int64(run)
		case ir.IsPure(op) && op.NumResults() == 1 && op.NumRegions() == 0 && slices.Equal(tile.Shape(v.Type()), tile.Shape(op.Result(0).Type())):
			k = h.addressRun(op.Result(0))
		}
		if n == 0 || k < n {
			n = k
		}
	}
	h.runs[v] = max(1, n)
	return h.runs[v]
}

// vectorOf returns how many elements one instruction of a load may move.
func vectorOf(op ir.Op) (n int, ok bool) {
	if op.IsNil() || op.NumResults() == 0 || ir.HasNoEffects(op) || ir.MayWrite(op) {
		return 0, false
	}
	switch def := op.Def(); {
	case def.OperandField("offsets") >= 0:
		if a := tile.AccessOf(op); a.ContiguousDim() >= 0 {
			return a.VectorElements(), true
		}
		return 1, true
	case def.OperandField("ptrs") >= 0:
		_, n = tile.Run(op)
		return n, true
	}
	return 0, false
}

// Alone reports whether a load brings a tile element by element, each to a register of its own.
func Alone(v ir.Value) bool {
	vector, loads := vectorOf(v.DefiningOp())
	return loads && inFlight(vector, v.Type().(*ir.TensorType)) > 0
}

// copyBytes is the least that a thread copies to shared memory without registers (cp.async).
const copyBytes = 4

// inFlight returns the registers of a load until its data are in shared memory: none for cp.async, else one for each
// element that comes alone.
func inFlight(vector int, t *ir.TensorType) int64 {
	if vector*tile.ElementBytes(t.Elem) >= copyBytes {
		return 0
	}
	return t.NumElements()
}

// maxChain is how many reshapes may stand between a load and the dot that it feeds. A dot's operand is at most
// transposed, reshaped and converted, and the recursion must end on any input.
const maxChain = 4

// feedsDots reports whether all uses of a value are operands A or B of MMAs. With any other use the tile comes to
// registers anyway, and the accumulator (operand 2) is in registers.
func (h *holder) feedsDots(v ir.Value) bool {
	computes := func(mma ir.Op) bool { return mma.NumOperands() == 3 || h.hasScaledMMA(mma) }
	return onlyFeeds(v, maxChain, computes, func(u ir.Use) bool { return cheap(u.Owner()) || partAtRunTime(u) })
}

// waits reports whether a value waits in shared memory while a loop runs: what is computed of a load alone, and feeds MMAs
// in the loop. Of Q, which attention scales before its loop, each thread would hold 64 registers.
func (h *holder) waits(v ir.Value) bool {
	_, vector, _ := h.source(v)
	return vector > 0 && h.feedsDots(v) && !ir.Any(v.Uses(), func(u ir.Use) bool { return u.Owner().Block() == v.Block() })
}

// blockWords returns the temporaries of a scaled MMA that is computed block by block. They are the accumulator of a
// block before it is scaled, and the operands in a type of twice the size.
func (h *holder) blockWords(op ir.Op) int64 {
	size := func(v ir.Value, bytes int64) int64 {
		return v.Type().(*ir.TensorType).NumElements() * bytes / 4 / h.Cut(v)
	}
	acc := op.Result(0)
	return size(acc, int64(tile.ElementBytes(ir.ElementType(acc.Type())))) + size(op.Operand(0), 2) + size(op.Operand(1), 2)
}
