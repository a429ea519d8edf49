package parser

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/lexer"
	"github.com/tilewright/tilewright/ir/asm/resource"
	"github.com/tilewright/tilewright/ir/asm/symbols"
)

// Options say how to read a file.
type Options struct {
	// ImplicitModule is the definition of the operation that wraps the file's operations unless the file is exactly
	// one such operation; nil: the file must be exactly one operation.
	ImplicitModule *ir.OpDef
	// ImplicitAttrs are the attributes that a wrapping operation gets.
	ImplicitAttrs []ir.NamedAttr
	// TopDialects are the dialects whose prefix the outermost operations may leave out, in order of preference. Nil:
	// that of ImplicitModule.
	TopDialects []*ir.Dialect
	// LineOffset is added to line numbers: how many lines stand before the text in its file (see Split). Whole is the
	// text of that file, which diagnostics quote; nil: the text itself.
	LineOffset int
	Whole      []byte
	// Workers is how many goroutines may read at once; 0: as many as there are processors, where the text is long
	// enough.
	Workers int
	// Explain, when set, returns a note about an operation of which nothing is known, by its name as written; "" for
	// none.
	Explain func(name string) string
	// Nearest, when set, returns the end of an error about a name that is not known, which names those that are like
	// it: " (did you mean 'addf'?)", or "".
	Nearest func(name string, known []string) string
	// Resources, when set, receives the file's metadata {-# ... #-}.
	Resources *[]resource.Group

	recovery *recovery // nil: the parser gives up at the first error
}

// An Error says that a text was rejected; the reason went to the context's diagnostics as well.
type Error struct{ Diagnostic *ir.Diagnostic }

// Error returns the diagnostic in one line.
func (e *Error) Error() string { return e.Diagnostic.Error() }

// Unwrap makes the diagnostic available to errors.As.
func (e *Error) Unwrap() error { return e.Diagnostic }

// bailout unwinds the parser to its entry point after an error was reported.
type bailout struct{}

// parser implements ir.AsmParser.
type parser struct {
	lexer.Lexer
	ctx    *ir.Context
	source *ir.Text
	opts   Options
	err    *ir.Diagnostic

	depth int
	// wanted are the keywords that might have stood where the token at wantedAt is, for errors about that token.
	wanted   []string
	wantedAt int
	// short is the dialect whose types may be spelled without prefix here; nil: none.
	short *ir.Dialect
	// defaults are the dialects whose operations may be written without prefix here.
	defaults   *namespace
	namespaces map[*ir.Dialect]*namespace // by the one dialect in them; nil: none
	generic    map[string]*ir.OpDef       // definitions by full name
	def        *ir.OpDef                  // the operation whose custom syntax or regions are being parsed
	// hook is the operation whose custom syntax is being parsed; nil within a type or attribute of a dialect.
	hook *ir.OpDef

	attrAliases map[string]attrAlias
	typeAliases map[string]typeAlias
	peak        int // the deepest nesting since an alias definition began, counting that of the aliases used
	expanded    int // bytes of the aliases used, written out
	lateLocs    []lateLoc
	ints        [65]ir.Type
	keywords    map[string]ir.Type
	dialectType map[string]typeAlias // types by their spelling
	recent      [8]recentType
	oldest      int // of recent, which is overwritten next

	arena   *ir.Arena
	syms    *symbols.Table
	near    int // undeclared names that were compared with others
	spare   []*symbols.Table
	scopes  []scope
	builder *ir.Builder
	states  []*opFrame
	nested  int // operations being parsed

	worker  bool   // reads ahead for another parser
	ahead   *ahead // what is being read ahead for this one
	scanned int    // bytes of text that were scanned for it
	adopted int    // operations that others read
	wasted  int    // guesses that were of no use
	roomFor int    // operations for which the next arena needs room, by estimate
	fwdDef  *ir.OpDef
}

const byteOrderMark = "\xef\xbb\xbf"

