package parser

import (
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/format"
	"github.com/tilewright/tilewright/ir/asm/lexer"
)

// A namespace is a list of dialects whose operations may be written without prefix, and what the names of operations
// that were seen there mean.
type namespace struct {
	dialects []*ir.Dialect
	rows     map[string]*row
	recent   [32]*row // by hash of the name, of those seen last
}

// A row is the definition of an operation with its compiled format.
type row struct {
	name   string // as the text has it
	def    *ir.OpDef
	format *format.Format // nil: none
}

func newNamespace(dialects ...*ir.Dialect) *namespace {
	return &namespace{dialects: dialects, rows: make(map[string]*row)}
}

// namespaceOf returns the namespace of the dialect alone.
func (p *parser) namespaceOf(d *ir.Dialect) *namespace {
	ns := p.namespaces[d]
	if ns == nil {
		if ns = newNamespace(); d != nil {
			ns.dialects = []*ir.Dialect{d}
		}
		if p.namespaces == nil {
			p.namespaces = make(map[*ir.Dialect]*namespace)
		}
		p.namespaces[d] = ns
	}
	return ns
}

// customRow returns the row that the bare word in lookahead names.
func (p *parser) customRow() *row {
	name := p.Text()
	recent := &p.defaults.recent[(uint(name[0])+uint(name[len(name)-1])+uint(len(name)))%uint(len(p.defaults.recent))]
	if r := *recent; r != nil && r.name == name {
		return r
	}
	if r := p.defaults.rows[name]; r != nil {
		*recent = r
		return r
	}
	r := &row{name: name, def: p.customDef(name)}
	if r.def.Parse == nil {
		if r.def.Syntax == "" {
			p.errorf("op '%s' has no custom assembly form", r.def.FullName())
		}
		f, err := format.Of(r.def)
		if err != nil {
			p.errorf("%s", err.Error())
		}
		r.format = f
	}
	p.defaults.rows[name] = r
	return r
}

func (p *parser) customDef(name string) *ir.OpDef {
	if def := p.lookup(name); def != nil {
		return def
	}
	tried := ""
	if dialects := p.defaults.dialects; len(dialects) > 0 && !strings.Contains(name, ".") {
		tried = " (tried '" + dialects[0].Name + "." + name + "' as well)"
	}
	p.unknown(p.Pos(), name, "custom op '%s' is unknown%s%s", name, tried, p.nearestOp(name))
	return nil
}

// nearestOp completes an error about an operation with those that its name may stand for, without their prefix.
func (p *parser) nearestOp(name string) string {
	dialects := p.defaults.dialects
	if space, rest, ok := strings.Cut(name, "."); ok {
		dialects, name = nil, rest
		if d := p.ctx.Dialect(space); d != nil {
			dialects = []*ir.Dialect{d}
		}
	}
	var names []string
	for _, d := range dialects {
		for _, def := range d.Ops() {
			names = append(names, def.Name)
		}
	}
	return p.nearest(name, names)
}

// unknown reports an operation of which nothing is known, with the note about it.
func (p *parser) unknown(pos ir.Pos, name, format string, args ...any) {
	if p.Tok.Kind == lexer.Error {
		p.errorf("")
	}
	d := ir.Errorf(p.LocAt(pos), format, args...)
	if p.opts.Explain != nil {
		if note := p.opts.Explain(name); note != "" {
			d.Note(d.Loc, "%s", note)
		}
	}
	p.fail(d)
}

// lookup returns the definition that a bare word names here, or nil.
func (p *parser) lookup(name string) *ir.OpDef {
	if strings.Contains(name, ".") {
		return p.ctx.LookupOp(name)
	}
	for _, d := range p.defaults.dialects {
		if def := p.ctx.LookupOp(d.Name + "." + name); def != nil {
			return def
		}
	}
	return nil
}

// genericDef returns the definition of the operation of that full name.
func (p *parser) genericDef(name string, pos ir.Pos) *ir.OpDef {
	if def := p.generic[name]; def != nil {
		return def
	}
	if name == "" {
		p.errorAt(pos, "empty operation name is invalid")
	}
	if strings.IndexByte(name, 0) >= 0 {
		p.errorAt(pos, "null character not allowed in operation name")
	}
	def := p.ctx.LookupOp(name)
	if def == nil {
		def = p.unregisteredOp(name, pos)
	}
	if p.generic == nil {
		p.generic = make(map[string]*ir.OpDef)
	}
	p.generic[name] = def
	return def
}

func (p *parser) unregisteredOp(name string, pos ir.Pos) *ir.OpDef {
	ns, _, ok := strings.Cut(name, ".")
	if ok && p.ctx.Dialect(ns) != nil {
		p.errorAt(pos, "unregistered operation '%s' found in dialect ('%s') that does not allow unknown operations", name, ns)
	}
	if !p.ctx.AllowUnregistered {
		p.unknown(pos, name, "operation being parsed with an unregistered dialect. If this is intended, please use "+
			"-allow-unregistered-dialect with the MLIR tool used")
	}
	return p.ctx.UnregisteredOp(name)
}
