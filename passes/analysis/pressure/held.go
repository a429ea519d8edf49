package pressure

import (
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
	"github.com/tilewright/tilewright/target/sm"
)

// A Profile is how many registers all threads together need at each place of a kernel: the words of the tensors that are live there. Layouts are not
// known yet, so that copies are not counted, nor are addresses and what instructions need for a moment; the limit leaves room for those.
//
// An estimate from above of pressure and not an allocation: ptxas orders instructions as it likes within a
// block, and what it spills is seen in docs/measurements only.
type Profile struct {
	*holder
	live []int64
}

// A View is how a kernel is looked at.
type View struct {
	// Cut says into how many parts a value is cut, of which only one is there at a time; nil: nothing is cut.
	Cut func(ir.Value) int64
	// Summed says which values are sums that go from part to part, and so live in all of a chain, from its first operation on; nil: none.
	Summed func(ir.Value) bool
	First  ir.Op
	// Staged leaves out what is on its way to shared memory through registers: such loads can wait for each other.
	Staged bool
}

// Of returns the profile of a kernel.
func Of(fn ir.Op, arch *sm.Arch, view View) *Profile {
	h := newHolder(arch, view)
	h.number(fn)
	// Only differences are noted and then summed in one sweep: linear, where sets of live values would be quadratic for long straight code.
	p := &Profile{h, make([]int64, h.next+1)}
	for _, v := range h.values {
		if words := h.words(v) / h.Cut(v); words > 0 {
			h.lifetime(v, func(from, to int) {
				if h.Summed != nil && h.Summed(v) {
					from = min(from, h.begin[h.First])
				}
				p.live[from] += words
				p.live[to] -= words
			})
		}
	}
	for i := 1; i < len(p.live); i++ {
		p.live[i] += p.live[i-1]
	}
	// A scaled product is one operation here but many later, and what those need in between no lifetime shows.
	for _, op := range h.products {
		if op.NumOperands() > 3 && !h.multiplies(op) {
			p.live[h.begin[op]] += h.blockWords(op)
		}
	}
	return p
}

// Most returns what the kernel needs where that is most.
func (p *Profile) Most() int64 { return slices.Max(p.live) }

// Within returns what a thread needs, of so many warps, where the operations of a block from one to another need the most: its part of the tensors, and in products the factors of one step.
func (p *Profile) Within(first, last ir.Op, warps int) int64 {
	threads := int64(warps) * sm.WarpSize
	from, to := p.begin[first], p.end[last]
	most := slices.Max(p.live[from:to+1]) / threads
	for _, op := range p.products {
		// Its operands end where it begins.
		if at := p.begin[op]; from < at && at <= to {
			live := p.live[at-1]
			if p.words(op.Operand(2)) == 0 { // sums that begin as constants have no registers yet
				live += p.words(op.Result(0)) / p.Cut(op.Result(0))
			}
			most = max(most, live/threads+p.step(op, warps))
			// Where conversions of floats of a byte are arithmetic, all blocks are at work at once: with an instruction for them, one after the other.
			if op.NumOperands() > 3 && !p.multiplies(op) && !p.arch.Has(sm.CvtF16FP8) {
				most = max(most, (live+p.blockWords(op))/threads)
			}
		}
	}
	return most
}

// stepWords is how many words of each row and column a step of a product takes: those of 32 bytes, as most matrix instructions are deep.
const stepWords = 8

// Least extents of a warp's part of a product.
const leastRows, leastColumns = 16, 8

