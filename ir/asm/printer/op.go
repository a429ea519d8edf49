package printer

import (
	"sort"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/naming"
)

// op prints an operation in its custom or generic syntax, with its location.
func (p *printer) op(op ir.Op) {
	p.results(op)
	def := op.Def()
	savedDef, savedShort := p.def, p.short
	p.def, p.short = def, nil
	if row := p.row(def); p.opts.Generic || !row.custom || !row.fits(op) || !p.opts.Listing && !row.readsBack(op) || !p.custom(op) {
		p.generic(op)
	}
	p.short = savedShort
	if p.opts.DebugInfo || p.opts.PrettyDebugInfo {
		p.Loc(op.Loc())
	}
	if p.opts.Comment != nil {
		p.opts.Comment(p, op)
	}
	p.def = savedDef
}

// custom prints an operation in its custom syntax. A hook may rely on what the verifier checks; when it trips over an
// operation that does not verify, which diagnostics print all the same, custom takes back what it wrote and returns
// false.
func (p *printer) custom(op ir.Op) (ok bool) {
	mark, indent, names, defaults := p.cut+len(p.buf), p.indent, p.names, p.defaults
	defer func() {
		if ok {
			return
		}
		reason := recover()
		if reason == nil {
			return
		}
		p.indent, p.names, p.defaults, p.short = indent, names, defaults, nil
		if mark < p.cut {
			p.out.broken(op, reason)
			ok = true
			return
		}
		p.buf = p.buf[:mark-p.cut]
	}()
	def := p.def
	if def.Dialect != p.defaults {
		p.Str(def.Dialect.Name)
		p.buf = append(p.buf, '.')
	}
	p.Str(def.Name)
	if def.Dialect.ShortTypes {
		p.short = def.Dialect
	}
	if def.Print != nil {
		def.Print(p, op)
	} else {
		p.printFormat(op)
	}
	return true
}

// results prints "%a, %b:2 = ".
func (p *printer) results(op ir.Op) {
	n := op.NumResults()
	if n == 0 {
		return
	}
	for i := 0; i < n; {
		if i > 0 {
			p.Str(", ")
		}
		v := op.Result(i)
		name := p.names.Get(v)
		p.buf = p.names.Append(p.buf, name)
		size := 1
		if name.Sub >= 0 {
			for i+size < n && p.names.Get(op.Result(i+size)).Sub > 0 {
				size++
			}
		}
		if size > 1 {
			p.buf = append(p.buf, ':')
			p.Int(int64(size))
		}
		i += size
	}
	p.Str(" = ")
}

func (p *printer) generic(op ir.Op) {
	p.Quoted(op.Name())
	p.buf = append(p.buf, '(')
	n := op.NumOperands()
	for i := range n {
		if i > 0 {
			p.Str(", ")
		}
		p.Operand(op.Operand(i))
	}
	p.buf = append(p.buf, ')')
	for i := range op.NumSuccessors() {
		p.Str([]string{"[", ", "}[min(i, 1)])
		p.Successor(op.Successor(i))
	}
	if op.NumSuccessors() > 0 {
		p.buf = append(p.buf, ']')
	}
	if inherent := op.InherentAttrs(); len(inherent) > 0 {
		p.Str(" <")
		p.AttrDict(inherent)
		p.Str(">")
	}
	for i := range op.NumRegions() {
		p.Str([]string{" (", ", "}[min(i, 1)])
		p.region(op.Region(i), true, true, true)
	}
	if op.NumRegions() > 0 {
		p.buf = append(p.buf, ')')
	}
	if dict := op.DiscardableAttrs().Entries; len(dict) > 0 {
		p.Str(" ")
		p.AttrDict(dict)
	}
	p.Str(" : (")
	for i := range n {
		if i > 0 {
			p.Str(", ")
		}
		p.valueType(op.Operand(i))
	}
	p.Str(") -> ")
	p.resultTypes(op)
}

func (p *printer) resultTypes(op ir.Op) {
	if op.NumResults() == 1 {
		if _, isFunc := op.Result(0).Type().(*ir.FunctionType); !isFunc {
			p.valueType(op.Result(0))
			return
		}
	}
	p.buf = append(p.buf, '(')
	for i := range op.NumResults() {
		if i > 0 {
			p.Str(", ")
		}
		p.valueType(op.Result(i))
	}
	p.buf = append(p.buf, ')')
}

// Operand implements ir.AsmPrinter.
func (p *printer) Operand(v ir.Value) {
	if v.IsNil() {
		p.Str("<<NULL VALUE>>")
		return
	}
	names := p.names
	if v.Arena() != names.Arena {
		names = p.namesOf(v)
	}
	n := names.Get(v)
	p.buf = names.Append(p.buf, n)
	if n.Sub >= 0 && n.ID != 0 {
		p.buf = append(p.buf, '#')
		p.Int(int64(n.Sub))
	}
}

