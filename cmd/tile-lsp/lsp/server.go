package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"github.com/sourcegraph/jsonrpc2"
)

const (
	maxDocuments = 128
	maxRequests  = 64 // at a time
	// pause is how long the analysis of an edit waits for the next one.
	pause = 80 * time.Millisecond
)

// Options say how a server runs.
type Options struct {
	Version string
	Pause   time.Duration // negative: none, for tests
}

// A server is the state of one connection.
type server struct {
	opts  Options
	ctx   context.Context
	conn  *jsonrpc2.Conn
	slots chan struct{}
	busy  sync.WaitGroup // analyses and requests

	gate   sync.Mutex // held while a message is handled
	closed bool

	mu        sync.Mutex
	state     state
	documents map[string]*snapshot
	running   map[jsonrpc2.ID]context.CancelFunc
	units     encoding
	markdown  bool
	tree      bool
	related   bool
}

type state int

const (
	fresh state = iota
	initialized
	shutDown
	exited
)

// ErrNoShutdown says that the client ended the connection without asking the server to shut down.
var ErrNoShutdown = errors.New("the client ended without a shutdown")

// Serve speaks the protocol until the client ends it. It returns nil when the client has asked for that.
func Serve(ctx context.Context, in io.ReadCloser, out io.Writer, opts Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if opts.Pause == 0 {
		opts.Pause = pause
	}
	s := &server{opts: opts, ctx: ctx, slots: make(chan struct{}, maxRequests), documents: make(map[string]*snapshot), running: make(map[jsonrpc2.ID]context.CancelFunc), units: utf16Units}
	ready := make(chan struct{})
	var ended error // of the goroutine that reads, whose end DisconnectNotify tells
	frames := codec{
		complain: func(err error) {
			<-ready
			s.notify("window/showMessage", messageParams{1, err.Error()})
		},
		ended: func(err error) { ended = err },
	}
	stream := jsonrpc2.NewBufferedStream(&pipe{in, out}, frames)
	s.conn = jsonrpc2.NewConn(ctx, stream, handler(func(c *jsonrpc2.Conn, r *jsonrpc2.Request) {
		<-ready
		s.handle(c, r)
	}), jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	close(ready)
	<-s.conn.DisconnectNotify()
	cancel()
	s.gate.Lock()
	s.closed = true
	s.gate.Unlock()
	s.busy.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == shutDown || s.state == exited {
		return nil
	}
	if ended != nil {
		return ended
	}
	return ErrNoShutdown
}

type pipe struct {
	io.ReadCloser
	io.Writer
}

type handler func(*jsonrpc2.Conn, *jsonrpc2.Request)

// Handle implements jsonrpc2.Handler.
func (h handler) Handle(_ context.Context, c *jsonrpc2.Conn, r *jsonrpc2.Request) { h(c, r) }

func (s *server) notify(method string, params any) { _ = s.conn.Notify(s.ctx, method, params) }

// The codes of the protocol that the library has no name for.
const (
	codeNotInitialized = -32002
	codeCancelled      = -32800
	codeModified       = -32801
	codeFailed         = -32803
)

// handle runs on the goroutine that reads, so that edits and the requests about them keep their order.
func (s *server) handle(c *jsonrpc2.Conn, r *jsonrpc2.Request) {
	s.gate.Lock()
	defer s.gate.Unlock()
	if s.closed {
		return
	}
	log := zerolog.Ctx(s.ctx)
	start := time.Now()
	defer func() { log.Debug().Str("method", r.Method).Dur("elapsed", time.Since(start)).Msg("handled") }()
	defer func() {
		v := recover()
		if v != nil {
			log.Error().Str("method", r.Method).Str("panic", fmt.Sprint(v)).Msg("a message was not handled")
		}
		if v != nil && !r.Notif {
			s.fail(r, jsonrpc2.CodeInternalError, fmt.Sprintf("bug in the server: %v", v))
		}
	}()
	s.mu.Lock()
	now := s.state
	s.mu.Unlock()
	switch {
	case r.Method == "exit":
		s.mu.Lock()
		if s.state == shutDown {
			s.state = exited
		}
		s.mu.Unlock()
		c.Close()
	case r.Method == "initialize" && now == fresh:
		s.initialize(r)
	case now == fresh && !r.Notif:
		s.fail(r, codeNotInitialized, "the server is not initialized")
	case now == fresh:
	case now == shutDown && !r.Notif:
		s.fail(r, jsonrpc2.CodeInvalidRequest, "the server is shut down")
	case r.Method == "shutdown":
		s.mu.Lock()
		s.state = shutDown
		s.mu.Unlock()
		_ = s.conn.Reply(s.ctx, r.ID, nil)
	case r.Notif:
		s.notification(r)
	default:
		s.request(r)
	}
}

func (s *server) fail(r *jsonrpc2.Request, code int64, text string) {
	_ = s.conn.ReplyWithError(s.ctx, r.ID, &jsonrpc2.Error{Code: code, Message: text})
}

// params reads what a message says; what is missing is empty.
func params(r *jsonrpc2.Request, to any) bool {
	return r.Params == nil || json.Unmarshal(*r.Params, to) == nil
}

func (s *server) initialize(r *jsonrpc2.Request) {
	var p initializeParams
	if !params(r, &p) {
		s.fail(r, jsonrpc2.CodeInvalidParams, "the parameters are not those of 'initialize'")
		return
	}
	s.mu.Lock()
	s.state = initialized
	// A client lists what it counts in the order that it likes. All know UTF-16.
	for _, e := range p.Capabilities.General.PositionEncodings {
		if e == string(utf8Units) || e == string(utf16Units) {
			s.units = encoding(e)
			break
		}
	}
	for _, f := range p.Capabilities.TextDocument.Hover.ContentFormat {
		s.markdown = s.markdown || f == "markdown"
	}
	s.tree = p.Capabilities.TextDocument.DocumentSymbol.Hierarchical
	s.related = p.Capabilities.TextDocument.PublishDiagnostics.RelatedInformation
	units := s.units
	s.mu.Unlock()
	_ = s.conn.Reply(s.ctx, r.ID, initializeResult{ServerInfo: serverInfo{"tile-lsp", s.opts.Version}, Capabilities: capabilities{
		PositionEncoding: string(units), TextDocumentSync: syncOptions{true, 2}, HoverProvider: true, DefinitionProvider: true, ReferencesProvider: true, HighlightProvider: true,
		DocumentSymbolProvider: true, FormattingProvider: true, CompletionProvider: completionOptions{[]string{"%", "."}}}})
}

func (s *server) notification(r *jsonrpc2.Request) {
	switch r.Method {
	case "textDocument/didOpen":
		var p openParams
		if params(r, &p) {
			s.put(p.TextDocument.URI, p.TextDocument.Version, p.TextDocument.Text)
		}
	case "textDocument/didChange":
		var p changeParams
		if params(r, &p) {
			s.change(p)
		}
	case "textDocument/didClose":
		var p documentParams
		if params(r, &p) {
			s.close(p.TextDocument.URI)
		}
	case "$/cancelRequest":
		var p cancelParams
		var id jsonrpc2.ID
		if params(r, &p) && json.Unmarshal(p.ID, &id) == nil {
			s.mu.Lock()
			if cancel := s.running[id]; cancel != nil {
				cancel()
			}
			s.mu.Unlock()
		}
	}
}

// put makes a text the newest version of a document and analyses it in the background.
func (s *server) put(uri string, version int, text string) {
	s.mu.Lock()
	before := s.documents[uri]
	total := len(text)
	for name, d := range s.documents {
		if name != uri {
			total += len(d.text)
		}
	}
	if before == nil && len(s.documents) == maxDocuments {
		s.mu.Unlock()
		s.notify("window/showMessage", messageParams{1, fmt.Sprintf("more than %d documents are open; '%s' is not analysed", maxDocuments, clip(uri))})
		return
	}
	note := ""
	if len(text) > maxText || total > maxTexts {
		text, note = "", "the file is too large for the language server"
	}
	now := newSnapshot(s.ctx, uri, version, text, s.units)
	now.note, now.large = note, note != ""
	s.documents[uri] = now
	related := s.related
	s.mu.Unlock()
	if before != nil {
		before.cancel()
	}
	s.busy.Go(func() {
		if now.analyse(before, s.opts.Pause) {
			s.notify("textDocument/publishDiagnostics", publishParams{uri, version, now.diagnostics(related)})
		}
	})
}

func (s *server) change(p changeParams) {
	s.mu.Lock()
	doc := s.documents[p.TextDocument.URI]
	s.mu.Unlock()
	if doc == nil {
		return
	}
	text, version := doc.text, doc.version+1
	if p.TextDocument.Version != nil {
		version = *p.TextDocument.Version
	}
	at, large, work := doc.lines, doc.large, 0
	for _, c := range p.ContentChanges {
		if work += len(text) + len(c.Text); work > maxEdited {
			s.put(p.TextDocument.URI, version, strings.Repeat(" ", maxText+1)) // which is not kept
			return
		}
		if c.Range == nil {
			text, large = c.Text, false
		} else if !large {
			start, end := at.offset(c.Range.Start), at.offset(c.Range.End)
			text = text[:start] + c.Text + text[max(start, end):]
		}
		at = newLines(text, at.units)
	}
	if !large {
		s.put(p.TextDocument.URI, version, text)
	}
}

func (s *server) close(uri string) {
	s.mu.Lock()
	doc := s.documents[uri]
	delete(s.documents, uri)
	s.mu.Unlock()
	if doc != nil {
		doc.cancel()
		s.notify("textDocument/publishDiagnostics", publishParams{uri, doc.version, []diagnostic{}})
	}
}

// answers are the requests about a document, answered from a snapshot. Those about a place get its offset.
var answers = map[string]func(ctx context.Context, s *server, doc *snapshot, p positionParams, offset int) any{
	"textDocument/hover": func(ctx context.Context, s *server, doc *snapshot, _ positionParams, offset int) any {
		if h := doc.hover(ctx, offset, s.markdown); h != nil {
			return h
		}
		return nil
	},
	"textDocument/definition": func(_ context.Context, _ *server, doc *snapshot, _ positionParams, offset int) any {
		return doc.definition(offset)
	},
	"textDocument/references": func(_ context.Context, _ *server, doc *snapshot, p positionParams, offset int) any {
		return doc.references(offset, p.Context.IncludeDeclaration)
	},
	"textDocument/documentHighlight": func(_ context.Context, _ *server, doc *snapshot, _ positionParams, offset int) any {
		return doc.highlights(offset)
	},
	"textDocument/documentSymbol": func(_ context.Context, s *server, doc *snapshot, _ positionParams, _ int) any {
		if s.tree {
			return doc.outline()
		}
		return flat(doc.uri, "", doc.outline())
	},
	"textDocument/formatting": func(_ context.Context, _ *server, doc *snapshot, _ positionParams, _ int) any { return doc.format() },
	"textDocument/completion": func(_ context.Context, _ *server, doc *snapshot, _ positionParams, offset int) any {
		return doc.complete(offset)
	},
}

// request answers on a goroutine of its own, from the snapshot of now.
func (s *server) request(r *jsonrpc2.Request) {
	answer := answers[r.Method]
	if answer == nil {
		s.fail(r, jsonrpc2.CodeMethodNotFound, fmt.Sprintf("'%s' is not supported", clip(r.Method)))
		return
	}
	var p positionParams
	if !params(r, &p) {
		s.fail(r, jsonrpc2.CodeInvalidParams, fmt.Sprintf("the parameters are not those of '%s'", r.Method))
		return
	}
	select {
	case s.slots <- struct{}{}:
	default:
		s.fail(r, codeFailed, "too many requests at a time")
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	s.mu.Lock()
	doc := s.documents[p.TextDocument.URI]
	s.running[r.ID] = cancel
	s.mu.Unlock()
	s.busy.Go(func() {
		defer func() {
			if v := recover(); v != nil {
				s.fail(r, jsonrpc2.CodeInternalError, fmt.Sprintf("bug in the server: %v", v))
			}
			s.mu.Lock()
			delete(s.running, r.ID)
			s.mu.Unlock()
			cancel()
			<-s.slots
		}()
		switch {
		case doc == nil:
			_ = s.conn.Reply(s.ctx, r.ID, nil)
		case !doc.wait(ctx) && ctx.Err() != nil:
			s.fail(r, codeCancelled, "cancelled")
		case doc.ctx.Err() != nil:
			s.fail(r, codeModified, "the document was changed")
		default:
			result := answer(ctx, s, doc, p, doc.lines.offset(p.Position))
			_ = s.conn.Reply(s.ctx, r.ID, result)
		}
	})
}
