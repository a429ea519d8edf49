package bytecode

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
)

// functionBody returns the records of a function. It lies in a buffer that the next function reuses.
func (w *writer) functionBody(h head) []byte {
	w.body = buffer{w.body.b[:0]}
	w.group, w.next = h.group, 0
	w.values = w.values[:0]
	r := h.op.Region(0)
	if !r.HasOneBlock() {
		w.fail("must have a body of one block")
	}
	for _, a := range r.First().Args() {
		w.number(a)
	}
	for op := range r.First().Ops() {
		w.record(op)
	}
	return w.body.b
}

// number gives a value the next number.
//
// Numbers are those of the function's stack of visible values, so that the numbers of a region are given again after
// it:
//
//	%c = constant                      0
//	%r = for %i in (...) iter(%a) {    1 (%i), 2 (%a)
//	  %s = addf %a, %c                 3
//	}                                  %r itself: 1
//	%t = addf %r, %c                   2
func (w *writer) number(v ir.Value) {
	w.next++
	for len(w.values) <= v.ID() {
		w.values = append(w.values, 0)
	}
	// One more than the number, so that 0 says that a value has none.
	w.values[v.ID()] = w.next
}

// invalidOp adds to an error about what op is in a remark that says where it is.
func invalidOp(op ir.Op, d *ir.Diagnostic) *ir.Diagnostic {
	d.Notes = append(d.Notes, &ir.Diagnostic{Severity: ir.Remark, Loc: op.Loc(), Message: "invalid op: " + op.Name()})
	return d
}

// plan returns the plan of an operation, if the version has it.
func (w *writer) plan(op ir.Op) *opPlan {
	w.op = op
	def := op.Def()
	if def.Dialect != ops.Dialect {
		panic(invalidOp(op, w.module.Errorf("only ops from the '%s' dialect are allowed", ops.Dialect.Name)))
	}
	if !w.pure.IsNil() && !ir.IsPure(op) {
		panic(invalidOp(op, w.pure.Errorf("only pure operations allowed")))
	}
	if !wire.Stored(def) {
		w.fail("operation not supported in bytecode")
	}
	if code := int(def.Opcode); code < len(w.plans) && w.plans[code] != nil && !w.version.Less(def.Since) {
		return w.plans[code]
	}
	panic(ir.Errorf(op.Loc(), "operation '%s' is not available in bytecode version %v", op.Name(), w.version))
}

// record writes an operation.
func (w *writer) record(op ir.Op) {
	p := w.plan(op)
	b := &w.body
	b.varint(uint64(p.def.Opcode))
	if slot := w.location(op, w.group >= 0); w.group >= 0 {
		w.groups[w.group] = append(w.groups[w.group], slot)
	}
	stored := w.results(p, op)
	w.flagsAndAttrs(p, op)
	w.operands(p, op)
	if len(p.def.Regions) > 0 {
		w.regions(op)
	}
	for i := range stored {
		w.number(op.Result(i))
	}
}

// results writes the types of the results, and returns how many of them the version stores.
func (w *writer) results(p *opPlan, op ir.Op) int {
	n := op.NumResults() - len(p.newResults)
	if n < p.minResults || p.maxResults >= 0 && n > p.maxResults {
		w.fail("has %d results, which its row does not allow", op.NumResults())
	}
	for i := n; i < op.NumResults(); i++ {
		if op.Result(i).HasUses() {
			f := p.def.Results[len(p.def.Results)-op.NumResults()+i]
			w.fail("result '%s' requires bytecode version %v but is being used and targeting %v", f.Name, f.Since, w.version)
		}
	}
	if p.countsResults {
		w.body.varint(uint64(n))
	}
	for i := range n {
		w.body.varint(w.typ(op.Result(i).Type()))
	}
	return n
}

func (w *writer) flagsAndAttrs(p *opPlan, op ir.Op) {
	w.rejectNewFields(p, op)
	if p.hasFlags {
		w.body.varint(w.flags(p, op))
	}
	for i := range p.attrs {
		s := &p.attrs[i]
		f := &p.def.Attrs[s.slot]
		a := op.AttrAt(s.slot)
		switch {
		case s.unit, f.Arity == ir.Optional && a == nil:
		case isNone(f, s.wire, a):
			w.body.words(1, make([]int64, w.variadicOperands(p, op)))
		case a == nil && f.Default != nil:
			w.attribute(&w.body, f, s.wire, f.Default(w.ctx))
		case a == nil:
			w.fail("requires attribute '%s'", f.Name)
		default:
			w.attribute(&w.body, f, s.wire, a)
		}
	}
}

// isNone reports whether a list of booleans is as good as absent: it is true for no operand.
func isNone(f *ir.Field, form wire.Form, a ir.Attribute) bool {
	if form.Enc != wire.EncBoolArray || f.Default == nil {
		return false
	}
	d, ok := a.(*ir.DenseArrayAttr)
	if !ok {
		return a == nil
	}
	for _, v := range d.Values {
		if v != 0 {
			return false
		}
	}
	return true
}

