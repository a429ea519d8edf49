package cudatile

import (
	"strconv"

	"github.com/tilewright/tilewright/ir"
)

// DIFileAttr is a source file.
type DIFileAttr struct {
	ir.AttrBase
	Name, Directory string
}

// DICompileUnitAttr is a compilation unit, the root of scopes.
type DICompileUnitAttr struct {
	ir.AttrBase
	File *DIFileAttr
}

// A DIScope is a scope that a location can be in: a function or a block of one.
type DIScope interface {
	ir.Attribute
	// Subprogram returns the function around the scope, or the scope itself; nil when the chain does not end in one.
	Subprogram() *DISubprogramAttr
}

// DISubprogramAttr is a function of the source program.
type DISubprogramAttr struct {
	ir.AttrBase
	File        *DIFileAttr
	Line        uint32
	Name        string
	LinkageName string
	CompileUnit *DICompileUnitAttr
	ScopeLine   uint32 // 0: not given
	Declaration bool   // and no definition; since 13.5
}

// DILexicalBlockAttr is a block of a function.
type DILexicalBlockAttr struct {
	ir.AttrBase
	Scope  DIScope
	File   *DIFileAttr
	Line   uint32
	Column uint32 // 0: not given
}

// DILocAttr is a position in a source file, in a scope.
type DILocAttr struct {
	ir.LocBase
	Source *ir.FileLoc
	Scope  DIScope
}

type (
	diFileKey       struct{ name, dir string }
	diCompileKey    struct{ file *DIFileAttr }
	diSubprogramKey struct {
		file          *DIFileAttr
		line          uint32
		name, linkage string
		cu            *DICompileUnitAttr
		scopeLine     uint32
		declaration   bool
	}
	diBlockKey struct {
		scope     DIScope
		file      *DIFileAttr
		line, col uint32
	}
	diLocKey struct {
		source *ir.FileLoc
		scope  DIScope
	}
)

// DIFile returns the attribute for a source file.
func DIFile(c *ir.Context, name, directory string) *DIFileAttr {
	return ir.UniqueAttr(c, Bare, diFileKey{name, directory}, func() *DIFileAttr { return &DIFileAttr{Name: name, Directory: directory} })
}

// DICompileUnit returns the attribute for a compilation unit.
func DICompileUnit(c *ir.Context, file *DIFileAttr) *DICompileUnitAttr {
	return ir.UniqueAttr(c, Bare, diCompileKey{file}, func() *DICompileUnitAttr { return &DICompileUnitAttr{File: file} })
}

// DISubprogram returns the attribute for a function; its fields are those of s.
func DISubprogram(c *ir.Context, s DISubprogramAttr) *DISubprogramAttr {
	key := diSubprogramKey{s.File, s.Line, s.Name, s.LinkageName, s.CompileUnit, s.ScopeLine, s.Declaration}
	return ir.UniqueAttr(c, Bare, key, func() *DISubprogramAttr {
		return &DISubprogramAttr{File: s.File, Line: s.Line, Name: s.Name, LinkageName: s.LinkageName,
			CompileUnit: s.CompileUnit, ScopeLine: s.ScopeLine, Declaration: s.Declaration}
	})
}

// DILexicalBlock returns the attribute for a block of a function.
func DILexicalBlock(c *ir.Context, scope DIScope, file *DIFileAttr, line, column uint32) *DILexicalBlockAttr {
	return ir.UniqueAttr(c, Bare, diBlockKey{scope, file, line, column}, func() *DILexicalBlockAttr {
		return &DILexicalBlockAttr{Scope: scope, File: file, Line: line, Column: column}
	})
}

// DILoc returns the location of a source position in a scope.
func DILoc(c *ir.Context, source *ir.FileLoc, scope DIScope) *DILocAttr {
	return ir.UniqueAttr(c, Bare, diLocKey{source, scope}, func() *DILocAttr { return &DILocAttr{Source: source, Scope: scope} })
}

// SourceLoc implements ir.SourceLocated.
func (l *DILocAttr) SourceLoc() *ir.FileLoc { return l.Source }

// SourceFunction implements ir.FunctionLocated.
func (l *DILocAttr) SourceFunction() string {
	if l.Scope == nil {
		return ""
	}
	if f := l.Scope.Subprogram(); f != nil {
		return f.Name
	}
	return ""
}

