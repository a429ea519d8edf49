package lsp

import (
	"context"
	"fmt"
	"runtime/debug"
	"sort"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// A piece is one input of a document: all of it, or what stands between two separators. Offsets in it are those of
// the document.
type piece struct {
	file   string
	text   string // up to the end of the piece, so that offsets are those of the document
	start  int
	found  []finding
	starts []int // of lines, as the parser counts them

	index *asm.Index // its offsets are those of the piece; nil until it was read
	// op is the module as tools see it, if it has no errors, and value says what a value of the index is there.
	op     ir.Op
	value  func(ir.Value) ir.Value
	tokens []asm.Token // of the document

	facts facts
}

// A finding is a diagnostic with its place.
type finding struct {
	start, end int
	severity   ir.Severity
	message    string
	notes      []finding
}

const maxNotes = 8

// analyse reads and verifies a piece. A bug of the parser or of a hook becomes a finding: what is typed must not end
// the server.
func (p *piece) analyse(ctx context.Context) {
	defer func() {
		if v := recover(); v != nil {
			p.op = ir.Op{}
			p.found = append(p.found, finding{start: p.start, end: p.start, message: fmt.Sprintf("bug in the compiler, please report it: %v\n%s", v, debug.Stack())})
		}
	}()
	c := tileir.NewContext()
	var diags []*ir.Diagnostic
	c.Diag.Push(func(d *ir.Diagnostic) { diags = append(diags, d) })
	op, index, err := asm.ParseIndexed(ctx, c, p.file, []byte(p.text[p.start:]), tileir.Syntax())
	p.tokenize()
	p.index = index
	for _, d := range diags {
		p.found = append(p.found, p.finding(d))
	}
	if err != nil || ctx.Err() != nil {
		return
	}
	op, p.value = tileir.Wrapped(op)
	ok := true
	for _, d := range ir.CheckWithin(ctx, op) {
		p.found = append(p.found, p.finding(d))
		ok = ok && d.Severity != ir.Error
	}
	if ok && ctx.Err() == nil {
		ok = p.checkLocations(ctx, op)
	}
	if ok && ctx.Err() == nil {
		p.op = op
	}
}

// checkLocations verifies again with the locations that are written. They are left out in the first round, since
// mistakes are shown where they are in the text. What locations add is shown at the first operation that has such a
// location.
func (p *piece) checkLocations(ctx context.Context, op ir.Op) bool {
	at := make(map[ir.Location]asm.OpSpan)
	written := make(map[int]ir.Location) // by offset of the name, as locations in the text have it
	for _, s := range p.index.Ops {
		if s.Written == nil {
			continue
		}
		written[s.Name] = s.Written
		if old, ok := at[s.Written]; !ok || s.Start < old.Start {
			at[s.Written] = s
		}
	}
	if len(written) == 0 {
		return true
	}
	places := make(map[ir.Op]ir.Location)
	op.Walk(func(inner ir.Op) ir.WalkResult {
		here := inner.Loc()
		if f, ok := here.(*ir.FileLoc); ok {
			if w := written[p.offsetOf(f)-p.start]; w != nil {
				places[inner] = here
				inner.SetLoc(w)
			}
		}
		return ir.Advance
	})
	ok := true
	for _, d := range ir.CheckWithin(ctx, op) {
		f := p.finding(d)
		if s, known := at[d.Loc]; known {
			f.start, f.end = p.start+s.Name, p.start+s.NameEnd
		}
		p.found = append(p.found, f)
		ok = ok && d.Severity != ir.Error
	}
	for inner, here := range places {
		inner.SetLoc(here)
	}
	return ok
}

// finding places a diagnostic: at the word that it points to.
func (p *piece) finding(d *ir.Diagnostic) finding {
	f := finding{start: p.start, end: p.start, severity: d.Severity, message: d.Message}
	if l, ok := d.Loc.(*ir.FileLoc); ok && l.File == p.file && l.Line > 0 {
		f.start = p.offsetOf(l)
		f.end = p.wordEnd(f.start)
	}
	for _, n := range d.Notes {
		if len(f.notes) == maxNotes {
			break
		}
		f.notes = append(f.notes, p.finding(n))
	}
	return f
}

// offsetOf returns the offset of a line and column, which the parser counts by \n and in bytes from the start of the
// piece.
func (p *piece) offsetOf(l *ir.FileLoc) int {
	if p.starts == nil {
		p.starts = []int{p.start}
		for i := p.start; i < len(p.text); i++ {
			if p.text[i] == '\n' {
				p.starts = append(p.starts, i+1)
			}
		}
	}
	if int(l.Line) > len(p.starts) {
		return len(p.text)
	}
	return min(p.starts[l.Line-1]+int(l.Column)-1, len(p.text))
}

func (p *piece) tokenize() {
	for t := range asm.Tokens(p.text[p.start:]) {
		t.Pos, t.End = t.Pos+p.start, t.End+p.start
		p.tokens = append(p.tokens, t)
	}
}

// token returns the token at an offset, or right before it.
func (p *piece) token(at int) (asm.Token, bool) {
	i := sort.Search(len(p.tokens), func(i int) bool { return p.tokens[i].End >= at })
	if i+1 < len(p.tokens) && p.tokens[i].End == at && p.tokens[i+1].Pos == at && p.tokens[i].Kind == asm.Punctuation {
		i++
	}
	if i < len(p.tokens) && p.tokens[i].Pos <= at {
		return p.tokens[i], true
	}
	return asm.Token{}, false
}

func (p *piece) spell(t asm.Token) string { return p.text[t.Pos:t.End] }

func (p *piece) wordEnd(at int) int {
	if t, ok := p.token(at); ok && t.Pos <= at && t.End > at {
		return t.End
	}
	if at < len(p.text) && p.text[at] != '\n' && p.text[at] != '\r' {
		return at + 1
	}
	return at
}