// variadicOperands returns how many operands the variadic field has, which a list of booleans is about.
func (w *writer) variadicOperands(p *opPlan, op ir.Op) int {
	for i := range p.def.Operands {
		if p.def.Operands[i].Arity == ir.Variadic {
			lo, hi := op.OperandRange(i)
			return hi - lo
		}
	}
	return 0
}

// rejectNewFields rejects what says more than its absence in a version that lacks the field.
func (w *writer) rejectNewFields(p *opPlan, op ir.Op) {
	for _, slot := range p.newAttrs {
		f := &p.def.Attrs[slot]
		a := op.AttrAt(slot)
		switch {
		case a == nil || f.Default != nil && a == f.Default(w.ctx) || isNone(f, wire.Of(f), a):
		case f.Arity == ir.Optional:
			w.fail("optional attribute '%s' is provided but requires bytecode version %v, targeting %v", f.Name, f.Since, w.version)
		default:
			w.fail("attribute '%s' requires bytecode version %v+, but targeting %v", f.Name, f.Since, w.version)
		}
	}
	for i := range p.operands {
		if p.operands[i].stored {
			continue
		}
		if lo, hi := op.OperandRange(i); hi > lo {
			f := &p.def.Operands[i]
			w.fail("optional operand '%s' is provided but requires bytecode version %v, targeting %v", f.Name, f.Since, w.version)
		}
	}
}

func (w *writer) flags(p *opPlan, op ir.Op) uint64 {
	flags := uint64(0)
	for i := range p.attrs {
		if s := &p.attrs[i]; s.flag != 0 && op.AttrAt(s.slot) != nil {
			flags |= s.flag
		}
	}
	for i := range p.operands {
		if s := &p.operands[i]; s.flag != 0 {
			if lo, hi := op.OperandRange(i); hi > lo {
				flags |= s.flag
			}
		}
	}
	return flags
}

func (w *writer) operands(p *opPlan, op ir.Op) {
	if p.segSlot >= 0 {
		w.segmentedOperands(p, op)
		return
	}
	n := op.NumOperands()
	if p.countsOperands {
		w.body.varint(uint64(n))
	} else if n != len(p.operands) {
		w.fail("has %d operands, expected %d", n, len(p.operands))
	}
	for i := range n {
		w.value(op, i)
	}
}

func (w *writer) segmentedOperands(p *opPlan, op ir.Op) {
	total := 0
	for i := range p.operands {
		lo, hi := op.OperandRange(i)
		switch s := &p.operands[i]; {
		case s.arity == ir.Variadic:
			w.body.varint(uint64(hi - lo))
		case s.arity == ir.One && hi-lo != 1, hi-lo > 1:
			w.fail("operand '%s' stands for %d values", p.def.Operands[i].Name, hi-lo)
		}
		for k := lo; k < hi; k++ {
			w.value(op, k)
		}
		total += hi - lo
	}
	if total != op.NumOperands() {
		w.fail("'%s' says that there are %d operands, but there are %d", ir.OperandSegmentSizes, total, op.NumOperands())
	}
}

// value writes the number of operand i.
//
// A use of a value in a region that is over is noticed only as long as its number has not been given again. It needs
// no more than that: the module passed the verifier, and dominance is its business; the check only keeps an index in
// range for a broken one.
func (w *writer) value(op ir.Op, i int) {
	v := op.Operand(i)
	if v.IsNil() || v.ID() >= len(w.values) || w.values[v.ID()] == 0 || w.values[v.ID()] > w.next {
		w.fail("operand #%d is not defined before its use", i)
	}
	w.body.varint(uint64(w.values[v.ID()] - 1))
}

func (w *writer) regions(op ir.Op) {
	if op.NumRegions() != len(op.Def().Regions) {
		w.fail("has %d regions, expected %d", op.NumRegions(), len(op.Def().Regions))
	}
	pure := w.pure
	// The verifier knows this rule of their bodies as well; it is asked again in case that the module was not verified.
	if op.Is(cudatile.Reduce) || op.Is(cudatile.Scan) {
		w.pure = op
	}
	w.body.varint(uint64(op.NumRegions()))
	for i := range op.NumRegions() {
		count := 0
		for range op.Region(i).Blocks() {
			count++
		}
		w.body.varint(uint64(count))
		for block := range op.Region(i).Blocks() {
			w.block(block)
		}
	}
	w.pure = pure
}

func (w *writer) block(block ir.Block) {
	visible := w.next
	w.body.varint(uint64(block.NumArgs()))
	for _, a := range block.Args() {
		w.body.varint(w.typ(a.Type()))
		w.number(a)
	}
	count := 0
	for range block.Ops() {
		count++
	}
	w.body.varint(uint64(count))
	for op := range block.Ops() {
		w.record(op)
	}
	w.next = visible
}