// Subprogram implements DIScope.
func (a *DISubprogramAttr) Subprogram() *DISubprogramAttr { return a }

// Subprogram implements DIScope.
func (a *DILexicalBlockAttr) Subprogram() *DISubprogramAttr {
	for s := a.Scope; ; {
		block, ok := s.(*DILexicalBlockAttr)
		if !ok {
			sub, _ := s.(*DISubprogramAttr)
			return sub
		}
		s = block.Scope
	}
}

// PrintAttr implements ir.Attribute.
func (a *DIFileAttr) PrintAttr(p ir.AsmPrinter) {
	p.Str("di_file<")
	p.Quoted(a.Name)
	p.Str(" in ")
	p.Quoted(a.Directory)
	p.Str(">")
}

// PrintAttr implements ir.Attribute.
func (a *DICompileUnitAttr) PrintAttr(p ir.AsmPrinter) {
	p.Str("di_compile_unit<file = ")
	p.Attr(a.File)
	p.Str(">")
}

func printUint(p ir.AsmPrinter, before string, v uint32) {
	p.Str(before + strconv.FormatUint(uint64(v), 10))
}

// PrintAttr implements ir.Attribute.
func (a *DISubprogramAttr) PrintAttr(p ir.AsmPrinter) {
	p.Str("di_subprogram<file = ")
	p.Attr(a.File)
	printUint(p, ", line = ", a.Line)
	p.Str(", name = ")
	p.Quoted(a.Name)
	p.Str(", linkageName = ")
	p.Quoted(a.LinkageName)
	p.Str(", compileUnit = ")
	p.Attr(a.CompileUnit)
	if a.ScopeLine != 0 {
		printUint(p, ", scopeLine = ", a.ScopeLine)
	}
	if a.Declaration {
		p.Str(", flags = declaration")
	}
	p.Str(">")
}

// PrintAttr implements ir.Attribute.
func (a *DILexicalBlockAttr) PrintAttr(p ir.AsmPrinter) {
	p.Str("di_lexical_block<scope = ")
	p.Attr(a.Scope)
	p.Str(", file = ")
	p.Attr(a.File)
	printUint(p, ", line = ", a.Line)
	if a.Column != 0 {
		printUint(p, ", column = ", a.Column)
	}
	p.Str(">")
}

// PrintAttr implements ir.Attribute.
func (l *DILocAttr) PrintAttr(p ir.AsmPrinter) {
	p.Str("di_loc<")
	p.Attr(l.Source)
	p.Str(" in ")
	p.Attr(l.Scope)
	p.Str(">")
}

// attrAlias names the attributes that the printer gives an alias of their own.
func attrAlias(a ir.Attribute) string {
	switch a.(type) {
	case *DIFileAttr:
		return "di_file"
	case *DICompileUnitAttr:
		return "di_compile_unit"
	case *DISubprogramAttr:
		return "di_subprogram"
	case *DILexicalBlockAttr:
		return "di_lexical_block"
	case *DILocAttr:
		return "loc"
	}
	return ""
}

// parseDebugAttr parses a debug attribute; ok is false when the mnemonic is none's.
func parseDebugAttr(p ir.AsmParser, mnemonic string) (a ir.Attribute, ok bool) {
	switch mnemonic {
	case "di_file":
		p.Expect("<")
		name := p.Quoted()
		p.ExpectKeyword("in")
		dir := p.Quoted()
		p.Expect(">")
		if !p.Failed() {
			a = DIFile(p.Context(), name, dir)
		}
	case "di_compile_unit":
		if f := parseFields(p, mnemonic); !p.Failed() {
			file := field[*DIFileAttr](f, "file")
			if !f.failed() {
				a = DICompileUnit(p.Context(), file)
			}
		}
	case "di_subprogram":
		if f := parseFields(p, mnemonic); !p.Failed() {
			s := DISubprogramAttr{File: field[*DIFileAttr](f, "file"), Line: f.uint("line", true), Name: f.str("name"),
				LinkageName: f.str("linkageName"), CompileUnit: field[*DICompileUnitAttr](f, "compileUnit"),
				ScopeLine: f.uint("scopeLine", false), Declaration: f.flag("flags", "declaration")}
			if !f.failed() {
				a = DISubprogram(p.Context(), s)
			}
		}
	case "di_lexical_block":
		if f := parseFields(p, mnemonic); !p.Failed() {
			scope, file := field[DIScope](f, "scope"), field[*DIFileAttr](f, "file")
			line, col := f.uint("line", true), f.uint("column", false)
			if !f.failed() {
				a = DILexicalBlock(p.Context(), scope, file, line, col)
			}
		}
	case "di_loc":
		a = parseDILoc(p)
	default:
		return nil, false
	}
	if p.Failed() {
		return nil, true
	}
	return a, true
}

