package rewrite

import (
	"sort"

	"github.com/tilewright/tilewright/ir"
)

// A Pattern is one rewrite.
type Pattern struct {
	// Name identifies the pattern in statistics and traces; kebab case.
	Name string
	// Root is the row of the operations that it rewrites; nil: any operation.
	Root *ir.OpDef
	// Benefit orders the patterns that apply to one operation: the greatest is tried first, then the one that was
	// added first.
	Benefit int
	// Rewrite changes op, with the insertion point of rw before op, and reports whether it did.
	Rewrite func(op ir.Op, rw *Rewriter) bool
}

// Canonicalizers is the capability that attaches patterns to the row of an operation, of which they need not name the
// Root. Patterns that refer to rows are attached in an init function (OpDef.Attach), since a row cannot refer to
// itself.
var Canonicalizers = ir.NewCap[[]Pattern]("canonicalizers")

// A Set is a list of patterns, prepared for finding those of an operation.
type Set struct {
	all    []Pattern
	byRoot map[*ir.OpDef][]*Pattern // with those of any root, in the order of trial
	any    []*Pattern
	unfold map[*ir.OpDef]bool // rows whose folders are not asked
}

// NewSet returns the set of the given patterns.
func NewSet(patterns ...Pattern) *Set {
	s := &Set{all: append([]Pattern(nil), patterns...), byRoot: make(map[*ir.OpDef][]*Pattern)}
	for i := range s.all {
		if p := &s.all[i]; p.Root == nil {
			s.any = append(s.any, p)
		}
	}
	byBenefit(s.any)
	for i := range s.all {
		root := s.all[i].Root
		if root == nil || s.byRoot[root] != nil {
			continue
		}
		var list []*Pattern
		for k := range s.all {
			if p := &s.all[k]; p.Root == root || p.Root == nil {
				list = append(list, p)
			}
		}
		byBenefit(list)
		s.byRoot[root] = list
	}
	return s
}

func byBenefit(ps []*Pattern) {
	sort.SliceStable(ps, func(i, j int) bool { return ps[i].Benefit > ps[j].Benefit })
}

// Canonical returns the canonicalisation patterns of all operations of the context's dialects.
func Canonical(c *ir.Context) *Set {
	var all []Pattern
	for _, d := range c.Dialects() {
		for _, def := range d.Ops() {
			patterns, _ := Canonicalizers.OfDef(def)
			for _, p := range patterns {
				if p.Root == nil {
					p.Root = def
				}
				all = append(all, p)
			}
		}
	}
	return NewSet(all...)
}

// WithoutFolds returns the set with the folders of some rows left out.
func (s *Set) WithoutFolds(defs ...*ir.OpDef) *Set {
	c := *s
	c.unfold = make(map[*ir.OpDef]bool, len(defs))
	for _, def := range defs {
		c.unfold[def] = true
	}
	return &c
}

// Len returns how many patterns there are.
func (s *Set) Len() int { return len(s.all) }

// Patterns returns the patterns in the order in which they were added.
func (s *Set) Patterns() []Pattern { return append([]Pattern(nil), s.all...) }

func (s *Set) of(def *ir.OpDef) []*Pattern {
	if list, ok := s.byRoot[def]; ok {
		return list
	}
	return s.any
}
