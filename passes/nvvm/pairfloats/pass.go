package pairfloats

import (
	"encoding/binary"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/target/sm"
)

var numPairs = passes.NewStatistic("pairs", "operations on f32 that became one of two")

// Pass is nvvm-pair-floats.
var Pass = passes.Register(&passes.Pass{
	Name:     "nvvm-pair-floats",
	Summary:  "compute two f32 of a thread by one instruction",
	Doc:      "Joins additions and multiplications of f32 that do the same to neighbouring registers to one of f32x2, on targets that have it (sm_100 and later).",
	Requires: []*passes.Property{property.NVVM},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "nvvm-expand-math", Reason: "functions become arithmetic on neighbouring registers"},
		{Pass: "nvvm-legalize-arith", Reason: "so do operations that the machine lacks"},
		{Pass: "nvvm-unroll-loops", Reason: "iterations of unrolled loops are neighbours too"},
		{Pass: "cse#nvvm", Reason: "what is equal in both is one value, and told from what is not"},
	},
	Before: []passes.Edge{
		{Pass: "nvvm-sink", Reason: "it would move partners apart"},
	},
	Creates:    []string{"nvvm"},
	Statistics: []*passes.Statistic{numPairs},
	Run:        run,
})

// paired names the operation on two f32 for each on one.
var paired = map[*ir.OpDef]*ir.OpDef{
	arith.AddF: nvvm.AddF32x2, arith.SubF: nvvm.SubF32x2, arith.MulF: nvvm.MulF32x2, arith.Fma: nvvm.FmaF32x2,
}

func run(r *passes.Run) error {
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	if !arch.Has(sm.F32x2) {
		return nil
	}
	p := &pairing{lanes: make(map[ir.Value]lane), complete: make(map[int]bool)}
	for b := range r.Op.Region(0).Blocks() {
		p.block(b)
	}
	n := p.join(r)
	r.Add(numPairs, n)
	return nil
}

// A lane is a value's place in a pair of partners.
type lane struct {
	pair int
	high bool
}

// A couple is two operations whose results are partners.
type couple struct{ low, high ir.Op }

// A pairing finds the partners of a function. Those of one block serve the blocks after it: the body of a loop computes
// with arguments of the header.
type pairing struct {
	lanes    map[ir.Value]lane
	pairs    int
	complete map[int]bool       // pairs that have both values
	waiting  map[string][]ir.Op // operations without a partner so far, by what they do
	found    []couple           // that have a paired form
}

// block finds all partners in a block, from the first operation on.
func (p *pairing) block(b ir.Block) {
	p.waiting = make(map[string][]ir.Op)
	p.neighbours(b.Args())
	for op := b.First(); !op.IsNil(); {
		next := op.Next()
		if op.NumResults() > 1 {
			p.neighbours(op.Results())
		} else if op.NumResults() == 1 && op.NumRegions() == 0 && ir.IsPure(op) && !op.HasTrait(ir.ConstantLike) {
			p.match(op)
		}
		op = next
	}
	for _, ops := range p.waiting {
		for _, op := range ops {
			if v := op.Result(0); !p.complete[p.lanes[v].pair] {
				delete(p.lanes, v)
			}
		}
	}
}

// neighbours makes partners of values that follow each other and have one type.
func (p *pairing) neighbours(values []ir.Value) {
	for i := 0; i+1 < len(values); {
		if values[i].Type() != values[i+1].Type() || isPredicate(values[i]) {
			i++
			continue
		}
		p.partners(values[i], values[i+1])
		i += 2
	}
}

func (p *pairing) partners(low, high ir.Value) {
	p.lanes[low], p.lanes[high] = lane{p.pairs, false}, lane{p.pairs, true}
	p.complete[p.pairs] = true
	p.pairs++
}

// match looks for the partner of an operation among those before it.
//
// An operation that waits has its place already, so that what is computed of it can wait too: the functions of one
// register stand before those of the next. But a value that never gets a partner is shared by others. So an operation
// waits under several keys. Some take values without a partner for shared ones, and some all operands but one: a
// row's maximum may be the neighbour of something else.
func (p *pairing) match(op ir.Op) {
	var keys []string
	var high bool
	for _, hopeful := range []bool{false, true} {
		for only := -1; only < op.NumOperands(); only++ {
			key, h, ok := p.keyOf(op, hopeful, only)
			if !ok || len(keys) > 0 && h != high {
				continue
			}
			for _, first := range p.waiting[key+side(!h)] {
				if p.mayTake(first, h) && canMoveAfter(op, first) {
					p.couple(first, op)
					return
				}
			}
			keys, high = append(keys, key), h
		}
	}
	if len(keys) == 0 {
		return
	}
	for _, key := range keys {
		p.waiting[key+side(high)] = append(p.waiting[key+side(high)], op)
	}
	p.lanes[op.Result(0)] = lane{p.pairs, high}
	p.pairs++
}

// mayTake reports whether an operation that waits still has no partner, and is not of the side itself.
func (p *pairing) mayTake(first ir.Op, high bool) bool {
	at := p.lanes[first.Result(0)]
	return at.high != high && !p.complete[at.pair]
}

