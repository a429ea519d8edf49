package asm

import (
	"context"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// A parser that recovers reads on behind an operation with an error, from the next thing that looks like the beginning of one, and binds the
// names of the results to values of any type, so that one mistake is reported once. It is for texts that are being written; the
// operations that it returns are for looking at, not for passes, unless there was no error.

// maxErrors is how many errors are reported of a text.
const maxErrors = 100

// recovery is the state of a parser that recovers.
type recovery struct {
	ctx    context.Context
	index  *Index
	errors int
	first  *ir.Diagnostic
	pos    int // of the error that is being reported
	last   int // offset of the error that was reported last; -1 for none
}

// cancelled unwinds a parser whose text is of no interest any more.
type cancelled struct{}

// ParseIndexed reads a text as Parse does, but goes on behind errors, up to a number of them, and says what stands where. The index is never
// nil; the operation is, when the file as a whole makes no sense. It stops with the context's error when that is done.
func ParseIndexed(ctx context.Context, c *ir.Context, file string, src []byte, opts ParseOptions) (op ir.Op, x *Index, err error) {
	opts.Workers = 1 // others could not tell what an error left behind
	x = &Index{values: make(map[int]ValueDef)}
	opts.recovery = &recovery{ctx: ctx, index: x, last: -1, pos: -1}
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(cancelled); !ok {
				panic(r)
			}
			op, err = ir.Op{}, ctx.Err()
		}
		x.finish()
	}()
	op, err = Parse(c, file, src, opts)
	if first := opts.recovery.first; err == nil && first != nil {
		err = &Error{first}
	}
	return op, x, err
}

// checkpoint is what of a parser's state an operation with an error may leave behind.
type checkpoint struct {
	parser        parser // by value: only the fields below are taken from it
	bound, scopes int
}

// opOrSkip reads an operation; of one with an error it returns nil, and the parser stands behind it.
func (p *parser) opOrSkip(top bool) (op ir.Op) {
	r := p.opts.recovery
	if r == nil {
		return p.parseOp()
	}
	if r.ctx.Err() != nil {
		panic(cancelled{})
	}
	start, at := p.tok.pos, p.mark()
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
			p.syms.bind(name.name, binding{first: 0, n: int32(name.n), pos: int32(name.pos)})
			r.index.define(name.name, name.pos, ValueDef{N: name.n})
			p.forgive(name.name, int(name.pos))
		}
		op = ir.Op{}
	}()
	return p.parseOp()
}

func (p *parser) mark() checkpoint {
	return checkpoint{parser: *p, bound: len(p.syms.list), scopes: len(p.scopes)}
}

func (p *parser) reset(at checkpoint) {
	was := &at.parser
	p.depth, p.short, p.defaults, p.def, p.hook = was.depth, was.short, was.defaults, was.def, was.hook
	p.arena, p.syms, p.builder, p.nested = was.arena, was.syms, was.builder, was.nested
	p.err = nil // hooks stop when Failed says so
	p.scopes = p.scopes[:at.scopes]
	p.syms.forget(at.bound)
}

// forgive settles the uses in front of it of a name that an operation with an error was to define.
func (p *parser) forgive(name string, pos int) {
	for key, ref := range p.top().forward {
		if key.name == name {
			p.opts.recovery.index.settle(ref.uses, pos)
			delete(p.top().forward, key)
		}
	}
}

// skip goes from the start of an operation with an error to the next operation, label, definition of an alias or closing brace.
//
// It reads the operation's text again, to know which braces are open where the error was found. While a text is written there often is one that
// nobody closes; then what looks like an operation counts even inside of it.
func (p *parser) skip(start int, top bool) {
	from := max(start+1, 1+strings.LastIndexByte(p.src[:p.tok.pos], '\n'))
	l := lexer{src: p.src, pos: start}
	depth, inside := 0, -1
	for l.next(); l.tok.kind != tokEOF; l.next() {
		switch {
		case l.is("{"):
			depth++
			continue
		case l.is("}") && depth > 0:
			depth--
			continue
		case l.tok.pos < from:
			continue
		case l.is("}") && !top:
			p.resume(l.tok.pos)
			return
		}
		if !p.mayBegin(&l, top) {
			continue
		}
		if depth == 0 {
			p.resume(l.tok.pos)
			return
		}
		if inside < 0 {
			inside = l.tok.pos
		}
	}
	if inside < 0 {
		inside = len(p.src)
	}
	p.resume(inside)
}

// mayBegin reports whether something begins at a token, by what stands first on its line.
func (p *parser) mayBegin(l *lexer, top bool) bool {
	line := l.src[:l.tok.pos]
	if strings.Trim(line[1+strings.LastIndexByte(line, '\n'):], " \t\r") != "" {
		return false
	}
	word := l.text()
	rest := strings.TrimLeft(l.src[l.tok.end:], " \t")
	switch l.tok.kind {
	case tokPercent:
		return rest != "" && strings.IndexByte("=,:", rest[0]) >= 0
	case tokBare:
		return p.lookup(word) != nil
	case tokString:
		return strings.HasPrefix(rest, "(") && p.ctx.LookupOp(word[1:len(word)-1]) != nil
	case tokCaret:
		return !top && (strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "("))
	case tokHash, tokBang:
		return top && strings.HasPrefix(rest, "=")
	}
	return false
}

// aliasOrSkip reads the definition of an alias; one with an error is known by its name, and what uses it is not complained about.
func (p *parser) aliasOrSkip(define func()) {
	r := p.opts.recovery
	if r == nil {
		define()
		return
	}
	start, name, kind, at := p.tok.pos, p.text()[1:], p.tok.kind, p.mark()
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
		if kind == tokHash && p.attrAliases[name].value == nil {
			p.attrAliases[name] = attrAlias{broken: true}
		} else if kind == tokBang && p.typeAliases[name].value == nil {
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
		pos = p.tok.pos
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
