package mma

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
	"github.com/tilewright/tilewright/target/sm"
)

// A scaleChoice is the scales of one side of an instruction: a word, the first of its bytes that counts, and which of
// four threads have it.
type scaleChoice struct {
	word         ir.Value
	byte, thread int
}

// A scalePair is the scales of both sides of an instruction.
type scalePair struct{ a, b scaleChoice }

// A scaleTable has the scales of all instructions of an MMA, by batch, then by fragment, then by step of K. It is
// empty for an MMA without scales.
type scaleTable struct {
	t    linear.MMATile
	a, b []scaleChoice
}

func (s scaleTable) at(batch, i, j, k int) (p scalePair) {
	if s.a == nil {
		return p
	}
	return scalePair{s.a[(batch*s.t.M+i)*s.t.K+k], s.b[(batch*s.t.N+j)*s.t.K+k]}
}

// scales finds where the threads have the scales of each instruction.
//
// The places are searched in the layouts of the operands rather than computed from how those are made, so that
// nothing but what the instruction takes is believed.
func scales(l *core.Lowering, op ir.Op, row *sm.Matrix, t linear.MMATile) (s scaleTable, err error) {
	if !op.Is(tileas.Level.DotScaled) {
		return s, nil
	}
	s.t = t
	blocks := row.K / row.Scale.Block
	side := func(operand, fragments int, find func(lay linear.Layout, batch, i, block, n int) (linear.ScalePlace, bool)) ([]scaleChoice, error) {
		lay, err := l.Layout(op.Operand(operand))
		if err != nil {
			return nil, err
		}
		w := &scaleWords{Lowering: l, regs: l.Values(op.Operand(operand)), packed: make(map[int]ir.Value)}
		var out []scaleChoice
		for batch := range t.Batch {
			for i := range fragments {
				for k := range t.K {
					p, ok := find(lay, batch, i, k*blocks, blocks)
					if !ok {
						return nil, op.Errorf("operand #%d has the layout %s, in which no instruction finds its scales", operand, lay)
					}
					word, first := w.find(p.First, blocks)
					out = append(out, scaleChoice{word, first, p.Thread})
				}
			}
		}
		return out, nil
	}
	if s.a, err = side(3, t.M, t.ScalesOfA); err == nil {
		s.b, err = side(4, t.N, t.ScalesOfB)
	}
	return s, err
}

// scaleAttrs returns the attributes of an instruction that scales.
func (m *multiplier) scaleAttrs(s sm.Scale) []ir.NamedAttr {
	choice := func(c scaleChoice) ir.Attribute {
		return m.Ctx.DenseArray(m.Ctx.Int(64), int64(c.byte), int64(c.thread))
	}
	return []ir.NamedAttr{
		{Name: nvvm.AttrScaleType, Value: m.Ctx.String(s.Elem.String())}, {Name: nvvm.AttrScaleBlock, Value: m.Ctx.IntAttr(m.Ctx.Int(64), int64(s.Block))},
		{Name: nvvm.AttrSelectA, Value: choice(m.scale.a)}, {Name: nvvm.AttrSelectB, Value: choice(m.scale.b)},
	}
}

// scaleWords makes the words that have the scales of an operand in their bytes.
type scaleWords struct {
	*core.Lowering
	regs   []ir.Value
	packed map[int]ir.Value // by the first register
}

// find returns a word with n scales, from register first on, and the byte in which they begin. Scales that were
// loaded as a word stay in it, whatever parts of it the MMA takes; others are packed with their neighbours.
func (w *scaleWords) find(first, n int) (word ir.Value, at int) {
	if word, at, ok := w.loaded(first, n); ok {
		if at > 0 {
			word = w.Make(arith.ShRUI, w.I32(), word, w.Const32(int64(8*at)))
		}
		return word, 0
	}
	const bytes = 4
	at = first % bytes
	group := first - at
	if w.packed[group].IsNil() {
		parts := make([]ir.Value, bytes)
		for i := range parts {
			// Bytes beyond the last are not looked at.
			parts[i] = w.regs[min(group+i, len(w.regs)-1)]
		}
		w.packed[group] = w.Pack(parts)[0]
	}
	return w.packed[group], at
}

func (w *scaleWords) loaded(first, n int) (word ir.Value, at int, ok bool) {
	for i, v := range w.regs[first : first+n] {
		def := v.DefiningOp()
		if def.IsNil() || !def.Is(nvvm.Unpack) || def.Operand(0).Type() != w.I32() {
			return word, 0, false
		}
		if i == 0 {
			word, at = def.Operand(0), v.Index()
		}
		if def.Operand(0) != word || v.Index() != at+i {
			return word, 0, false
		}
	}
	return word, at, at%n == 0
}
