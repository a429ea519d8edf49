package printer

import (
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/naming"
)

// Text is written while later text is still being made. The unit is an isolated operation directly inside a symbol
// table, or several small ones, or a run of operations in a large block. As many workers as there are processors print
// units, each into a buffer of its own. The buffers are written in order, and their number is bounded.
//
// The text does not depend on how the work is divided. Names start again in an isolated operation, and all names and
// aliases are chosen before anything is printed.

// A stream writes pieces of text in order.
type stream struct {
	w       io.Writer
	err     error       // of the first write that failed, or of a hook; nothing is written after it
	jobs    chan *piece // to the workers; nil: there are none yet
	workers sync.WaitGroup
	pending []*piece // in order
	spare   [][]byte // buffers for reuse
}

// A piece is text, or consecutive operations that a worker prints.
type piece struct {
	buf   []byte
	first ir.Op
	n     int
	state printState
	done  chan struct{} // closed when buf is complete
	panic ir.Panics
}

// A printState is what the text of an operation depends on besides itself.
type printState struct {
	indent   int
	defaults *ir.Dialect
	names    *naming.Names
	lines    bool // a line break stands after each operation, not before it
}

const (
	pieceOps   = 500 // operations that make a piece worth while
	largeBlock = 4 * pieceOps
	pieceBytes = 1 << 16 // text that is worth writing
	perWorker  = 3       // pieces in flight for each worker
)

// isLarge reports whether a block holds operations for several pieces.
func isLarge(b ir.Block) bool {
	if b.Arena().NumOps() < largeBlock {
		return false
	}
	n := 0
	for op := b.First(); !op.IsNil() && n < largeBlock; op = op.Next() {
		n++
	}
	return n == largeBlock
}

// pieces prints the operations of a block, except for last if that is not nil, in pieces. With lines a line break
// stands after each operation, else before it.
func (p *printer) pieces(b ir.Block, last ir.Op, lines bool) {
	if p.out == nil {
		for op := b.First(); !op.IsNil() && op != last; op = op.Next() {
			p.separated(op, lines)
		}
		return
	}
	state := printState{p.indent, p.defaults, p.names, lines}
	parallel, large := runtime.GOMAXPROCS(0) > 1, isLarge(b)
	var group piece // operations that were not handed out yet
	weight := 0
	hand := func() {
		if group.n > 0 {
			p.hand(&piece{first: group.first, n: group.n, state: state})
		}
		group.n, weight = 0, 0
	}
	for op := b.First(); !op.IsNil() && op != last && p.out.err == nil; op = op.Next() {
		if traits := op.Def().Traits; !parallel || !large && !traits.Has(ir.IsolatedFromAbove) || traits.Has(ir.SymbolTable) {
			hand()
			p.separated(op, lines)
			if len(p.buf) >= pieceBytes {
				p.cutText()
			}
			continue
		}
		if weight >= pieceOps {
			hand()
		}
		if group.n == 0 {
			group.first = op
		}
		group.n++
		weight++
		if inner := op.InnerArena(); inner != b.Arena() {
			weight += inner.NumOps()
		}
	}
	if p.out.jobs != nil {
		hand()
		return
	}
	p.run(group.first, group.n, lines) // all that there is
}

// run prints n operations from op on.
func (p *printer) run(op ir.Op, n int, lines bool) {
	for ; n > 0; n-- {
		p.separated(op, lines)
		op = op.Next()
	}
}

func (p *printer) separated(op ir.Op, lines bool) {
	if !lines {
		p.Newline()
	}
	p.op(op)
	if lines {
		p.Str("\n")
	}
}

// hand gives a piece to the workers.
func (p *printer) hand(k *piece) {
	s := p.out
	p.cutText()
	if s.jobs == nil {
		n := runtime.GOMAXPROCS(0)
		s.jobs = make(chan *piece, perWorker*n)
		for range n {
			worker := &printer{ctx: p.ctx, opts: p.opts, aliases: p.aliases, types: new(typeMemo)}
			s.workers.Go(func() {
				for k := range s.jobs {
					worker.piece(k)
				}
			})
		}
	}
	p.names.Busy++ // for good, since workers read them
	k.done = make(chan struct{})
	k.buf = s.buffer()
	s.pending = append(s.pending, k)
	s.jobs <- k
	s.write(cap(s.jobs))
}

// piece prints the operations of a piece.
func (p *printer) piece(k *piece) {
	defer close(k.done)
	defer k.panic.Keep()
	p.buf, p.indent, p.defaults, p.names = k.buf, k.state.indent, k.state.defaults, k.state.names
	p.run(k.first, k.n, k.state.lines)
	k.buf, p.buf = p.buf, nil
}

// cutText moves the text so far to the stream.
func (p *printer) cutText() {
	if len(p.buf) == 0 {
		return
	}
	s := p.out
	p.cut += len(p.buf)
	s.pending = append(s.pending, &piece{buf: p.buf})
	p.buf = s.buffer()
	s.write(cap(s.jobs))
}

func (s *stream) buffer() []byte {
	if n := len(s.spare); n > 0 {
		buf := s.spare[n-1]
		s.spare = s.spare[:n-1]
		return buf[:0]
	}
	return nil
}

// write writes all but the last n pieces, and of those whatever is complete.
func (s *stream) write(n int) {
	at := 0
	for ; at < len(s.pending); at++ {
		k := s.pending[at]
		if k.done != nil {
			if len(s.pending)-at <= n {
				select {
				case <-k.done:
				default:
					s.pending = append(s.pending[:0], s.pending[at:]...)
					return
				}
			}
			<-k.done
			k.panic.Again()
		}
		if s.err == nil {
			_, s.err = s.w.Write(k.buf)
		}
		s.spare = append(s.spare, k.buf)
	}
	s.pending = s.pending[:0]
}

// finish writes what is left.
func (s *stream) finish() error {
	s.write(0)
	return s.err
}

// stop ends the workers.
func (s *stream) stop() {
	if s.jobs != nil {
		close(s.jobs)
		s.workers.Wait()
	}
}

// broken notes that a hook failed when a part of what it printed was written already.
func (s *stream) broken(op ir.Op, reason any) {
	if s.err == nil {
		s.err = fmt.Errorf("cannot print '%s': %v", op.Name(), reason)
	}
}