// Operands implements ir.AsmPrinter.
func (p *printer) Operands(vs []ir.Value) {
	for i, v := range vs {
		if i > 0 {
			p.Str(", ")
		}
		p.Operand(v)
	}
}

// BlockArg implements ir.AsmPrinter.
func (p *printer) BlockArg(v ir.Value) {
	p.Operand(v)
	p.Str(": ")
	p.valueType(v)
}

// Successor implements ir.AsmPrinter.
func (p *printer) Successor(b ir.Block) {
	p.Str("^bb")
	p.Int(int64(p.names.Block(b)))
}

// namesOf returns the names for a value in the regions of the isolated operation that is being printed.
func (p *printer) namesOf(v ir.Value) *naming.Names {
	if p.inner != nil && p.inner.Arena == v.Arena() {
		return p.inner
	}
	for op := v.Block().ParentOp(); !op.IsNil(); op = op.ParentOp() {
		if op.Arena() != v.Arena() {
			return p.innerNames(op)
		}
	}
	return p.names
}

// innerNames returns the names in the regions of an isolated operation. Its hook may ask for those of its arguments
// before it prints the region, so they are kept.
func (p *printer) innerNames(owner ir.Op) *naming.Names {
	if p.inner == nil || p.inner.Arena != owner.InnerArena() {
		spare := p.inner
		if spare != nil && spare.Busy > 0 {
			spare = nil
		}
		p.inner = naming.Inside(owner, !p.opts.Generic, spare)
	}
	return p.inner
}

// Region implements ir.AsmPrinter.
func (p *printer) Region(r ir.Region, printArgs, printTerminator bool) {
	p.region(r, printArgs, printTerminator, false)
}

func (p *printer) region(r ir.Region, printArgs, printTerminator, printEmptyBlock bool) {
	savedNames, savedDefaults, savedShort := p.names, p.defaults, p.short
	p.short, p.defaults = nil, nil
	if p.def != nil && p.def.Dialect.OpensNamespace() {
		p.defaults = p.def.Dialect
	}
	if r.Arena() != p.names.Arena {
		p.names = p.innerNames(r.Op())
	}
	p.names.Busy++
	p.buf = append(p.buf, '{')
	for b := range r.Blocks() {
		label := !b.IsEntry() || printArgs && b.NumArgs() > 0 || printEmptyBlock && b.Empty() || b.HasPreds()
		p.block(b, label, printTerminator || !b.IsEntry())
	}
	p.Newline()
	p.buf = append(p.buf, '}')
	p.names.Busy--
	p.names, p.defaults, p.short = savedNames, savedDefaults, savedShort
}

func (p *printer) block(b ir.Block, label, printTerminator bool) {
	if label {
		p.Newline()
		p.label(b)
	}
	p.indent++
	var last ir.Op // that is left out
	if op := b.Last(); !printTerminator && !op.IsNil() && op.HasTrait(ir.Terminator) {
		last = op
	}
	if owner := b.ParentOp(); p.out != nil && (!owner.IsNil() && owner.HasTrait(ir.SymbolTable) || isLarge(b)) {
		p.pieces(b, last, false)
	} else {
		for op := b.First(); !op.IsNil() && op != last; op = op.Next() {
			p.Newline()
			p.op(op)
		}
	}
	p.indent--
}

// label prints "^bb1(%a: type):" and, as a comment, where control comes from.
func (p *printer) label(b ir.Block) {
	p.Successor(b)
	for i := range b.NumArgs() {
		p.Str([]string{"(", ", "}[min(i, 1)])
		p.BlockArg(b.Arg(i))
	}
	if b.NumArgs() > 0 {
		p.buf = append(p.buf, ')')
	}
	p.buf = append(p.buf, ':')
	var preds []int
	for op := range b.Preds() {
		if pred := op.Block(); !pred.IsNil() {
			preds = append(preds, p.names.Block(pred))
		}
	}
	sort.Ints(preds)
	preds = dedup(preds)
	switch {
	case len(preds) == 0 && b.IsEntry():
		return
	case len(preds) == 0:
		p.Str("  // no predecessors")
		return
	case len(preds) == 1:
		p.Str("  // pred: ")
	default:
		p.Str("  // ")
		p.Int(int64(len(preds)))
		p.Str(" preds: ")
	}
	for i, n := range preds {
		if i > 0 {
			p.Str(", ")
		}
		p.Str("^bb")
		p.Int(int64(n))
	}
}

// dedup removes repetitions from a sorted list.
func dedup(list []int) []int {
	out := list[:0]
	for i, v := range list {
		if i == 0 || v != list[i-1] {
			out = append(out, v)
		}
	}
	return out
}
