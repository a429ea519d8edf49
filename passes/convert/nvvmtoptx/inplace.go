package nvvmtoptx

import (
	"math/bits"
	"slices"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

// inPlace gives one register to values that the machine has in one place: the sum that goes into a wgmma, the one that comes out, that behind the wait, and the arguments of blocks that pass it on. While a product
// is under way nothing may touch its registers, so that a move, which ptxas would take away from other code, is an error here.
//
// Values are joined where their lives do not meet, ties of products and waits first, then those of edges (Boissinot et al., Revisiting Out-of-SSA Translation, CGO 2009, is the general form). Kernels without such
// products have no candidates, and keep a register for each value.
type inPlace struct {
	number map[ir.Value]int
	values []ir.Value
	class  []int
	meets  [][]uint64    // which values live where one is made; of the first of a class for all of it
	all    [][]uint64    // the members of a class
	own    [][2]ir.Value // ties of what is under way
}

// maxInPlace bounds the candidates, of which each has a bit for each other one: 32 MiB.
const maxInPlace = 1 << 14

// joinRegisters finds what is computed in place.
func (e *emitter) joinRegisters() error {
	region := e.fn.Region(0)
	p := &inPlace{number: make(map[ir.Value]int)}
	var ties [][2]ir.Value
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
		return nil
	}
	edges := p.edges(region)
	if len(p.values) > maxInPlace {
		return e.fn.Errorf("has %d registers of sums of asynchronous products, which are more than %d", len(p.values), maxInPlace)
	}
	p.interference(region)
	for _, t := range p.own {
		p.join(p.number[t[0]], p.number[t[1]])
	}
	// A sum that is under way where loops carry it shares its registers with no finished one: ptxas takes what has made that for a write in the middle of the products, and has these wait for each other (13.5: C7515 for
	// the second of two loops in which a sum goes on). What it costs are moves in front of such a loop and behind it.
	closed := make(map[int]bool)
	for _, t := range p.own {
		if t[1].IsBlockArg() {
			closed[p.class[p.number[t[1]]]] = true
		}
	}
	for _, t := range append(ties, edges...) {
		if a, b := p.number[t[0]], p.number[t[1]]; !closed[p.class[a]] && !closed[p.class[b]] {
			p.join(a, b)
		}
	}
	e.place = p
	return nil
}

func (p *inPlace) add(v ir.Value) {
	if _, ok := p.number[v]; ok {
		return
	}
	p.number[v] = len(p.values)
	p.values = append(p.values, v)
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
		if _, ok := p.number[e.from]; !ok {
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

func (s bitset) set(i int)   { s[i/64] |= 1 << (i % 64) }
func (s bitset) clear(i int) { s[i/64] &^= 1 << (i % 64) }

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

// interference finds which candidates live where another one is made.
func (p *inPlace) interference(region ir.Region) {
	n := len(p.values)
	words := (n + 63) / 64
	p.class, p.meets, p.all = make([]int, n), make([][]uint64, n), make([][]uint64, n)
	for i := range n {
		p.class[i], p.meets[i], p.all[i] = i, make(bitset, words), make(bitset, words)
		bitset(p.all[i]).set(i)
	}
	in := make(map[ir.Block]bitset)
	var blocks []ir.Block
	for b := range region.Blocks() {
		in[b] = make(bitset, words)
		blocks = append(blocks, b)
	}
	live := make(bitset, words)
	for changed := true; changed; {
		changed = false
		for _, b := range slices.Backward(blocks) {
			p.through(b, in, live, nil)
			changed = in[b].or(live) || changed
		}
	}
	for _, b := range blocks {
		p.through(b, in, live, func(made int, beside bitset) {
			bitset(p.meets[made]).or(beside)
			for w, word := range beside {
				for ; word != 0; word &= word - 1 {
					bitset(p.meets[64*w+bits.TrailingZeros64(word)]).set(made)
				}
			}
			bitset(p.meets[made]).clear(made)
		})
	}
}

// through walks a block backwards and leaves in live what lives in front of it. made, where it is not nil, is called for each candidate with what lives when it is made.
func (p *inPlace) through(b ir.Block, in map[ir.Block]bitset, live bitset, made func(v int, beside bitset)) {
	clear(live)
	term := b.Last()
	for s := range term.NumSuccessors() {
		live.or(in[term.Successor(s)])
	}
	for op := term; !op.IsNil(); op = op.Prev() {
		// What goes into a product in place is read one by one while the results are written.
		together := op.Is(nvvm.WgmmaMma)
		var read []int
		for _, v := range op.Operands() {
			if i, ok := p.number[v]; ok {
				read = append(read, i)
			}
		}
		if made != nil {
			results := op.Results()
			for k, v := range results {
				i, ok := p.number[v]
				if !ok {
					continue
				}
				made(i, live)
				if !together && !op.Is(nvvm.WgmmaWait) {
					continue
				}
				var own ir.Value
				if in := sumsOf(op); k < len(in) {
					own = in[k]
				}
				for _, o := range read {
					if p.values[o] != own {
						bitset(p.meets[i]).set(o)
						bitset(p.meets[o]).set(i)
					}
				}
				for _, w := range results[:k] {
					if o, ok := p.number[w]; ok {
						bitset(p.meets[i]).set(o)
						bitset(p.meets[o]).set(i)
					}
				}
			}
		}
		for _, v := range op.Results() {
			if i, ok := p.number[v]; ok {
				live.clear(i)
			}
		}
		for _, i := range read {
			live.set(i)
		}
	}
	if made != nil {
		for _, v := range b.Args() {
			if i, ok := p.number[v]; ok {
				live.set(i)
			}
		}
		for _, v := range b.Args() {
			if i, ok := p.number[v]; ok {
				made(i, live)
			}
		}
	}
	for _, v := range b.Args() {
		if i, ok := p.number[v]; ok {
			live.clear(i)
		}
	}
}

// sumsOf returns the operands that an operation leaves, later, in its results.
func sumsOf(op ir.Op) []ir.Value {
	if op.Is(nvvm.WgmmaMma) {
		return op.OperandsNamed("c")
	}
	return op.Operands()
}

// join makes one class of those of two candidates, unless some of their members meet.
func (p *inPlace) join(a, b int) {
	a, b = p.class[a], p.class[b]
	if a == b || bitset(p.meets[a]).meets(p.all[b]) || kindOf(p.values[a].Type()).class != kindOf(p.values[b].Type()).class {
		return
	}
	bitset(p.meets[a]).or(p.meets[b])
	bitset(p.all[a]).or(p.all[b])
	for w, word := range p.all[b] {
		for ; word != 0; word &= word - 1 {
			p.class[64*w+bits.TrailingZeros64(word)] = a
		}
	}
	p.meets[b], p.all[b] = nil, nil
}

// of returns the value whose register a value has.
func (p *inPlace) of(v ir.Value) ir.Value {
	if p == nil {
		return v
	}
	if i, ok := p.number[v]; ok {
		return p.values[p.class[i]]
	}
	return v
}