func newParser(ctx *ir.Context, source *ir.Text, opts Options) *parser {
	p := &parser{
		Lexer: lexer.Lexer{Src: source.Text()}, ctx: ctx, source: source, opts: opts,
		attrAliases: make(map[string]attrAlias), typeAliases: make(map[string]typeAlias),
		dialectType: make(map[string]typeAlias),
		syms:        symbols.New(),
	}
	p.keywords = builtinTypes(ctx)
	if strings.HasPrefix(p.Src, byteOrderMark) { // which editors of Windows write
		p.After = len(byteOrderMark)
	}
	p.Next()
	return p
}

// run calls body and turns an unwound error into a result.
func (p *parser) run(body func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(bailout); !ok {
				panic(r)
			}
			err = &Error{p.err}
		}
	}()
	body()
	return nil
}

// Parse reads the operations of a file. The result is a detached operation in an arena of its own. Errors are
// reported as diagnostics of ctx; the error that is returned repeats the first. The context keeps src, which must not
// be changed afterwards.
func Parse(ctx *ir.Context, file string, src []byte, opts Options) (ir.Op, error) {
	whole := src
	if opts.Whole != nil {
		whole = opts.Whole
	}
	ctx.Diag.AddSource(file, whole)
	if len(src) > MaxSource {
		d := ir.Errorf(ctx.FileLoc(file, 0, 0), "text is too large: %d bytes, at most %d", len(src), MaxSource)
		ctx.Diag.Emit(d)
		return ir.Op{}, &Error{d}
	}
	text := unsafe.String(unsafe.SliceData(src), len(src))
	p := newParser(ctx, ctx.AddText(file, text, uint32(opts.LineOffset)+1), opts)
	var op ir.Op
	err := p.run(func() { op = p.parseFile() })
	p.stopAhead()
	return op, err
}

// MaxSource is the most bytes of one text: positions are kept in 32 bits, and locations are numbered in 25.
const MaxSource = 1 << 28

// ParseType reads a type that stands alone.
func ParseType(ctx *ir.Context, text string) (ir.Type, error) {
	p := newParser(ctx, ctx.NewText("<type>", text, 1), Options{})
	var t ir.Type
	err := p.run(func() { t = p.Type(); p.end() })
	return t, err
}

// ParseAttr reads an attribute that stands alone; t, which may be nil, is the type that a number without one has.
func ParseAttr(ctx *ir.Context, text string, t ir.Type) (ir.Attribute, error) {
	p := newParser(ctx, ctx.NewText("<attribute>", text, 1), Options{})
	var a ir.Attribute
	err := p.run(func() { a = p.Attr(t); p.end() })
	return a, err
}

func (p *parser) end() {
	if p.Tok.Kind != lexer.EOF {
		p.errorf("expected end of text, but got '%s'", p.Text())
	}
}

// parseFile reads aliases, operations and metadata to the end of the text.
func (p *parser) parseFile() ir.Op {
	outer := ir.NewBuilder(p.ctx.NewArena())
	var st *ir.OpState
	var body ir.Block
	inner := outer
	p.defaults = newNamespace(p.opts.TopDialects...)
	if def := p.opts.ImplicitModule; def != nil {
		if p.opts.TopDialects == nil && def.Dialect != nil {
			p.defaults = newNamespace(def.Dialect)
		}
		st = outer.NewState(def, nil)
		st.SetTextLoc(p.source, 0)
		st.Attrs = append(st.Attrs, p.opts.ImplicitAttrs...)
		body = st.AddRegion().AddBlock()
		inner = ir.NewBuilder(body.Arena())
	}
	p.arena, p.builder = inner.Arena(), inner
	p.pushScope(ir.Region{})
	ops := p.topLevel()
	p.popScope(true)
	p.resolveLateLocs()
	if st == nil || len(ops) == 1 && ops[0].Is(st.Def) {
		if len(ops) != 1 {
			p.errorAt(0, "source must contain a single top-level operation, found: %d", len(ops))
		}
		return ops[0]
	}
	for _, op := range ops {
		op.MoveToEnd(body)
	}
	return outer.Insert(st)
}