func parseDILoc(p ir.AsmParser) ir.Attribute {
	p.Expect("<")
	pos := p.Pos()
	var source ir.Attribute
	if p.PeekKeyword() == "loc" {
		source = p.Location()
	} else {
		source = p.Attr(nil)
	}
	file, ok := source.(*ir.FileLoc)
	if !p.Failed() && !ok {
		p.ErrorAt(pos, "expected a file:line:column location")
	}
	p.ExpectKeyword("in")
	pos = p.Pos()
	scope, ok := p.Attr(nil).(DIScope)
	if !p.Failed() && !ok {
		p.ErrorAt(pos, "expected a di_subprogram or di_lexical_block")
	}
	p.Expect(">")
	if p.Failed() {
		return nil
	}
	return DILoc(p.Context(), file, scope)
}

// diFields holds the "name = value" pairs of a debug attribute, in any order.
type diFields struct {
	p        ir.AsmParser
	mnemonic string
	pos      ir.Pos
	values   map[string]ir.Attribute
}

func parseFields(p ir.AsmParser, mnemonic string) *diFields {
	f := &diFields{p: p, mnemonic: mnemonic, pos: p.Pos(), values: make(map[string]ir.Attribute)}
	p.CommaList("<", ">", func() {
		pos := p.Pos()
		name := p.Keyword()
		p.Expect("=")
		var v ir.Attribute
		if name == "flags" {
			v = p.Context().String(p.Keyword())
		} else {
			v = p.Attr(p.Context().Int(64))
		}
		if p.Failed() {
			return
		}
		if f.values[name] != nil {
			p.ErrorAt(pos, "duplicate or unknown struct parameter name: %s", name)
		}
		f.values[name] = v
	})
	if !p.Failed() && len(f.values) == 0 {
		p.ErrorAt(f.pos, "expected a parameter name in struct")
	}
	return f
}

func (f *diFields) take(name string, required bool) ir.Attribute {
	v := f.values[name]
	if v == nil && required {
		f.missing(name)
	}
	delete(f.values, name)
	return v
}

// missing reports that a field is not there.
func (f *diFields) missing(name string) {
	f.p.ErrorAt(f.pos, "struct is missing required parameter: %s", name)
}

func (f *diFields) bad(name, want string) {
	f.p.ErrorAt(f.pos, "field '%s' of %s must be %s", name, f.mnemonic, want)
}

func (f *diFields) uint(name string, required bool) uint32 {
	v := f.take(name, required)
	if v == nil {
		return 0
	}
	i, ok := v.(*ir.IntegerAttr)
	if !ok || i.Value < 0 || i.Value > 1<<32-1 {
		f.bad(name, "an unsigned 32-bit integer")
		return 0
	}
	return uint32(i.Value)
}

func (f *diFields) str(name string) string {
	v := f.take(name, true)
	s, ok := v.(*ir.StringAttr)
	if v != nil && !ok {
		f.bad(name, "a string")
	}
	if !ok {
		return ""
	}
	return s.Value
}

// flag reports whether an optional field of keywords, of which there is one, is there.
func (f *diFields) flag(name, keyword string) bool {
	s, ok := f.take(name, false).(*ir.StringAttr)
	if ok && s.Value != keyword {
		f.bad(name, "'"+keyword+"'")
	}
	return ok
}

// failed reports whether a field was missing, ill-typed or left over.
func (f *diFields) failed() bool {
	for name := range f.values {
		f.p.ErrorAt(f.pos, "duplicate or unknown struct parameter name: %s", name)
		break
	}
	return f.p.Failed()
}

func field[A ir.Attribute](f *diFields, name string) A {
	v := f.take(name, true)
	a, ok := v.(A)
	if v != nil && !ok {
		f.bad(name, "another debug attribute")
	}
	return a
}
