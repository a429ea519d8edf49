package packbytes

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/target/sm"
)

var numWords = passes.NewStatistic("words", "words of four bytes that stores, packs and conversions take as they are")

// Pass is nvvm-pack-bytes.
var Pass = passes.Register(&passes.Pass{
	Name:     "nvvm-pack-bytes",
	Summary:  "compute four bytes of a thread in one register",
	Doc:      "Computes with words of four bytes where bytes are loaded, computed alike and stored or converted together.",
	Requires: []*passes.Property{property.NVVM},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "nvvm-unroll-loops", Reason: "iterations of unrolled loops store neighbours"},
		{Pass: "nvvm-reduce-divisions", Reason: "it looks at divisions of bytes, whose results are shifted"},
		{Pass: "cse#nvvm", Reason: "a byte that is computed twice would have two users"},
	},
	Before: []passes.Edge{
		{Pass: "nvvm-legalize-arith", Reason: "it computes bytes in 16 bits each"},
	},
	Creates:    []string{"arith", "nvvm"},
	Statistics: []*passes.Statistic{numWords},
	Run:        run,
})

func run(r *passes.Run) error {
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	n := Pack(r.Op, arch, r.May)
	r.Add(numWords, n)
	return nil
}

// Pack computes the words of a function that may, and returns the number of words that were stored, packed or converted as bytes.
func Pack(fn ir.Op, arch *sm.Arch, may func(rewrite string, op ir.Op) bool) (n int) {
	f := &finder{groups: make(map[word]*group), member: make(map[ir.Op]*group), converted: make(map[ir.Op]*group)}
	var seeds []seed
	for b := range fn.Region(0).Blocks() {
		for op := range b.Ops() {
			s := seed{op: op}
			for _, w := range wordsOf(op) {
				s.groups = append(s.groups, f.group(w))
			}
			if s.groups != nil {
				seeds = append(seeds, s)
			}
			for _, w := range loadedWords(op) {
				seeds = f.conversions(w, seeds)
			}
		}
		args := b.Args()
		for i := 0; i+bytesOfWord <= len(args); i++ {
			if w := word(args[i:][:bytesOfWord]); carries(w) {
				seeds = f.conversions(w, seeds)
				i += bytesOfWord - 1
			}
		}
	}
	f.prune()
	e := &emitter{pairs: arch.Has(sm.I16x2)}
	for _, s := range seeds {
		if !slices.ContainsFunc(s.groups, s.takes) || !may("pack", s.op) {
			continue
		}
		if s.conversions != nil {
			convert(e.word(s.groups[0]), s.conversions)
			n++
			continue
		}
		b := scalar.Before(s.op)
		var values []ir.Value
		for i, w := range wordsOf(s.op) {
			if g := s.groups[i]; s.takes(g) {
				values = append(values, e.word(g))
				n++
			} else {
				values = append(values, b.Create(nvvm.Pack, w[:], []ir.Type{b.Context().Int(32)}).Result(0))
			}
		}
		replace(s.op, values)
	}
	if n > 0 {
		e.finish(fn)
	}
	return n
}

// A seed is a store or a pack of bytes, which would join them, or the conversions of four bytes.
type seed struct {
	op          ir.Op
	groups      []*group // of each word; nil: it is none
	conversions []ir.Op
}

// takes reports whether the word of a group is there to take. A pack of bytes that nothing computes is left as it is.
func (s seed) takes(g *group) bool {
	return g != nil && !g.broken && (len(g.ops) > 0 || !s.op.Is(nvvm.Pack))
}

// replace gives words to an operation that takes bytes.
func replace(op ir.Op, words []ir.Value) {
	if op.Is(nvvm.Pack) {
		op.Result(0).ReplaceAllUsesWith(words[0])
		op.Erase()
		return
	}
	nvvm.StoreInstead(op, words)
}

// bytesOfWord is how many bytes a register has.
const bytesOfWord = 4

// A word is four bytes, the lowest first.
type word [bytesOfWord]ir.Value

// wordsOf returns the words that a store or a pack joins bytes to; nil: none.
func wordsOf(op ir.Op) []word {
	switch {
	case op.Is(nvvm.Pack):
		return words(op.Operands())
	case op.Is(nvvm.St):
		return words(op.OperandsNamed("values"))
	}
	return nil
}

func words(values []ir.Value) (out []word) {
	if len(values)%bytesOfWord != 0 || ir.BitWidth(values[0].Type()) != 8 {
		return nil
	}
	for w := range slices.Chunk(values, bytesOfWord) {
		out = append(out, word(w))
	}
	return out
}

