package index

import (
	"sort"

	"github.com/tilewright/tilewright/ir"
)

// An Index says what stands where in a text, for editors. Offsets are in bytes.
//
// Operations that were read for an index have their place in the text for a location, whatever the text says: what
// the verifier says about them can be shown where they stand. The locations that were written are in their OpSpans.
type Index struct {
	// Ops are in the order in which they end.
	Ops []OpSpan
	// Mentions are the names of values and blocks, in the order of the text once Parse has returned.
	Mentions []Mention
	values   map[int]ValueDef // by where they are defined
}

// An OpSpan is where an operation stands.
type OpSpan struct {
	Op            ir.Op
	Start, End    int
	Name, NameEnd int         // its name, without quotes
	Written       ir.Location // nil: none
}

// A ValueDef is a name for N values, from First on.
type ValueDef struct {
	First ir.Value
	N     int
}

// A Mention is a name of a value or of a block, with its sigil.
type Mention struct {
	Pos, End int
	// Def is where what it names is defined; Pos itself for a definition, -1 where there is none.
	Def    int
	Number int // of %name#number
}

// Value returns the value that a mention names; false for a block, and for what was not read.
func (x *Index) Value(m Mention) (ir.Value, bool) {
	def, ok := x.values[m.Def]
	if !ok || def.First.IsNil() || m.Number >= def.N {
		return ir.Value{}, false
	}
	if m.Number == 0 {
		return def.First, true
	}
	return def.First.DefiningOp().Result(def.First.Index() + m.Number), true
}

// Def returns the values that are named at an offset.
func (x *Index) Def(pos int) ValueDef { return x.values[pos] }

// At returns the mention at an offset, or right before it.
func (x *Index) At(pos int) (Mention, bool) {
	i := sort.Search(len(x.Mentions), func(i int) bool { return x.Mentions[i].End >= pos })
	if i < len(x.Mentions) && x.Mentions[i].Pos <= pos {
		return x.Mentions[i], true
	}
	return Mention{}, false
}

// OpAt returns the innermost operation around an offset.
func (x *Index) OpAt(pos int) (OpSpan, bool) {
	// Operations end after those inside, so the first that begins in front is the innermost.
	for i := sort.Search(len(x.Ops), func(i int) bool { return x.Ops[i].End >= pos }); i < len(x.Ops); i++ {
		if x.Ops[i].Start <= pos {
			return x.Ops[i], true
		}
	}
	return OpSpan{}, false
}

// A Builder makes an Index while a text is read.
type Builder struct{ index *Index }

// NewBuilder returns a builder of an empty index.
func NewBuilder() *Builder { return &Builder{&Index{values: make(map[int]ValueDef)}} }

// Add notes an operation that was read. Its name in the text may be in quotes.
func (x *Builder) Add(text string, s OpSpan) {
	if text[s.Name] == '"' {
		s.Name, s.NameEnd = s.Name+1, s.NameEnd-1
	}
	x.index.Ops = append(x.index.Ops, s)
}

// Mention notes a name and returns its place in the list.
func (x *Builder) Mention(m Mention) int {
	x.index.Mentions = append(x.index.Mentions, m)
	return len(x.index.Mentions) - 1
}

// Define notes a name at its definition.
func (x *Builder) Define(name string, pos ir.Pos, def ValueDef) {
	x.Mention(Mention{Pos: int(pos), End: int(pos) + 1 + len(name), Def: int(pos)})
	x.index.values[int(pos)] = def
}

// Settle says where names are defined that were used before.
func (x *Builder) Settle(uses []int, def int) {
	for _, u := range uses {
		x.index.Mentions[u].Def = def
	}
}

// NextOp returns the place in the list that the next operation gets.
func (x *Builder) NextOp() int { return len(x.index.Ops) }

// WriteLoc notes the location that was written for the operation at a place in the list. An operation with an error
// is not there.
func (x *Builder) WriteLoc(at int, op ir.Op, loc ir.Location) {
	if ops := x.index.Ops; at < len(ops) && ops[at].Op == op {
		ops[at].Written = loc
	}
}

// Finish sorts the mentions and returns the index. A name that was read twice is there once: a custom syntax may
// resolve an operand twice.
func (x *Builder) Finish() *Index {
	all := x.index.Mentions
	sort.SliceStable(all, func(i, j int) bool { return all[i].Pos < all[j].Pos })
	kept := all[:0]
	for _, m := range all {
		if n := len(kept); n > 0 && kept[n-1].Pos == m.Pos {
			if kept[n-1].Def < 0 {
				kept[n-1] = m
			}
			continue
		}
		kept = append(kept, m)
	}
	x.index.Mentions = kept
	return x.index
}
