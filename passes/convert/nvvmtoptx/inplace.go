package nvvmtoptx

import (
	"math/bits"
	"slices"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

// inPlace gives one register to values that the hardware keeps in one place. These are the accumulator before an
// MMA, after it and after the wait, and the block arguments that pass it on. Nothing may access the registers of a
// wgmma in flight, so a move is an error there. For mma.sync ptxas removes the moves inside a loop, but not all of those
// between two versions of it: both sets of 128 registers were live there (40 spills of bmm_kernel on sm_80).
//
// Values are coalesced if their live ranges do not overlap: ties of MMAs and waits first, then those of edges.
// Boissinot et al., Revisiting Out-of-SSA Translation, CGO 2009, have the general form. Kernels without MMAs have no
// candidates, and keep a register for each value.
//
// Only values that ties connect are ever joined. They are a web. Live ranges are compared only within a web: a
// kernel with a thousand MMAs has many webs, each of a few values.
type inPlace struct {
	number *ir.ValueTable[int] // 1 + the number of a candidate
	values []ir.Value
	class  []int
	web    []*web
	place  []int         // of each candidate in its web
	meets  []bitset      // the members of the web that live where one is made; of the first of a class for all of it
	all    []bitset      // the members of a class
	own    [][2]ir.Value // ties of MMAs in flight
}

// A web is candidates that ties connect.
type web struct{ members []int }

// maxInPlace bounds the bits that say what lives at the head of each block, and which members of each web overlap:
// 128 MiB.
const maxInPlace = 1 << 30

// joinRegisters finds what is computed in place. What mma.sync computes in place is left out where it is too much to
// find: it only saves moves.
func (e *emitter) joinRegisters() error {
	region := e.fn.Region(0)
	p, ties, bits := candidates(region, true)
	if bits > maxInPlace {
		p, ties, bits = candidates(region, false)
	}
	if len(p.values) == 0 {
		return nil
	}
	if bits > maxInPlace {
		return e.fn.Errorf("has %d registers of accumulators of asynchronous MMAs; their live ranges take %d bits, but at most %d are allowed", len(p.values), bits, maxInPlace)
	}
	p.interference(region)
	for _, t := range p.own {
		p.join(p.numberOf(t[0]), p.numberOf(t[1]))
	}
	// An accumulator that loops carry in flight shares no register with a finished one. Otherwise ptxas takes the
	// definition of the finished one for a write between the MMAs, and serializes them (13.5: C7515 for the
	// second of two loops with one accumulator). The cost is moves before and after such a loop.
	closed := make(map[int]bool)
	for _, t := range p.own {
		if t[1].IsBlockArg() {
			closed[p.class[p.numberOf(t[1])]] = true
		}
	}
	for _, t := range ties {
		if a, b := p.numberOf(t[0]), p.numberOf(t[1]); !closed[p.class[a]] && !closed[p.class[b]] {
			p.join(a, b)
		}
	}
	e.place = p
	return nil
}

// candidates returns what may be computed in place and what ties it, with how many bits their live ranges take.
func candidates(region ir.Region, synchronous bool) (p *inPlace, ties [][2]ir.Value, bits int) {
	p = &inPlace{number: ir.NewValueTable[int](region.Op())}
	for b := range region.Blocks() {
		for op := range b.Ops() {
			var in []ir.Value
			to := &ties
			switch {
			case op.Is(nvvm.WgmmaMma):
				in, to = op.OperandsNamed("c"), &p.own
				for _, v := range op.Results() {
					p.add(v)
				}
			case op.Is(nvvm.WgmmaWait):
				in = op.Operands()
			case synchronous && op.Is(nvvm.MmaSync):
				in = op.OperandsNamed("c")
			}
			for i, v := range in {
				if constant(v) == nil {
					p.add(v)
					p.add(op.Result(i))
					*to = append(*to, [2]ir.Value{v, op.Result(i)})
				}
			}
		}
	}
	if len(p.values) == 0 {
		return p, nil, 0
	}
	ties = append(ties, p.edges(region)...)
	return p, ties, p.findWebs(region, append(ties, p.own...))
}

// numberOf returns the number of a candidate, and index that of a value if it is one.
func (p *inPlace) numberOf(v ir.Value) int { return *p.number.At(v) - 1 }

func (p *inPlace) index(v ir.Value) (i int, ok bool) {
	i = p.numberOf(v)
	return i, i >= 0
}

func (p *inPlace) add(v ir.Value) {
	if _, ok := p.index(v); ok {
		return
	}
	p.values = append(p.values, v)
	*p.number.At(v) = len(p.values)
}

// edges makes candidates of what passes candidates on, and returns what edges tie.
func (p *inPlace) edges(region ir.Region) (ties [][2]ir.Value) {
	type pair struct{ from, arg ir.Value }
	var pairs []pair
	near := make(map[ir.Value][]ir.Value)
	for b := range region.Blocks() {
		term := b.Last()
		for s := range term.NumSuccessors() {
			to := term.Successor(s)
			for i, v := range edge(term, s) {
				if arg := to.Arg(i); constant(v) == nil && arg.HasUses() {
					pairs = append(pairs, pair{v, arg})
					near[v], near[arg] = append(near[v], arg), append(near[arg], v)
				}
			}
		}
	}
	for i := 0; i < len(p.values); i++ {
		for _, v := range near[p.values[i]] {
			p.add(v)
		}
	}
	under := make(map[ir.Value]bool)
	for changed := true; changed; {
		changed = false
		for _, e := range pairs {
			if def := e.from.DefiningOp(); !under[e.arg] && (under[e.from] || !def.IsNil() && def.Is(nvvm.WgmmaMma)) {
				under[e.arg], changed = true, true
			}
		}
	}
	for _, e := range pairs {
		if _, ok := p.index(e.from); !ok {
			continue
		}
		if def := e.from.DefiningOp(); under[e.from] || !def.IsNil() && def.Is(nvvm.WgmmaMma) {
			p.own = append(p.own, [2]ir.Value{e.from, e.arg})
		} else {
			ties = append(ties, [2]ir.Value{e.from, e.arg})
		}
	}
	return ties
}

type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (s bitset) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }
func (s bitset) set(i int)      { s[i/64] |= 1 << (i % 64) }
func (s bitset) clear(i int)    { s[i/64] &^= 1 << (i % 64) }