// step returns the registers of a thread for the factors of one step of a product. Products of which one feeds another, or that are reduced along rows, have their warps along the rows; others as squarely as they can be.
//
// It is what makes sums of 128x256 in eight warps along the rows, as attention has them, spill: 64 registers are those of a step of the 256 columns, which each warp multiplies.
func (p *Profile) step(op ir.Op, warps int) int64 {
	shape := tile.Shape(op.Result(0).Type())
	m, n := shape[len(shape)-2]/p.Cut(op.Operand(0)), shape[len(shape)-1]/p.Cut(op.Operand(1))
	along := p.alongRows(op)
	best := int64(math.MaxInt64)
	for rows := int64(warps); rows > 0; rows /= 2 {
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

// oneByOne returns the words of the larger of the factors whose elements are loaded one by one, each to a register, on their way to shared memory.
func (p *Profile) oneByOne(op ir.Op) (words int64) {
	for _, v := range op.Operands()[:2] {
		for def := v.DefiningOp(); !def.IsNil(); def = v.DefiningOp() {
			if vector, loads := vectorOf(def); loads {
				words = max(words, inFlight(vector, v.Type().(*ir.TensorType))/p.Cut(v))
			}
			if !cheap(def) || def.NumOperands() != 1 {
				break
			}
			v = def.Operand(0)
		}
	}
	return words
}

// converted returns the words of the larger factor of a product of floats of a byte that the target multiplies as f16: whole factors are converted on their way to shared memory, one after the other.
func (p *Profile) converted(op ir.Op) (words int64) {
	if matrix.Choose(p.arch, matrix.Unscaled(op), matrix.Depth(op)) != nil {
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

// alongRows reports whether what a product makes is wanted by rows, or what it takes comes so.
func (p *Profile) alongRows(op ir.Op) bool {
	return p.words(op.Operand(0)) > 0 || byRows(op.Result(0), maxRows)
}

// maxRows is how many operations are looked at behind a product.
const maxRows = 8

// byRows reports whether a value is reduced, or a factor of a product, in its block.
func byRows(v ir.Value, links int) bool {
	for u := range v.Uses() {
		switch op := u.Owner(); {
		case op.Block() != v.Block() || op.HasTrait(ir.Terminator) || links == 0:
		case product(op) && u.Index() != 2, op.NumRegions() > 0:
			return true
		case op.NumResults() == 1 && !product(op) && byRows(op.Result(0), links-1):
			return true
		}
	}
	return false
}

// newHolder returns one that knows nothing yet.
func newHolder(arch *sm.Arch, view View) *holder {
	if view.Cut == nil {
		view.Cut = func(ir.Value) int64 { return 1 }
	}
	return &holder{arch: arch, View: view, begin: make(map[ir.Op]int), end: make(map[ir.Op]int), known: make(map[ir.Value]int64), runs: make(map[ir.Value]int64), different: make(map[ir.Value]int64)}
}

// product reports whether an operation is a product of matrices.
func product(op ir.Op) bool {
	_, ok := tile.Products.Of(op)
	return ok
}

// cheap reports whether a result is made again where it is wanted.
func cheap(op ir.Op) bool {
	_, ok := tile.Cheap.Of(op)
	return ok || ir.ConstantOf(op) != nil
}

// multiplies reports whether the target has an instruction for a scaled product.
func (h *holder) multiplies(op ir.Op) bool {
	return matrix.Choose(h.arch, matrix.Types(op), matrix.Depth(op)) != nil
}

// A holder numbers operations in program order, those with regions at their beginning and at their end.
type holder struct {
	arch *sm.Arch
	View
	next       int
	begin, end map[ir.Op]int
	values     []ir.Value
	products   []ir.Op
	known      map[ir.Value]int64
	runs       map[ir.Value]int64
	different  map[ir.Value]int64
}

func (h *holder) number(op ir.Op) {
	h.begin[op] = h.next
	h.next++
	if product(op) {
		h.products = append(h.products, op)
	}
	for i := range op.NumRegions() {
		for b := range op.Region(i).Blocks() {
			h.values = append(h.values, b.Args()...)
			for inner := range b.Ops() {
				h.number(inner)
			}
		}
	}
	h.values = append(h.values, op.Results()...)
	h.end[op] = h.next
	h.next++
}

// lifetime returns where v is made and where it is used last. What a loop uses of what was there before, it keeps to its end. An operand that ends where a result begins
// leaves it its registers.
//
// For example, with numbers of begin and end in front,
//
//	1     %a = load                      live from 1 to the end of the loop: the next iteration reads it again
//	2     scf.for iter_args(%s = %z) {
//	3       %b = load                    live from 3 to 4
//	4       %t = addf %a, %b
//	5       %u = addf %s, %t             takes over the registers of %s and %t
//	6     }
//
// Of an if that is the last to use a value, each region has it to its own last use: the one with a loop does not keep what the other one yields.
func (h *holder) lifetime(v ir.Value, add func(from, to int)) {
	scope := v.Block().ParentOp()
	from := 0
	if def := v.DefiningOp(); !def.IsNil() {
		from = h.end[def]
	} else {
		from = h.begin[scope]
	}
	to, last := from+1, ir.Op{} // it is made, whether or not it is used
	regions := make(map[ir.Region]int)
	for u := range v.Uses() {
		user := u.Owner()
		at, top := h.begin[user], user
		region := ir.Region{}
		for p := user.ParentOp(); !p.IsNil() && p != scope; p = p.ParentOp() {
			// Every loop between the definition and the use counts; the outermost loop ends last.
			if _, loops := ir.LoopLike.Of(p); loops {
				at = max(at, h.end[p])
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
	if last.IsNil() || last.NumRegions() < 2 || to > h.end[last] {
		add(from, to)
		return
	}
	if _, loops := ir.LoopLike.Of(last); loops || h.begin[last] < from {
		add(from, to)
		return
	}
	add(from, h.begin[last]+1)
	for i := range last.NumRegions() {
		r := last.Region(i)
		if to, used := regions[r]; used {
			add(h.begin[r.First().First()], to)
		}
	}
}

// words returns how many registers a value takes: none if it is no tensor, costs nothing to make, or waits in shared memory, as most of what is loaded for matrix multiplications alone does; those
// of its source if elements of that are only repeated or seen in another shape.
//
// A word is a register of one thread: 4 bytes of each element, spread over all threads. A tensor that every
// thread holds whole counts once too little here; such layouts are of small tensors.
func (h *holder) words(v ir.Value) int64 {
	t, ok := v.Type().(*ir.TensorType)
	if !ok {
		return 0
	}
	if n, ok := h.known[v]; ok {
		return n
	}
	n := t.NumElements() * int64(tile.ElementBytes(t.Elem)) / 4
	if def := v.DefiningOp(); !def.IsNil() {
		vector, loads := vectorOf(def)
		switch repeated := cheap(def); {
		case repeated && (def.NumOperands() == 0 || !isTensor(def.Operand(0))):
			n = 0
		case repeated:
			n = h.words(def.Operand(0)) // defined before, so that the recursion ends at what earlier values know
		case loads && h.feedsDots(v, maxChain):
			n = inFlight(vector, t)
			if h.Staged {
				n = 0
			}
		default:
			n = min(n, h.distinct(v)*int64(tile.ElementBytes(t.Elem))/4)
		}
	}
	if n > 0 {
		n /= h.together(v)
	}
	// Without the memory a chain of reshapes would be walked again from each of its links.
	h.known[v] = n
	return n
}

// distinct returns how many elements of a value differ at most: element-wise work on what is only repeated is done once for each row, or column.
func (h *holder) distinct(v ir.Value) int64 {
	t, ok := v.Type().(*ir.TensorType)
	if !ok {
		return 1
	}
	if n, ok := h.different[v]; ok {
		return n
	}
	all := t.NumElements()
	h.different[v] = all // for what comes back to itself
	n := all
	def := v.DefiningOp()
	if def.IsNil() {
		return n
	}
	if _, elementwise := arith.Elementwise.Of(def); elementwise || cheap(def) && def.NumOperands() > 0 {
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

// together returns how many elements of a value are looked at as one: those of which accesses take the first, as they know the others (tile.Run), where it is all that the value is for. The rest of its elements is never
// computed.
//
// Most pointers and masks of a gather are such: 64x64 pointers to rows of halves are 512 addresses.
func (h *holder) together(v ir.Value) int64 {
	if n, ok := h.runs[v]; ok {
		return n
	}
	h.runs[v] = 1 // for what comes back to itself, through a loop
	n := int64(0)
	for u := range v.Uses() {
		k := int64(1)
		op := u.Owner()
		switch through := op.Def().OperandField("ptrs") >= 0; {
		case through && v != op.OperandNamed("ptrs") && v != op.OperandNamed("mask"):
		case through && !ir.HasNoEffects(op):
			_, run := tile.Run(op)
			k = int64(run)
		case ir.IsPure(op) && op.NumResults() == 1 && op.NumRegions() == 0 && sameShape(v.Type(), op.Result(0).Type()):
			k = h.together(op.Result(0))
		}
		if n == 0 || k < n {
			n = k
		}
	}
	h.runs[v] = max(1, n)
	return h.runs[v]
}

func isTensor(v ir.Value) bool { _, ok := v.Type().(*ir.TensorType); return ok }

func sameShape(t, u ir.Type) bool { return slices.Equal(tile.Shape(t), tile.Shape(u)) }

// vectorOf returns, for a load, how many elements an instruction may move at once.
func vectorOf(op ir.Op) (n int, ok bool) {
	if op.NumResults() == 0 || ir.HasNoEffects(op) || ir.MayWrite(op) {
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

// copyBytes is the least that a thread copies to shared memory at once without passing registers.
const copyBytes = 4

// inFlight returns the registers that a load takes until what it loads is in shared memory: none if it is copied there, else one for each element that comes alone.
func inFlight(vector int, t *ir.TensorType) int64 {
	if vector*tile.ElementBytes(t.Elem) >= copyBytes {
		return 0
	}
	return t.NumElements()
}

// maxChain is how many reshapes may stand between a load and the dot that it feeds.
//
// A dot's operand is at most transposed, reshaped and converted; a longer chain is something else than a matrix
// product's load, and the recursion must end on any input.
const maxChain = 4

// All uses have to be such: one other use, and the tile must come to registers anyway. Index 2 of a dot is the
// accumulator, which registers hold.
func (h *holder) feedsDots(v ir.Value, links int) bool {
	for u := range v.Uses() {
		op := u.Owner()
		if product(op) && u.Index() != 2 && (op.NumOperands() == 3 || h.multiplies(op)) {
			continue
		}
		if !cheap(op) || links == 0 || !h.feedsDots(op.Result(0), links-1) {
			return false
		}
	}
	return v.HasUses()
}

// blockWords returns what a scaled product needs besides its operands and result, which are multiplied block by block: the sum of a block before it is scaled, and
// the operands in a type of twice the size.
func (h *holder) blockWords(op ir.Op) int64 {
	size := func(v ir.Value, bytes int64) int64 {
		return v.Type().(*ir.TensorType).NumElements() * bytes / 4 / h.Cut(v)
	}
	acc := op.Result(0)
	return size(acc, int64(tile.ElementBytes(ir.ElementType(acc.Type())))) + size(op.Operand(0), 2) + size(op.Operand(1), 2)
}