func (p *parser) topLevel() (ops []ir.Op) {
	var h *ahead
	started := false // to read ahead
	for {
		if p.Tok.Kind == lexer.Hash || p.Tok.Kind == lexer.Bang {
			p.stopAhead() // what reads ahead must not see the aliases change
			h, started = nil, false
		}
		switch {
		case p.Tok.Kind == lexer.EOF:
			return ops
		case p.Tok.Kind == lexer.Hash:
			p.aliasOrSkip(p.defineAttrAlias)
		case p.Tok.Kind == lexer.Bang:
			p.aliasOrSkip(p.defineTypeAlias)
		case p.Is("{-#"):
			p.metadata()
		default:
			if !started {
				h, started = p.readAhead(true), true
			}
			op, ok := h.adopt(p)
			if !ok {
				op = p.opOrSkip(true)
			}
			if !op.IsNil() {
				ops = append(ops, op)
			}
		}
	}
}

// fail reports a diagnostic and unwinds.
func (p *parser) fail(d *ir.Diagnostic) {
	switch r := p.opts.recovery; {
	case r != nil:
		p.err = d
		r.emit(p, d)
	case !p.worker: // whose errors the main parser meets as well
		p.err = d
		p.ctx.Diag.Emit(d)
	}
	panic(bailout{})
}

// errorAt reports an error of the parser itself.
func (p *parser) errorAt(pos ir.Pos, format string, args ...any) {
	p.errorIs(pos)
	p.fail(ir.Errorf(p.LocAt(pos), format, args...))
}

// errorIs notes where the error is that is reported next.
func (p *parser) errorIs(pos ir.Pos) {
	if r := p.opts.recovery; r != nil {
		r.pos = int(pos)
	}
}

// errorf reports an error at the token in lookahead.
func (p *parser) errorf(format string, args ...any) {
	if p.Tok.Kind == lexer.Error {
		p.errorAt(p.Pos(), "%s", p.Wrong)
	}
	p.errorAt(p.Pos(), format, args...)
}

// ErrorAt implements ir.AsmParser. What the custom syntax of an operation rejects is reported with the name of the
// operation.
func (p *parser) ErrorAt(pos ir.Pos, format string, args ...any) {
	p.errorAt(pos, "%s", p.inHook(fmt.Sprintf(format, args...)))
}

// Also implements ir.AsmParser.
func (p *parser) Also(pos ir.Pos, format string, args ...any) {
	if !p.worker {
		p.ctx.Diag.Emit(ir.Errorf(p.LocAt(pos), "%s", p.inHook(fmt.Sprintf(format, args...))))
	}
}

func (p *parser) inHook(msg string) string {
	if p.hook != nil {
		return "custom op '" + p.hook.FullName() + "' " + msg
	}
	return msg
}

// Errorf implements ir.AsmParser.
func (p *parser) Errorf(format string, args ...any) {
	if p.Tok.Kind == lexer.Error {
		p.errorf("")
	}
	p.ErrorAt(p.Pos(), format, args...)
}

// errorNote reports an error with a note that points elsewhere.
func (p *parser) errorNote(pos ir.Pos, msg string, notePos ir.Pos, note string) {
	p.errorIs(pos)
	p.fail(ir.Errorf(p.LocAt(pos), "%s", msg).Note(p.LocAt(notePos), "%s", note))
}

// LocAt implements ir.AsmParser.
func (p *parser) LocAt(pos ir.Pos) ir.Location {
	return p.source.Loc(int(pos))
}

// enter and leave bracket everything that nests.
func (p *parser) enter() {
	p.depth++
	p.reach(p.depth)
}

func (p *parser) leave() { p.depth-- }

// reach notes that something nests to the given depth.
func (p *parser) reach(depth int) {
	if depth > lexer.MaxDepth {
		p.errorf("nesting is deeper than %d levels", lexer.MaxDepth)
	}
	p.peak = max(p.peak, depth)
}

func quoteName(name string) string { return fmt.Sprintf("'%%%s'", name) }
