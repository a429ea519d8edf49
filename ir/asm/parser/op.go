package parser

import (
	"errors"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/index"
	"github.com/tilewright/tilewright/ir/asm/lexer"
)

// An opFrame holds what is needed while one operation is parsed. Frames are reused, by nesting depth.
type opFrame struct {
	st      ir.OpState
	results []resultName
	refs    []ir.OperandRef
	ins     []ir.Type
	outs    []ir.Type
	format  formatParse
	late    lateLoc     // alias of the location, when it is not defined yet
	written ir.Location // for an index
}

// A resultName is "%name" or "%name:n" on the left of an operation.
type resultName struct {
	name string
	n    int
	pos  ir.Pos
}

func (p *parser) frame() *opFrame {
	if p.nested == len(p.states) {
		p.states = append(p.states, &opFrame{outs: make([]ir.Type, 0, 4)})
	}
	p.nested++
	f := p.states[p.nested-1]
	f.results = f.results[:0]
	f.refs = f.refs[:0]
	f.ins = f.ins[:0]
	f.outs = f.outs[:0]
	if f.late.alias != "" {
		f.late = lateLoc{}
	}
	f.written = nil
	return f
}

// parseOp reads an operation in either syntax and its location.
func (p *parser) parseOp() ir.Op {
	f := p.frame()
	start, numNames := p.Tok.Pos, 0
	if p.Tok.Kind == lexer.Percent {
		numNames = p.resultNames(f)
	}
	pos := p.Pos()
	nameEnd := p.Tok.End
	p.readOp(f, pos)
	op := p.insert(f)
	p.nameResults(op, f, numNames, pos)
	p.nested--
	if r := p.opts.recovery; r != nil {
		r.index.Add(p.Src, index.OpSpan{Op: op, Start: start, End: p.Last, Name: int(pos), NameEnd: nameEnd, Written: f.written})
	}
	return op
}

// readOp reads an operation, all but the names of its results.
func (p *parser) readOp(f *opFrame, pos ir.Pos) {
	def, short, hook := p.def, p.short, p.hook
	p.short, p.hook = nil, nil
	switch p.Tok.Kind {
	case lexer.String:
		p.genericOp(f)
	case lexer.Bare:
		p.customOp(f)
	case lexer.EOF:
		if open := p.top().open; open > 0 {
			p.errorNote(p.Pos(), "expected operation name in quotes, or '}'", open, "which would close the region that begins here")
		}
		fallthrough
	default:
		p.errorf("expected operation name in quotes")
	}
	p.def, p.short, p.hook = def, short, hook
	if f.st.Loc == nil {
		f.st.SetTextLoc(p.source, int(pos))
	}
	if len(f.st.Regions) > maxLists || len(f.st.Succs) > maxLists {
		p.errorAt(pos, "operation has more than %d regions or successors", maxLists)
	}
}

// insert creates the operation that was read.
func (p *parser) insert(f *opFrame) ir.Op {
	op := p.builder.Insert(&f.st)
	if f.late.alias != "" {
		f.late.op = op
		if p.opts.recovery != nil {
			f.late.span = p.opts.recovery.index.NextOp()
		}
		p.lateLocs = append(p.lateLocs, f.late)
	}
	return op
}

const maxLists = 1 << 15

// resultNames reads "%a, %b:2 = " and returns how many values it names.
func (p *parser) resultNames(f *opFrame) int {
	total := 0
	for {
		if p.Tok.Kind != lexer.Percent {
			p.errorf("expected valid ssa identifier")
		}
		r := resultName{p.Text()[1:], 1, p.Pos()}
		p.Next()
		if p.Opt(":") {
			pos := p.Pos()
			n, ok := p.OptInteger()
			if !ok {
				p.errorf("expected integer number of results")
			}
			if n < 1 || n > int64(len(p.Src)) {
				p.errorAt(pos, "expected named operation to have at least 1 result")
			}
			r.n = int(n)
		}
		total += r.n
		f.results = append(f.results, r)
		if !p.Opt(",") {
			break
		}
	}
	p.Expect("=")
	return total
}

func (p *parser) nameResults(op ir.Op, f *opFrame, numNames int, pos ir.Pos) {
	if numNames == 0 {
		return
	}
	n := op.NumResults()
	if n == 0 {
		p.errorAt(pos, "cannot name an operation with no results")
	}
	if n != numNames {
		p.errorAt(pos, "operation defines %d results but was provided %d to bind", n, numNames)
	}
	at := 0
	for _, r := range f.results {
		p.define(r.name, op.Result(at), r.n, r.pos)
		at += r.n
	}
}

