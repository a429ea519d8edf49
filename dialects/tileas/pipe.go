package tileas

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// An End is who fills or who reads the stages of a pipe.
type End uint8

// The ends.
const (
	ByThreads End = iota // threads of a role, in program order
	ByTMA                // TMA loads that a role starts; they fill only
	ByMMAs               // asynchronous MMAs that a role issues
	ByCopies             // copies in groups that threads of a role start; they fill only
)

var endNames = [...]string{"threads", "tma", "mma", "copies"}

func (e End) String() string { return endNames[e] }

// Async reports whether operations of an end signal the mbarrier of the stage themselves when they are done, so that
// acquire and wait yield that mbarrier. For copies in groups the commit does it.
func (e End) Async() bool { return e == ByTMA || e == ByMMAs }

// PipeType is a bounded queue of stages, which one role fills and another one reads, in order.
//
//	pipe<tma -> threads, buffer<3 x [128x64xf16, #a]>, buffer<3 x [64x64xf16, #b]>>     three stages of two tiles
//	pipe<two_ctas tma -> mma, ...>                                                      of two CTAs
//
//	pipe<threads <-> mma, buffer<128x64xf32, #c, space = tmem>>     an accumulator that threads scale, and MMAs add to
//
// All buffers have as many stages as the pipe.
//
// A pipe of two CTAs is one for both CTAs of a pair, whose two-CTA MMAs fill or read its stages. A stage has buffers in
// both. The even CTA alone has the end of the MMAs. Both have the other end, and a stage passes when both have done
// their part.
type PipeType struct {
	ir.TypeBase
	From, To End
	TwoCTAs  bool
	// Back says that the one stage comes back with its contents: who reads it may write it too.
	Back    bool
	Buffers []*BufferType
}

type pipeKey struct {
	from, to End
	two      bool
	back     bool
	buffers  string
}

// Pipe returns the type of pipes with stages in the given buffers.
func Pipe(c *ir.Context, from, to End, two bool, buffers []*BufferType) *PipeType {
	return makePipe(c, PipeType{From: from, To: to, TwoCTAs: two, Buffers: buffers})
}

// PipeBack returns the type of pipes from threads to MMAs whose stage comes back with its contents.
func PipeBack(c *ir.Context, buffers []*BufferType) *PipeType {
	return makePipe(c, PipeType{From: ByThreads, To: ByMMAs, Back: true, Buffers: buffers})
}

func makePipe(c *ir.Context, t PipeType) *PipeType {
	key := ""
	for _, b := range t.Buffers {
		key += ir.TypeString(b) + ";"
	}
	return ir.UniqueType(c, Dialect, pipeKey{t.From, t.To, t.TwoCTAs, t.Back, key}, func() *PipeType {
		t.Buffers = slices.Clone(t.Buffers)
		return &t
	})
}

// Stages returns how many stages a pipe has.
func (t *PipeType) Stages() int64 { return t.Buffers[0].Stages }

// StageBytes returns the bytes of the tiles in a stage.
func (t *PipeType) StageBytes() (n int64) {
	for _, b := range t.Buffers {
		n += b.TileBytes()
	}
	return n
}

// Filled returns the types of a stage to fill: its buffers and, if the end that fills it is asynchronous, the mbarrier
// that this end signals.
func (t *PipeType) Filled() []ir.Type { return t.stage(t.From) }

// Read returns the types of a stage to read: its buffers and, if the end that reads it is asynchronous, the mbarrier
// that this end signals.
func (t *PipeType) Read() []ir.Type { return t.stage(t.To) }

func (t *PipeType) stage(end End) (out []ir.Type) {
	for _, b := range t.Buffers {
		out = append(out, b.WithStages(1))
	}
	if end.Async() {
		out = append(out, MbarrierBuffer(t.Buffers[0].Context(), 1))
	}
	return out
}

// check says what is wrong with a pipe; "": nothing is.
func (t *PipeType) check() string {
	switch {
	case t.To == ByTMA || t.To == ByCopies:
		return "TMA loads and copies fill stages and do not read them"
	case len(t.Buffers) == 0:
		return "a pipe has at least one buffer"
	case t.TwoCTAs && t.From != ByMMAs && t.To != ByMMAs:
		return "two CTAs share what their MMAs fill or read, and nothing else"
	case t.TwoCTAs && t.From == ByThreads:
		return "threads of two CTAs hand nothing to MMAs"
	case t.Back && (t.From != ByThreads || t.To != ByMMAs || t.Stages() != 1):
		return "a pipe whose stage comes back is from threads to MMAs, with one stage"
	}
	for _, b := range t.Buffers {
		switch {
		case b.Stages != t.Stages():
			return fmt.Sprintf("all buffers of a pipe have as many stages, but got %d and %d", t.Stages(), b.Stages)
		case IsBarriers(b):
			return "the stages of a pipe hold tiles, and it has the mbarriers for them itself"
		case (b.Space == TMEMSpace) != (t.From == ByMMAs || t.Back):
			return "MMAs fill stages in TMEM, and otherwise only those that come back are there"
		}
	}
	return ""
}

// PrintType implements ir.Type.
func (t *PipeType) PrintType(p ir.AsmPrinter) {
	p.Str("pipe<")
	if t.TwoCTAs {
		p.Str(tile.AttrTwoCTAs + " ")
	}
	arrow := " -> "
	if t.Back {
		arrow = " <-> "
	}
	p.Str(t.From.String() + arrow + t.To.String())
	for _, b := range t.Buffers {
		p.Str(", ")
		p.Type(b)
	}
	p.Str(">")
}

// mostPipeBuffers bounds the buffers of a pipe, which are the operands of some MMAs.
const mostPipeBuffers = 64

// parsePipe reads `<` `two_ctas`? end `<`? `->` end (`,` buffer)+ `>`.
func parsePipe(p ir.AsmParser) ir.Type {
	t := &PipeType{}
	end := func() End {
		pos, name := p.Pos(), p.Keyword()
		if name == tile.AttrTwoCTAs && !t.TwoCTAs {
			t.TwoCTAs, pos, name = true, p.Pos(), p.Keyword()
		}
		i := slices.Index(endNames[:], name)
		if i < 0 && !p.Failed() {
			p.ErrorAt(pos, "expected an end of a pipe, 'threads', 'tma', 'mma' or 'copies'")
		}
		return End(max(i, 0))
	}
	p.Expect("<")
	start := p.Pos()
	t.From = end()
	t.Back = p.Opt("<")
	p.Expect("->")
	t.To = end()
	for p.Opt(",") {
		pos := p.Pos()
		b, ok := p.Type().(*BufferType)
		if p.Failed() {
			return nil
		}
		if !ok || len(t.Buffers) == mostPipeBuffers {
			p.ErrorAt(pos, "expected a buffer, of which a pipe has up to %d", mostPipeBuffers)
			return nil
		}
		t.Buffers = append(t.Buffers, b)
	}
	p.Expect(">")
	if p.Failed() {
		return nil
	}
	if why := t.check(); why != "" {
		p.ErrorAt(start, "%s", why)
		return nil
	}
	return makePipe(p.Context(), *t)
}

var aPipe = ir.TypeConstraint{Desc: "pipe", Check: func(t ir.Type) bool { _, ok := t.(*PipeType); return ok }}