// or adds the members of another set, and reports whether there are new ones.
func (s bitset) or(o bitset) (more bool) {
	for i, w := range o {
		more = more || w&^s[i] != 0
		s[i] |= w
	}
	return more
}

func (s bitset) meets(o bitset) bool {
	for i, w := range o {
		if w&s[i] != 0 {
			return true
		}
	}
	return false
}

// findWebs finds the webs that ties make, and returns how many bits what is known of them takes.
func (p *inPlace) findWebs(region ir.Region, ties [][2]ir.Value) (bits int) {
	p.web, p.place = make([]*web, len(p.values)), make([]int, len(p.values))
	for i := range p.values {
		p.web[i] = &web{[]int{i}}
	}
	for _, t := range ties {
		w, o := p.web[p.numberOf(t[0])], p.web[p.numberOf(t[1])]
		if w == o {
			continue
		}
		if len(w.members) < len(o.members) {
			w, o = o, w
		}
		w.members = append(w.members, o.members...)
		for _, i := range o.members {
			p.web[i] = w
		}
	}
	seen := make(map[*web]bool)
	for _, w := range p.web {
		if seen[w] {
			continue
		}
		seen[w] = true
		bits += 2 * len(w.members) * len(w.members)
		for k, i := range w.members {
			p.place[i] = k
		}
	}
	for range region.Blocks() {
		bits += len(p.values)
	}
	return bits
}

// interference finds which members of a web live where another one is made.
func (p *inPlace) interference(region ir.Region) {
	n := len(p.values)
	p.class, p.meets, p.all = make([]int, n), make([]bitset, n), make([]bitset, n)
	for i := range n {
		members := len(p.web[i].members)
		p.class[i], p.meets[i], p.all[i] = i, newBitset(members), newBitset(members)
		p.all[i].set(p.place[i])
	}
	in := make(map[ir.Block]bitset)
	var blocks []ir.Block
	for b := range region.Blocks() {
		in[b] = newBitset(n)
		blocks = append(blocks, b)
	}
	live := newBitset(n)
	for changed := true; changed; {
		changed = false
		for _, b := range slices.Backward(blocks) {
			p.through(b, in, live, nil)
			changed = in[b].or(live) || changed
		}
	}
	for _, b := range blocks {
		p.through(b, in, live, func(made int, others bitset) {
			for _, i := range p.web[made].members {
				if others.has(i) {
					p.meet(made, i)
				}
			}
		})
	}
}