// couple makes partners of two operations. The second moves up to the first, so that its own users can do likewise.
func (p *pairing) couple(first, second ir.Op) {
	second.MoveAfter(first)
	at := p.lanes[first.Result(0)]
	p.lanes[second.Result(0)] = lane{at.pair, !at.high}
	p.complete[at.pair] = true
	c := couple{first, second}
	if at.high {
		c = couple{second, first}
	}
	if hasPairedForm(first) {
		p.found = append(p.found, c)
	}
}

func side(high bool) string {
	if high {
		return " high"
	}
	return " low"
}

// keyOf describes what an operation and its partner have in common, and says which of the two it is; not ok: it uses
// no value that has a partner, or the low one of some and the high one of others. Values that still wait for a partner
// count if hopeful. Of the operands, one alone may count as a partner. Values of an operation alone need not agree.
func (p *pairing) keyOf(op ir.Op, hopeful bool, only int) (key string, high, ok bool) {
	operands := op.Operands()
	partner := func(i int) (lane, bool) {
		l, has := p.lanes[operands[i]]
		return l, has && (hopeful || p.complete[l.pair]) && (only < 0 || i == only) && !isPredicate(operands[i])
	}
	for i := range operands {
		switch l, is := partner(i); {
		case is && ok && l.high != high:
			return "", false, false
		case is:
			high, ok = l.high, true
		}
	}
	def := op.Def()
	if !ok || def.Number() == 0 {
		return "", false, false
	}
	text := binary.AppendUvarint(nil, uint64(def.Number()))
	add := func(kind byte, number int) { text = binary.AppendUvarint(append(text, kind), uint64(number)) }
	for slot := range def.Attrs {
		add('a', op.AttrNumberAt(slot))
	}
	for i, v := range operands {
		l, is := partner(i)
		_, has := p.lanes[v]
		switch {
		case isPredicate(v):
			add('i', 1)
		case is:
			add('p', l.pair)
		case !has && isOwn(v):
			add('o', v.DefiningOp().Def().Number())
		default:
			add('v', v.ID())
		}
	}
	return string(text), high, ok
}

// isPredicate reports whether a value is in no register of 32 bits. Elements of a mask may differ in it. Comparisons are
// matched all the same, so that they move up in front of what selects by them.
func isPredicate(v ir.Value) bool { return ir.BitWidth(v.Type()) == 1 }

// isOwn reports whether a value without a partner is of one operation alone, as the bias of a masked element. It may be
// in any register, so the partner's may be another value.
func isOwn(v ir.Value) bool {
	return v.HasOneUse() && !v.DefiningOp().IsNil() && ir.ConstantValue(v) == nil
}

// canMoveAfter reports whether what op uses is there right after first, which stands before it in the block.
func canMoveAfter(op, first ir.Op) bool {
	for _, v := range op.Operands() {
		def := v.DefiningOp()
		if !def.IsNil() && def.Block() == op.Block() && !def.IsBeforeInBlock(first) {
			return false
		}
	}
	return true
}

// hasPairedForm reports whether PTX has the operation on two f32: f32x2 rounds to nearest only here.
func hasPairedForm(op ir.Op) bool {
	t, isFloat := op.Result(0).Type().(*ir.FloatType)
	if paired[op.Def()] == nil || !isFloat || t.Format != numeric.F32 {
		return false
	}
	r := op.StringAttr(arith.AttrRounding)
	return r == "" || r == "nearest_even"
}

// join writes the profitable couples as one operation each.
func (p *pairing) join(r *passes.Run) (n int) {
	shared := make(map[ir.Value]int) // how many couples share a value
	for _, c := range p.found {
		for i, v := range c.low.Operands() {
			if v == c.high.Operand(i) {
				shared[v]++
			}
		}
	}
	for _, c := range p.found {
		if !profitable(c, shared) || !r.May("pair", c.low) {
			continue
		}
		n++
		at := c.low
		if c.low.IsBeforeInBlock(c.high) {
			at = c.high
		}
		b := ir.BuilderBefore(at)
		var operands []ir.Value
		for i, v := range c.low.Operands() {
			operands = append(operands, v, c.high.Operand(i))
		}
		var attrs []ir.NamedAttr
		if c.low.HasUnitAttr(arith.AttrFtz) {
			attrs = append(attrs, ir.NamedAttr{Name: arith.AttrFtz, Value: c.low.Attr(arith.AttrFtz)})
		}
		t := c.low.Result(0).Type()
		both := b.Create(paired[c.low.Def()], operands, []ir.Type{t, t}, attrs...)
		for i, old := range []ir.Op{c.low, c.high} {
			old.Result(0).ReplaceAllUsesWith(both.Result(i))
			old.Erase()
		}
	}
	return n
}

// profitable reports whether a couple saves an instruction: a value that both share takes a copy, unless it is a constant,
// which the instruction holds, or another couple shares it too.
func profitable(c couple, shared map[ir.Value]int) bool {
	for i, v := range c.low.Operands() {
		if v == c.high.Operand(i) && ir.ConstantValue(v) == nil && shared[v] < 2 {
			return false
		}
	}
	return true
}
