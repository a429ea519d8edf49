package lsp

import (
	"context"
	"time"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
)

const (
	maxText   = 8 << 20  // bytes of a document that is analysed
	maxTexts  = 64 << 20 // of all of them
	maxEdited = 1 << 31  // bytes that the edits of one message may go over: a few edits of the largest document, many of a small one
	maxPieces = 1000
	maxShown  = 200 // diagnostics of a document
)

// A snapshot is a version of a document.
type snapshot struct {
	uri     string
	version int
	text    string
	lines   *lines
	ctx     context.Context // done when there is a newer one
	cancel  context.CancelFunc

	// read is closed when pieces may be looked at.
	read   chan struct{}
	pieces []*piece
	note   string // why there is something that was not analysed
	large  bool   // the text was not kept
}

// newSnapshot returns a snapshot whose analysis has not begun.
func newSnapshot(ctx context.Context, uri string, version int, text string, units encoding) *snapshot {
	s := &snapshot{uri: uri, version: version, text: text, lines: newLines(text, units), read: make(chan struct{})}
	s.ctx, s.cancel = context.WithCancel(ctx)
	return s
}

// analyse waits for the analysis of the snapshot before, and for the end of a burst of edits, and analyses. It
// reports whether the snapshot is still of interest.
func (s *snapshot) analyse(before *snapshot, pause time.Duration) bool {
	defer close(s.read)
	if before != nil {
		<-before.read
	}
	if pause > 0 {
		select {
		case <-time.After(pause):
		case <-s.ctx.Done():
		}
	}
	if s.ctx.Err() != nil {
		return false
	}
	if s.note != "" {
		return true
	}
	src := []byte(s.text)
	for _, c := range asm.Split(src) {
		if len(s.pieces) == maxPieces {
			s.note = "the file has too many inputs for the language server; the first ones are analysed"
			break
		}
		start := cap(src) - cap(c.Text) // the inputs are parts of one slice
		p := &piece{file: s.uri, start: start, text: s.text[:start+len(c.Text)]}
		p.analyse(s.ctx)
		if s.ctx.Err() != nil {
			s.pieces = nil
			return false
		}
		s.pieces = append(s.pieces, p)
	}
	return true
}

// wait returns when the snapshot is analysed; false when one of the contexts ended before.
func (s *snapshot) wait(ctx context.Context) bool {
	select {
	case <-s.read:
		return s.ctx.Err() == nil && s.pieces != nil
	case <-ctx.Done():
		return false
	}
}

// pieceAt returns the piece around an offset, or nil.
func (s *snapshot) pieceAt(offset int) *piece {
	for _, p := range s.pieces {
		if offset <= len(p.text) {
			if offset < p.start || p.index == nil {
				return nil
			}
			return p
		}
	}
	return nil
}

// diagnostics returns what is wrong with the document.
func (s *snapshot) diagnostics(withRelated bool) []diagnostic {
	list := []diagnostic{}
	if s.note != "" {
		list = append(list, diagnostic{Severity: 2, Source: source, Message: s.note})
	}
	for _, p := range s.pieces {
		for _, f := range p.found {
			if len(list) == maxShown {
				return list
			}
			list = append(list, s.diagnostic(f, withRelated))
		}
	}
	return list
}

// source is what editors show before a diagnostic.
const source = "tilewright"

func (s *snapshot) diagnostic(f finding, withRelated bool) diagnostic {
	d := diagnostic{Range: s.lines.span(f.start, f.end), Severity: severities[f.severity], Source: source, Message: clip(f.message)}
	for _, n := range f.notes {
		if withRelated {
			d.Related = append(d.Related, related{location{s.uri, s.lines.span(n.start, n.end)}, clip(n.message)})
		} else {
			d.Message += "\n" + clip(n.message)
		}
	}
	return d
}

var severities = map[ir.Severity]int{ir.Error: 1, ir.Warning: 2, ir.Remark: 3, ir.NoteSeverity: 3}

const maxMessageText = 4 << 10

// clip shortens a text for people, between characters.
func clip(text string) string {
	if len(text) <= maxMessageText {
		return text
	}
	at := maxMessageText
	for at > 0 && text[at]&0xc0 == 0x80 {
		at--
	}
	return text[:at] + " ..."
}
