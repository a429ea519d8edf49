package parser

import (
	"context"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/index"
	"github.com/tilewright/tilewright/ir/asm/lexer"
	"github.com/tilewright/tilewright/ir/asm/symbols"
)

// A parser that recovers reads on after an operation with an error, from the next thing that looks like the beginning
// of one. It binds the names of the results to values of any type, so that one mistake is reported once.
// It is for texts that are being written; the operations that it returns are for looking at, not for passes, unless
// there was no error.

// maxErrors is how many errors are reported of a text.
const maxErrors = 100

// recovery is the state of a parser that recovers.
type recovery struct {
	ctx    context.Context
	index  *index.Builder
	errors int
	first  *ir.Diagnostic
	pos    int // of the error that is being reported
	last   int // offset of the error that was reported last; -1 for none
}

// cancelled unwinds a parser whose text is of no interest any more.
type cancelled struct{}

// ParseIndexed reads a text as Parse does, but goes on after errors, up to a number of them, and says what stands
// where. The index is never nil; the operation is, when the entire file makes no sense. It stops with the
// context's error when that is done.
func ParseIndexed(ctx context.Context, c *ir.Context, file string, src []byte, opts Options) (op ir.Op, x *index.Index, err error) {
	opts.Workers = 1 // others could not tell what an error left
	names := index.NewBuilder()
	opts.recovery = &recovery{ctx: ctx, index: names, last: -1, pos: -1}
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(cancelled); !ok {
				panic(r)
			}
			op, err = ir.Op{}, ctx.Err()
		}
		x = names.Finish()
	}()
	op, err = Parse(c, file, src, opts)
	if first := opts.recovery.first; err == nil && first != nil {
		err = &Error{first}
	}
	return op, x, err
}

// checkpoint is the part of a parser's state that an operation with an error may leave changed.
type checkpoint struct {
	parser        parser // by value: only the fields below are taken from it
	bound, scopes int
}

// opOrSkip reads an operation; of one with an error it returns nil, and the parser stands after it.
func (p *parser) opOrSkip(top bool) (op ir.Op) {
	r := p.opts.recovery
	if r == nil {
		return p.parseOp()
	}
	if r.ctx.Err() != nil {
		panic(cancelled{})
	}
	start, at := p.Tok.Pos, p.mark()
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		if _, ok := v.(bailout); !ok || r.errors >= maxErrors {
			panic(v)
		}
		var names []resultName
		if at.parser.nested < len(p.states) {
			names = slices.Clone(p.states[at.parser.nested].results)
		}
		p.reset(at)
		p.skip(start, top)
		for _, name := range names {
			p.syms.Bind(name.name, symbols.Binding{First: 0, N: int32(name.n), Pos: int32(name.pos)})
			r.index.Define(name.name, name.pos, index.ValueDef{N: name.n})
			p.forgive(name.name, int(name.pos))
		}
		op = ir.Op{}
	}()
	return p.parseOp()
}

func (p *parser) mark() checkpoint {
	return checkpoint{parser: *p, bound: p.syms.Len(), scopes: len(p.scopes)}
}

func (p *parser) reset(at checkpoint) {
	was := &at.parser
	p.depth, p.short, p.defaults, p.def, p.hook = was.depth, was.short, was.defaults, was.def, was.hook
	p.arena, p.syms, p.builder, p.nested = was.arena, was.syms, was.builder, was.nested
	p.err = nil // hooks stop when Failed says so
	p.scopes = p.scopes[:at.scopes]
	p.syms.Forget(at.bound)
}

// forgive settles earlier uses of a name that an operation with an error was to define.
func (p *parser) forgive(name string, pos int) {
	for key, ref := range p.top().forward {
		if key.name == name {
			p.opts.recovery.index.Settle(ref.uses, pos)
			delete(p.top().forward, key)
		}
	}
}

