package parser

import (
	"runtime"
	"strings"
	"sync"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/lexer"
	"github.com/tilewright/tilewright/ir/asm/symbols"
)

// Isolated operations in a module refer to nothing around them, so the parser has them read ahead by other
// goroutines, each into an arena of its own. Nobody knows where the next operation starts before the one before
// it was read, so the starts are guessed: a scan that matches braces finds the words at the outermost level that name
// an isolated operation.
//
// The parser itself goes on as if it were alone. Where it comes to an operation that was read ahead from that very
// place, it takes the result, which is what it would have read. Otherwise it reads the operation. So a wrong guess
// costs time and nothing else. So does an operation with an error: the error is reported when the parser reads the
// operation itself. What it reads and reports does not depend on how many goroutines help.

const (
	minAhead   = 1 << 16 // bytes of text from which on reading ahead is profitable
	batchBytes = 1 << 15 // of text that a goroutine takes at once
	maxScans   = 4       // how often the scan may go over the text: modules in modules are scanned at each level
	maxWasted  = 16      // guesses that may be wrong, besides as many as are right
	minOpBytes = 16      // of text for which an operation's room in the arena is reserved
)

// An ahead is the reading ahead of a list of operations.
type ahead struct {
	wake    sync.Cond
	batches []*batch // in the order of the text
	claimed int      // of batches
	closed  bool     // there will be no more batches
	stopped bool     // no more operations are to be read
	workers sync.WaitGroup

	helper *parser // reads batches while the main parser has to wait
	at     int     // the first batch that the main parser has not passed, and the guess in it
	guess  int
}

// A batch is a run of guesses that one goroutine reads.
type batch struct {
	guesses []guess
	done    chan struct{}
}

// A guess is an operation that may start at an offset.
type guess struct {
	start, end int      // end is that of the operation, once it was read, and until then the next guess
	frame      *opFrame // nil: not read, or with an error
	lateLocs   []lateLoc
	expanded   int
}

// readAhead starts to read the operations from the token in lookahead on to the end of the region; top says that it
// is the entire text. It returns nil if that does not pay.
func (p *parser) readAhead(top bool) *ahead {
	workers := p.opts.Workers
	if workers == 0 {
		if workers = runtime.GOMAXPROCS(0); len(p.Src)-p.Tok.Pos < minAhead {
			return nil
		}
	}
	if workers <= 1 || p.worker || p.ahead != nil || p.scanned > maxScans*len(p.Src) || p.wasted > maxWasted+p.adopted {
		return nil
	}
	h := &ahead{}
	h.wake.L = new(sync.Mutex)
	p.ahead = h
	running := 1 // this goroutine
	b := &batch{done: make(chan struct{})}
	p.scanStarts(top, func(start, end int) {
		if len(b.guesses) > 0 && (end-b.guesses[0].start >= batchBytes || p.opts.Workers > 0) {
			h.add(b)
			b = &batch{done: make(chan struct{})}
			if running < workers {
				running++
				w := p.newWorker()
				h.workers.Go(func() { h.work(w) })
			}
		}
		b.guesses = append(b.guesses, guess{start: start, end: end})
	})
	h.add(b)
	h.close()
	if running == 1 && (p.opts.Workers == 0 || len(b.guesses) == 0) {
		p.stopAhead()
		return nil
	}
	h.helper = p.newWorker()
	return h
}

func (h *ahead) add(b *batch) {
	h.wake.L.Lock()
	h.batches = append(h.batches, b)
	h.wake.L.Unlock()
	h.wake.Signal()
}

// close says that all batches were added.
func (h *ahead) close() {
	h.wake.L.Lock()
	h.closed = true
	h.wake.L.Unlock()
	h.wake.Broadcast()
}

// halt makes the goroutines end when they have read the operation that they are at.
func (h *ahead) halt() {
	h.wake.L.Lock()
	h.stopped = true
	h.wake.L.Unlock()
	h.wake.Broadcast()
}

// work reads batches until there are none left.
func (h *ahead) work(w *parser) {
	for b := h.claim(true); b != nil; b = h.claim(true) {
		h.read(w, b)
	}
}