// genericOp reads "name"(operands)[successors] <{properties}> (regions) {attributes} : type.
func (p *parser) genericOp(f *opFrame) {
	pos := p.Pos()
	p.start(f, p.genericDef(p.Quoted(), pos))
	p.Expect("(")
	f.refs = p.operandRefs(f.refs)
	p.Expect(")")
	if p.Is("[") {
		p.CommaList("[", "]", func() { f.st.Succs = append(f.st.Succs, p.Successor()) })
	}
	if p.Opt("<") {
		f.st.Attrs = p.dict(f.st.Attrs)
		p.Expect(">")
	}
	if p.Is("(") {
		p.CommaList("(", ")", func() { p.Region(f.st.AddRegion(), nil) })
	}
	if p.Is("{") {
		f.st.Attrs = p.dict(f.st.Attrs)
	}
	p.Expect(":")
	typePos := p.Pos()
	f.ins, f.outs = p.signature(f.ins, f.outs)
	if len(f.ins) != len(f.refs) {
		p.errorAt(typePos, "expected %d operand type%s but had %d", len(f.refs), plural(len(f.refs)), len(f.ins))
	}
	for i, ref := range f.refs {
		f.st.Operands = append(f.st.Operands, p.Resolve(ref, f.ins[i]))
	}
	f.st.Types = f.outs
	p.trailingLoc(f)
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// start prepares the state of an operation of the given row.
func (p *parser) start(f *opFrame, def *ir.OpDef) {
	if p.worker && p.nested == 1 && !def.Traits.Has(ir.IsolatedFromAbove) {
		panic(bailout{}) // its regions would go into the arena around it
	}
	p.builder.Reuse(&f.st, def)
	f.st.Types = f.outs
	p.def = def
}

// customOp reads the name of an operation and what its dialect defines to follow.
func (p *parser) customOp(f *opFrame) {
	pos := p.Pos()
	r := p.customRow()
	def := r.def
	p.start(f, def)
	if def.Dialect != nil && def.Dialect.ShortTypes {
		p.short = def.Dialect
	}
	p.Next()
	p.hook = def
	if r.format != nil {
		p.parseFormat(f, r.format)
	} else {
		def.Parse(p, &f.st)
	}
	p.hook = nil
	if name := f.st.Twice(); name != "" {
		p.errorAt(pos, "attribute '%s' occurs more than once in the attribute list", name)
	}
	if len(f.st.Types) == 0 && len(def.Results) > 0 && def.InferTypes != nil {
		types, err := def.InferTypes(&f.st)
		if err != nil {
			p.failErr(pos, err)
		}
		f.st.Types = types
	}
	p.trailingLoc(f)
}

func (p *parser) failErr(pos ir.Pos, err error) {
	var d *ir.Diagnostic
	p.errorIs(pos)
	if errors.As(err, &d) && d.Loc != nil {
		p.fail(d)
	}
	p.errorAt(pos, "%s", err.Error())
}

// Operand implements ir.AsmParser.
func (p *parser) Operand() ir.OperandRef {
	o, ok := p.OptOperand()
	if !ok {
		p.errorf("expected SSA operand")
	}
	return o
}

// OptOperand implements ir.AsmParser.
func (p *parser) OptOperand() (ir.OperandRef, bool) {
	if p.Tok.Kind != lexer.Percent {
		return ir.OperandRef{}, false
	}
	o := ir.OperandRef{Pos: p.Pos(), Name: p.Text()[1:]}
	p.Next()
	if p.Tok.Kind == lexer.Hash && p.Tok.Pos == p.Last && lexer.IsClass(p.Src[p.Tok.Pos+1], lexer.ClassDigit) {
		o.Number = resultNumber(p.Text()[1:], len(p.Src))
		if o.Number < 0 {
			p.errorf("invalid SSA value result number")
		}
		p.Next()
	}
	return o, true
}

// Operands implements ir.AsmParser.
func (p *parser) Operands() []ir.OperandRef { return p.operandRefs(nil) }

func (p *parser) operandRefs(refs []ir.OperandRef) []ir.OperandRef {
	for p.Tok.Kind == lexer.Percent {
		o, _ := p.OptOperand()
		refs = append(refs, o)
		if !p.Is(",") {
			break
		}
		p.Next()
		if p.Tok.Kind != lexer.Percent {
			p.errorf("expected SSA operand")
		}
	}
	return refs
}