// A group is four bytes that may be computed in a register.
type group struct {
	bytes    word
	ops      []ir.Op // that compute them; nil: the bytes are those of a load or an unpack, constants, or one byte
	operands []*group
	broken   bool
	result   ir.Value // the register, when it is there
}

type finder struct {
	groups map[word]*group // nil for bytes that are no group
	all    []*group
	member map[ir.Op]*group // of operations
	// converted are the groups that conversions take.
	converted map[ir.Op]*group
}

// group returns the group of four bytes, or nil.
func (f *finder) group(w word) *group {
	if g, ok := f.groups[w]; ok {
		return g
	}
	f.groups[w] = nil
	g := &group{bytes: w}
	if !isLeaf(w) {
		if !f.computed(g) {
			return nil
		}
		for _, op := range g.ops {
			f.member[op] = g
		}
		f.all = append(f.all, g)
	}
	f.groups[w] = g
	return g
}

// isLeaf reports whether bytes are in a register already, or cost at most two instructions to get there.
func isLeaf(w word) bool {
	if allConstant(w) || w == (word{w[0], w[0], w[0], w[0]}) && isInt(w[0]) {
		return true
	}
	return isLoaded(w) || carries(w)
}

// carries reports whether four arguments of a block are the bytes of a word that branches bring, as a loop that loads
// ahead has them. Packed there, they become one argument (nvvm-pack-block-args).
func carries(w word) bool {
	if !w[0].IsBlockArg() || ir.BitWidth(w[0].Type()) != 8 {
		return false
	}
	work := ir.NewWorklist(w)
	for w := range work.All() {
		b, first := w[0].Block(), w[0].Index()
		if !w[0].IsBlockArg() || b.IsEntry() || first+bytesOfWord > b.NumArgs() || w != word(b.Args()[first:][:bytesOfWord]) {
			return false
		}
		for term, s := range b.Preds() {
			branch, ok := ir.BranchOp.Of(term)
			if !ok {
				return false
			}
			lo, _ := branch(term, s)
			if from := word(term.Operands()[lo+first:][:bytesOfWord]); !allConstant(from) && !isLoaded(from) {
				work.Add(from)
			}
		}
	}
	return true
}

func isLoaded(w word) bool {
	def := w[0].DefiningOp()
	return !def.IsNil() && slices.Contains(loadedWords(def), w)
}

// loadedWords returns the words that an operation takes apart.
func loadedWords(op ir.Op) []word {
	if !op.Is(nvvm.Ld) && !op.Is(nvvm.Unpack) {
		return nil
	}
	return words(op.Results())
}

func allConstant(w word) bool {
	return !slices.ContainsFunc(w[:], func(v ir.Value) bool { return ir.ConstantValue(v) == nil })
}

func isInt(v ir.Value) bool {
	_, ok := v.Type().(*ir.IntegerType)
	return ok
}

// computed finds the operations that compute the bytes of a group, all in one block, and what they take.
func (f *finder) computed(g *group) bool {
	first := g.bytes[0].DefiningOp()
	if first.IsNil() || rules[first.Def()] == nil || !isInt(g.bytes[0]) {
		return false
	}
	for i, v := range g.bytes {
		op := v.DefiningOp()
		if op.IsNil() || op.Def() != first.Def() || op.Block() != first.Block() || f.member[op] != nil || slices.Contains(g.bytes[:i], v) {
			return false
		}
		g.ops = append(g.ops, op)
	}
	for n := range first.NumOperands() {
		var w word
		for i, op := range g.ops {
			w[i] = op.Operand(n)
		}
		operand := f.group(w)
		if operand == nil {
			return false
		}
		g.operands = append(g.operands, operand)
	}
	if isShift(first) {
		_, same := shiftAmount(g.operands[1])
		return same
	}
	return true
}

// prune breaks groups until those that are left keep the conditions.
func (f *finder) prune() {
	for again := true; again; {
		again = false
		for _, g := range f.all {
			if !g.broken && (slices.ContainsFunc(g.operands, func(o *group) bool { return o.broken }) || !f.staysInWords(g)) {
				g.broken, again = true, true
			}
		}
	}
}

// staysInWords reports whether all users of a group's bytes take the word.
func (f *finder) staysInWords(g *group) bool {
	for i, v := range g.bytes {
		for u := range v.Uses() {
			user := u.Owner()
			if f.converted[user] == g || slices.ContainsFunc(wordsOf(user), func(w word) bool { return w == g.bytes }) {
				continue
			}
			by := f.member[user]
			if by == nil || by.broken || by.operands[u.Index()] != g || by.ops[i] != user {
				return false
			}
		}
	}
	return true
}
