package mutants

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// A change is a kind of damage. It does one instance of it somewhere in the module, or reports that it found no place.
type change struct {
	name string
	do   func(m *mutator) bool
}

// changes are all kinds of damage; those that more often leave a valid module stand in the list more than once.
var changes = []change{
	{"swap operands", swapOperands}, {"replace operand", replaceOperand}, {"replace operand", replaceOperand}, {"drop operand", dropOperand},
	{"add operand", addOperand},
	{"change attribute", changeAttribute}, {"change attribute", changeAttribute}, {"change attribute", changeAttribute},
	{"drop attribute", dropAttribute}, {"change constant", changeConstant},
	{"delete operation", deleteOperation}, {"duplicate operation", duplicateOperation}, {"move operation", moveOperation},
	{"move operation", moveOperation}, {"hoist operation", hoistOperation}, {"sink operation", sinkOperation},
	{"swap loop-carried values", swapCarried}, {"swap results", swapResults}, {"choose between values", chooseBetween}, {"choose between values", chooseBetween},
	{"change shape", changeShape}, {"change layout", changeLayout}, {"change layout", changeLayout}, {"change one type", changeOneType},
	{"drop argument", dropArgument},
}

// A mutator changes a module.
type mutator struct {
	*rand.Rand
	module ir.Op
	ops    []ir.Op    // inside of kernels, and the kernels
	values []ir.Value // inside of kernels
	attrs  []ir.Attribute
	types  []ir.Type
}

// Mutate damages a dump: one to three changes that the seed chooses. It returns the text of the mutant and what was
// done.
func Mutate(text []byte, seed uint64) (mutant []byte, done string, err error) {
	ctx := tileir.NewContext()
	module, err := tileir.Read(ctx, "dump", text)
	if err != nil {
		return nil, "", err
	}
	m := &mutator{Rand: rand.New(rand.NewPCG(seed, 0x6d75_7461)), module: module}
	var did []string
	for n := 1 + m.IntN(6)/4; n > 0; n-- {
		for range 50 {
			m.collect()
			c := changes[m.IntN(len(changes))]
			if c.do(m) {
				did = append(did, c.name)
				break
			}
		}
	}
	// What cannot be said in the custom form, because its syntax assumes what the verifier demands, can be in the
	// generic one.
	mutant, err = printed(module, false)
	if _, unreadable := asm.Parse(tileir.NewContext(), "mutant", mutant, tileir.Syntax()); err != nil || unreadable != nil {
		mutant, err = printed(module, true)
	}
	return mutant, strings.Join(did, ", "), err
}

func printed(module ir.Op, generic bool) ([]byte, error) {
	var b bytes.Buffer
	if err := asm.Print(&b, module, asm.PrintOptions{Generic: generic}); err != nil {
		return nil, fmt.Errorf("mutant does not print: %w", err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// collect looks at the module as it is now.
func (m *mutator) collect() {
	m.ops, m.values, m.attrs, m.types = m.ops[:0], m.values[:0], m.attrs[:0], m.types[:0]
	seenType, seenAttr := make(map[ir.Type]bool), make(map[ir.Attribute]bool)
	value := func(v ir.Value) {
		m.values = append(m.values, v)
		if t := v.Type(); !seenType[t] {
			seenType[t] = true
			m.types = append(m.types, t)
		}
	}
	m.module.Walk(func(op ir.Op) ir.WalkResult {
		if op == m.module {
			return ir.Advance
		}
		m.ops = append(m.ops, op)
		for _, r := range op.Results() {
			value(r)
		}
		for i := range op.NumRegions() {
			for b := range op.Region(i).Blocks() {
				for _, a := range b.Args() {
					value(a)
				}
			}
		}
		for _, a := range op.InherentAttrs() {
			if !seenAttr[a.Value] {
				seenAttr[a.Value] = true
				m.attrs = append(m.attrs, a.Value)
			}
		}
		return ir.Advance
	})
}

// pick returns a random element; ok is false when there is none.
func pick[T any](m *mutator, list []T) (x T, ok bool) {
	if len(list) == 0 {
		return x, false
	}
	return list[m.IntN(len(list))], true
}

// op returns a random operation that satisfies a condition.
func (m *mutator) op(ok func(ir.Op) bool) (ir.Op, bool) {
	var fit []ir.Op
	for _, op := range m.ops {
		if ok(op) {
			fit = append(fit, op)
		}
	}
	return pick(m, fit)
}

// inner reports whether an operation stands in a kernel, so that it may be taken away, and does not end a block.
func inner(op ir.Op) bool {
	return op.SymbolName() == "" && !op.HasTrait(ir.SymbolTable) && !op.HasTrait(ir.Terminator)
}

// visible returns the values of a type that may be used where op stands, without v.
func (m *mutator) visible(op ir.Op, t ir.Type, v ir.Value) (out []ir.Value) {
	for at := op; !at.IsNil() && !at.Block().IsNil(); at = at.ParentOp() {
		b := at.Block()
		for _, a := range b.Args() {
			if a.Type() == t && a != v {
				out = append(out, a)
			}
		}
		for o := b.First(); !o.IsNil() && o != at; o = o.Next() {
			for _, r := range o.Results() {
				if r.Type() == t && r != v {
					out = append(out, r)
				}
			}
		}
		if at.ParentOp().IsNil() || at.ParentOp().HasTrait(ir.IsolatedFromAbove) {
			break
		}
	}
	return out
}
