package printer

import (
	"io"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/lexer"
	"github.com/tilewright/tilewright/ir/asm/naming"
	"github.com/tilewright/tilewright/ir/asm/resource"
)

// Options say how to print.
type Options struct {
	// Generic prints every operation in the generic syntax.
	Generic bool
	// DebugInfo prints locations, and the aliases that they need after the operations. PrettyDebugInfo prints them
	// for human readers, in a form that does not parse.
	DebugInfo       bool
	PrettyDebugInfo bool
	// LocalScope makes the text of an operation independent of what stands around it: no aliases, and names numbered
	// from the operation.
	LocalScope bool
	// ElideLargeElements, when positive, replaces dense constants with more elements by a placeholder that does not
	// parse.
	ElideLargeElements int
	// Listing prints what the reference disassembler prints, also where that reads back as another operation.
	Listing bool
	// ImplicitModule leaves out the outermost operation and prints what is in its body.
	ImplicitModule bool
	// Comment, when set, is called after the text of each operation, at the end of its last line, and may print a
	// comment. Isolated operations call it in parallel.
	Comment func(p ir.AsmPrinter, op ir.Op)
	// Resources are printed as the file's metadata.
	Resources []resource.Group
}

// printer implements ir.AsmPrinter.
type printer struct {
	buf    []byte
	ctx    *ir.Context
	opts   Options
	indent int

	short    *ir.Dialect // as for the parser
	defaults *ir.Dialect
	def      *ir.OpDef

	names   *naming.Names // of the arena that is being printed
	inner   *naming.Names // of the arena inside it that was asked for last
	aliases *aliasTable   // nil: none
	visit   *aliasVisit   // set while aliases are collected, when text is thrown away

	rows    []*printRow // by row number
	types   *typeMemo   // nil: none is kept
	entries []ir.NamedAttr

	out *stream // nil: all text stays in buf
	cut int     // bytes that went from buf to out
}

// Print writes the text of an operation. Isolated operations in it are printed in parallel.
func Print(w io.Writer, op ir.Op, opts Options) error {
	p := &printer{ctx: op.Context(), opts: opts, types: new(typeMemo), out: &stream{w: w}}
	defer p.out.stop()
	p.top(op)
	p.cutText()
	return p.out.finish()
}

// String returns the text of an operation without locations, as diagnostics and tests show it.
func String(op ir.Op) string {
	p := &printer{ctx: op.Context(), opts: Options{LocalScope: true}, types: new(typeMemo)}
	p.top(op)
	return strings.TrimSuffix(string(p.buf), "\n")
}

// TypeString returns the text of a type.
func TypeString(t ir.Type) string {
	p := printer{}
	p.Type(t)
	return string(p.buf)
}

// AttrString returns the text of an attribute.
func AttrString(a ir.Attribute) string {
	p := printer{}
	p.Attr(a)
	return string(p.buf)
}

// top prints an operation with everything around it.
func (p *printer) top(op ir.Op) {
	var late []alias
	if !p.opts.LocalScope {
		late = p.collectAliases(op)
	}
	p.names = naming.Around(op, !p.opts.Generic)
	if p.opts.ImplicitModule {
		p.moduleBody(op)
	} else {
		if d := p.ctx.Dialect("builtin"); d != nil {
			p.defaults = d
		}
		p.op(op)
		p.Str("\n")
	}
	p.printAliases(late)
	p.resources(p.opts.Resources)
}

// moduleBody prints the operations in the body of an operation as if they stood at the top.
func (p *printer) moduleBody(op ir.Op) {
	if op.NumRegions() == 0 {
		return
	}
	if op.Dialect().OpensNamespace() {
		p.defaults = op.Dialect()
	}
	if op.Region(0).Arena() != p.names.Arena {
		p.names = p.innerNames(op)
	}
	p.names.Busy++
	for b := range op.Region(0).Blocks() {
		p.pieces(b, ir.Op{}, true)
	}
	if hasNoOps(op) {
		p.Str("\n")
	}
}

// hasNoOps reports whether the body of a module is empty; the text of such a one is an empty line, and the module's
// own location.
func hasNoOps(module ir.Op) bool {
	for r := range module.NumRegions() {
		for b := range module.Region(r).Blocks() {
			for range b.Ops() {
				return false
			}
		}
	}
	return true
}

// Context implements ir.AsmPrinter.
func (p *printer) Context() *ir.Context { return p.ctx }

// Str implements ir.AsmPrinter.
func (p *printer) Str(s string) { p.buf = append(p.buf, s...) }

// Int implements ir.AsmPrinter.
func (p *printer) Int(v int64) { p.buf = strconv.AppendInt(p.buf, v, 10) }

// Quoted implements ir.AsmPrinter.
func (p *printer) Quoted(s string) {
	const digits = "0123456789ABCDEF"
	p.buf = append(p.buf, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\':
			p.buf = append(p.buf, '\\', '\\')
		case c < ' ' || c > '~' || c == '"':
			p.buf = append(p.buf, '\\', digits[c>>4], digits[c&15])
		default:
			p.buf = append(p.buf, c)
		}
	}
	p.buf = append(p.buf, '"')
}

// Newline implements ir.AsmPrinter.
func (p *printer) Newline() {
	p.buf = append(p.buf, '\n')
	for range p.indent {
		p.buf = append(p.buf, ' ', ' ')
	}
}

// Indent implements ir.AsmPrinter.
func (p *printer) Indent(by int) { p.indent += by }

// keywordOrString prints a name bare if it can be.
func (p *printer) keywordOrString(s string) {
	if lexer.IsBare(s) {
		p.Str(s)
	} else {
		p.Quoted(s)
	}
}

// Symbol implements ir.AsmPrinter.
func (p *printer) Symbol(name string) {
	p.buf = append(p.buf, '@')
	p.keywordOrString(name)
}