// claim returns a batch that nobody has read; nil when there is none, which it waits for unless there will never be
// one.
func (h *ahead) claim(wait bool) *batch {
	h.wake.L.Lock()
	defer h.wake.L.Unlock()
	for {
		switch {
		case h.stopped:
			return nil
		case h.claimed < len(h.batches):
			h.claimed++
			return h.batches[h.claimed-1]
		case h.closed || !wait:
			return nil
		}
		h.wake.Wait()
	}
}

func (h *ahead) read(w *parser, b *batch) {
	defer close(b.done)
	for i := range b.guesses {
		h.wake.L.Lock()
		stopped := h.stopped
		h.wake.L.Unlock()
		if stopped {
			return
		}
		w.readGuess(&b.guesses[i])
	}
}

// stopAhead ends the reading ahead.
func (p *parser) stopAhead() {
	if p.ahead != nil {
		p.ahead.halt()
		p.ahead.workers.Wait()
		p.ahead = nil
	}
}

// adopt takes the operation at the token in lookahead if it was read ahead.
func (h *ahead) adopt(p *parser) (op ir.Op, ok bool) {
	if h == nil {
		return ir.Op{}, false
	}
	g := h.find(p)
	if g == nil {
		return ir.Op{}, false
	}
	if g.frame == nil || p.expanded+g.expanded > p.maxExpanded() {
		p.wasted++
		return ir.Op{}, false
	}
	p.adopted++
	p.expanded += g.expanded
	p.lateLocs = append(p.lateLocs, g.lateLocs...)
	op = p.insert(g.frame)
	p.Resume(g.end)
	*g = guess{start: g.start}
	return op, true
}

// find returns what was read from the token in lookahead on, or nil.
func (h *ahead) find(p *parser) *guess {
	if p.wasted > maxWasted+p.adopted {
		h.halt()
		return nil
	}
	for h.at < len(h.batches) {
		b := h.batches[h.at]
		for h.guess < len(b.guesses) {
			switch g := &b.guesses[h.guess]; {
			case g.start > p.Tok.Pos:
				return nil
			case g.start == p.Tok.Pos:
				h.wait(b)
				h.guess++
				return g
			}
			h.guess++
			p.wasted++
		}
		h.at, h.guess = h.at+1, 0
	}
	return nil
}

// wait waits until b is read, and reads other batches meanwhile.
func (h *ahead) wait(b *batch) {
	for {
		select {
		case <-b.done:
			return
		default:
		}
		other := h.claim(false)
		if other == nil {
			<-b.done
			return
		}
		h.read(h.helper, other)
	}
}

// newWorker returns a parser that reads operations which stand where p is.
func (p *parser) newWorker() *parser {
	w := &parser{
		Lexer: lexer.Lexer{Src: p.Src}, ctx: p.ctx, source: p.source, opts: p.opts, worker: true,
		attrAliases: p.attrAliases, typeAliases: p.typeAliases, // which do not change while there are workers
		keywords: p.keywords, dialectType: make(map[string]typeAlias),
		depth: p.depth, def: p.def, defaults: newNamespace(p.defaults.dialects...),
		arena: p.arena, syms: symbols.New(), builder: ir.NewBuilder(p.arena),
	}
	w.pushScope(ir.Region{})
	return w
}

// readGuess reads an operation, all but putting it into the arena around it.
func (p *parser) readGuess(g *guess) {
	saved := *p
	defer func() {
		if recover() != nil { // whatever it is: the main parser meets it as well if it comes here
			*p = saved
		}
	}()
	f := &opFrame{}
	p.states = append(append(p.states[:0], f), p.states[min(1, len(p.states)):]...)
	p.lateLocs, p.expanded, p.nested = nil, 0, 0
	p.roomFor = min(strings.Count(p.Src[g.start:g.end], "\n"), (g.end-g.start)/minOpBytes)
	p.Resume(g.start)
	p.readOp(p.frame(), p.Pos())
	g.frame, g.end, g.lateLocs, g.expanded = f, p.Last, p.lateLocs, p.expanded
}