// skip goes from the start of an operation with an error to the next operation, label, definition of an alias or
// closing brace.
//
// It reads the operation's text again, to know which braces are open where the error was found. While a text is
// written there often is one that nobody closes; then what looks like an operation counts even inside of it.
func (p *parser) skip(start int, top bool) {
	from := max(start+1, 1+strings.LastIndexByte(p.Src[:p.Tok.Pos], '\n'))
	l := lexer.Lexer{Src: p.Src, After: start}
	depth, inside := 0, -1
	for l.Next(); l.Tok.Kind != lexer.EOF; l.Next() {
		switch {
		case l.Is("{"):
			depth++
			continue
		case l.Is("}") && depth > 0:
			depth--
			continue
		case l.Tok.Pos < from:
			continue
		case l.Is("}") && !top:
			p.Resume(l.Tok.Pos)
			return
		}
		if !p.mayBegin(&l, top) {
			continue
		}
		if depth == 0 {
			p.Resume(l.Tok.Pos)
			return
		}
		if inside < 0 {
			inside = l.Tok.Pos
		}
	}
	if inside < 0 {
		inside = len(p.Src)
	}
	p.Resume(inside)
}

// mayBegin reports whether something begins at a token, by what stands first on its line.
func (p *parser) mayBegin(l *lexer.Lexer, top bool) bool {
	line := l.Src[:l.Tok.Pos]
	if strings.Trim(line[1+strings.LastIndexByte(line, '\n'):], " \t\r") != "" {
		return false
	}
	word := l.Text()
	rest := strings.TrimLeft(l.Src[l.Tok.End:], " \t")
	switch l.Tok.Kind {
	case lexer.Percent:
		return rest != "" && strings.IndexByte("=,:", rest[0]) >= 0
	case lexer.Bare:
		return p.lookup(word) != nil
	case lexer.String:
		return strings.HasPrefix(rest, "(") && p.ctx.LookupOp(word[1:len(word)-1]) != nil
	case lexer.Caret:
		return !top && (strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "("))
	case lexer.Hash, lexer.Bang:
		return top && strings.HasPrefix(rest, "=")
	}
	return false
}

// aliasOrSkip reads the definition of an alias; one with an error is known by its name, and what uses it is not
// complained about.
func (p *parser) aliasOrSkip(define func()) {
	r := p.opts.recovery
	if r == nil {
		define()
		return
	}
	start, name, kind, at := p.Tok.Pos, p.Text()[1:], p.Tok.Kind, p.mark()
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		if _, ok := v.(bailout); !ok || r.errors >= maxErrors {
			panic(v)
		}
		p.reset(at)
		p.skip(start, true)
		if kind == lexer.Hash && p.attrAliases[name].value == nil {
			p.attrAliases[name] = attrAlias{broken: true}
		} else if kind == lexer.Bang && p.typeAliases[name].value == nil {
			p.typeAliases[name] = typeAlias{broken: true}
		}
	}()
	define()
}

// follows unwinds without a word from an error that follows from another.
func (p *parser) follows() {
	p.err = p.opts.recovery.first
	panic(bailout{})
}

// complain reports an error without unwinding, when the parser recovers.
func (p *parser) complain(pos ir.Pos, format string, args ...any) {
	r := p.opts.recovery
	if r == nil {
		p.errorAt(pos, format, args...)
	}
	r.pos = int(pos)
	d := ir.Errorf(p.LocAt(pos), format, args...)
	r.emit(p, d)
	if r.errors >= maxErrors {
		p.err = d
		panic(bailout{})
	}
}

// emit reports an error, unless there was one at the same place.
func (r *recovery) emit(p *parser, d *ir.Diagnostic) {
	pos := r.pos
	if r.pos = -1; pos < 0 {
		pos = p.Tok.Pos
	}
	if pos == r.last || r.errors >= maxErrors {
		return
	}
	r.last = pos
	r.errors++
	if r.first == nil {
		r.first = d
	}
	p.ctx.Diag.Emit(d)
}

// unknownValue stands for a value whose operation has an error.
func (p *parser) unknownValue(t ir.Type) ir.Value {
	return ir.NewBuilder(p.arena).Create(p.placeholder(), nil, []ir.Type{t}).Result(0)
}