// meet says that the lives of two candidates meet.
func (p *inPlace) meet(a, b int) {
	if a != b && p.web[a] == p.web[b] {
		p.meets[a].set(p.place[b])
		p.meets[b].set(p.place[a])
	}
}

// defined calls made for the results of an operation, with what lives then. The results of MMAs and waits also meet the
// operands, each but its own, and each other: operands are read one by one while the results are written.
func (p *inPlace) defined(op ir.Op, read []int, live bitset, made func(v int, others bitset)) {
	results, accs := op.Results(), accumulatorsOf(op)
	for k, v := range results {
		i, ok := p.index(v)
		if !ok {
			continue
		}
		made(i, live)
		if !op.Is(nvvm.WgmmaMma) && !op.Is(nvvm.WgmmaWait) {
			continue
		}
		var own ir.Value
		if k < len(accs) {
			own = accs[k]
		}
		for _, o := range read {
			if p.values[o] != own {
				p.meet(i, o)
			}
		}
		for _, w := range results[:k] {
			if o, ok := p.index(w); ok {
				p.meet(i, o)
			}
		}
	}
}

// through walks a block backwards and leaves in live what is live before it. If `made` is not nil, it is called
// for each candidate with what is live at its definition.
func (p *inPlace) through(b ir.Block, in map[ir.Block]bitset, live bitset, made func(v int, others bitset)) {
	clear(live)
	term := b.Last()
	for s := range term.NumSuccessors() {
		live.or(in[term.Successor(s)])
	}
	for op := term; !op.IsNil(); op = op.Prev() {
		var read []int
		for _, v := range op.Operands() {
			if i, ok := p.index(v); ok {
				read = append(read, i)
			}
		}
		if made != nil {
			p.defined(op, read, live, made)
		}
		for _, v := range op.Results() {
			if i, ok := p.index(v); ok {
				live.clear(i)
			}
		}
		for _, i := range read {
			live.set(i)
		}
	}
	if made != nil {
		for _, v := range b.Args() {
			if i, ok := p.index(v); ok {
				live.set(i)
			}
		}
		for _, v := range b.Args() {
			if i, ok := p.index(v); ok {
				made(i, live)
			}
		}
	}
	for _, v := range b.Args() {
		if i, ok := p.index(v); ok {
			live.clear(i)
		}
	}
}

// accumulatorsOf returns the operands that an operation leaves, later, in its results.
func accumulatorsOf(op ir.Op) []ir.Value {
	if op.Is(nvvm.WgmmaMma) {
		return op.OperandsNamed("c")
	}
	return op.Operands()
}

// join makes one class of those of two candidates, unless some of their members meet.
func (p *inPlace) join(a, b int) {
	a, b = p.class[a], p.class[b]
	if a == b || p.meets[a].meets(p.all[b]) || kindOf(p.values[a].Type()).class != kindOf(p.values[b].Type()).class {
		return
	}
	p.meets[a].or(p.meets[b])
	p.all[a].or(p.all[b])
	for w, word := range p.all[b] {
		for ; word != 0; word &= word - 1 {
			p.class[p.web[a].members[64*w+bits.TrailingZeros64(word)]] = a
		}
	}
	p.meets[b], p.all[b] = nil, nil
}

// has reports whether a value is computed in place, so that its register changes.
func (p *inPlace) has(v ir.Value) bool {
	if p == nil {
		return false
	}
	_, ok := p.index(v)
	return ok
}

// of returns the value whose register a value has.
func (p *inPlace) of(v ir.Value) ir.Value {
	if p == nil {
		return v
	}
	if i, ok := p.index(v); ok {
		return p.values[p.class[i]]
	}
	return v
}
