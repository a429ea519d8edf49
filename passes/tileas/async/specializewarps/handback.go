package specializewarps

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// Threads may change an accumulator between its MMAs, as attention scales O:
//
//	for (O) { S = dot_async Q, K, 0 ; dot_wait S ; P = exp(S) ; T = O * scale ; O' = dot_async P, V, T ; dot_wait O' }
//
// Then it goes to the MMA warp and back in each iteration. It is the stage of a pipe `threads <-> mma`, beside the
// operand that threads compute:
//
//	role "compute" { %o = pipe_acquire H ; tmem_store 0, %o
//	                 for { S = ... ; P = exp(S) ; %o, %p = pipe_acquire H ; tmem_scale scale, %o ; tmem_store P, %p ; pipe_commit H }
//	                 %o = pipe_acquire H ; O = tmem_load %o }
//	role "product" { for { S = ... ; %o, %p = pipe_wait H ; tmem_dot %p, V, %o ; pipe_release H } }
//
// So the softmax waits for P V of the iteration before only when it scales O. The MMA warp is ahead of threads
// (ahead.go).
//
// Threads may also read it before the MMA, as linear attention reads its state:
//
//	role "compute" { for { %o = pipe_acquire H ; O = tmem_load %o ; ... ; tmem_store O * decay, %o ; pipe_commit H } }
//
// If threads store operand A to TMEM, an accumulator that they do not change goes the same way, as dQ does in the backward
// pass. In a chain, A is alone in its stage. An accumulator that begins with something else than zeros is handed over
// before its loops (chains.go).

// A handback is an accumulator that threads and the MMA warp hand to each other, from its initial value to its use by
// threads after the last loop.
type handback struct {
	*group // whose pipe has the accumulator in its stage
	turns  []*turn
}

// A turn is a loop that carries such an accumulator. Threads change it and hand it over in each iteration.
type turn struct {
	*group  // that of the handback
	loop    ir.Op
	index   int     // of the accumulator, among the loop-carried values
	changes []ir.Op // what threads do to it, in the order of the text
	reader  ir.Op   // or what first uses it, if they also use it otherwise; then they compute all of it themselves
	mma     ir.Op
	wait    ir.Op    // for the MMA: in the loop or, if it is in flight when the iteration ends, after the loop
	end     ir.Value // the accumulator after the loop
}

// turnsOf returns all turns of accumulators.
func turnsOf(handbacks []*handback) []*turn {
	return slices.Concat(ir.Map(handbacks, func(h *handback) []*turn { return h.turns })...)
}

func (t *turn) arg() ir.Value   { return t.loop.Body().Arg(1 + t.index) }
func (t *turn) start() ir.Value { return t.loop.Operand(scf.NumBounds + t.index) }

// stored returns the operand A that threads store to TMEM for the MMA; a zero Value if it is in shared memory.
func (t *turn) stored() ir.Value {
	if v := t.mma.Operand(0); !tileas.IsBuffer(v) {
		return v
	}
	return ir.Value{}
}

// findHandbacks finds the accumulators that threads and MMAs hand to each other.
func (p *plan) findHandbacks() (out []*handback) {
	if p.pairs() {
		return nil
	}
	seen := make(map[ir.Value]bool)
	for _, loop := range p.fn.Collect(func(op ir.Op) bool { return op.Is(scf.For) && p.rebuilt[op] }) {
		for i := range loop.NumResults() {
			t := p.turnOf(loop, i)
			if t == nil || seen[t.arg()] {
				continue
			}
			h := &handback{group: &group{block: loop.Block()}}
			for ; t != nil; t = p.next(t) {
				t.group, seen[t.arg()] = h.group, true
				h.turns = append(h.turns, t)
			}
			if h.pipe = h.newPipe(); h.pipe != nil {
				out = append(out, h)
			}
		}
	}
	return out
}

// next returns the turn of the next loop, which takes the accumulator from this one; nil: something else does.
func (p *plan) next(t *turn) *turn {
	if !t.end.HasOneUse() {
		return nil
	}
	u := t.end.FirstUse()
	loop, index := u.Owner(), u.Index()-scf.NumBounds
	if !loop.Is(scf.For) || index < 0 || !p.rebuilt[loop] || loop.Block() != t.loop.Block() {
		return nil
	}
	n := p.turnOf(loop, index)
	if n == nil || n.stored().IsNil() != t.stored().IsNil() || !n.stored().IsNil() && n.stored().Type() != t.stored().Type() {
		return nil
	}
	return n
}

// turnOf returns the turn of a loop and a value that it carries; nil if it has another form.
func (p *plan) turnOf(loop ir.Op, index int) *turn {
	b := loop.Body()
	t := &turn{loop: loop, index: index, end: loop.Result(index)}
	v := b.Last().Operand(index)
	if def := v.DefiningOp(); waitsForOne(def) && def.Block() == b && v.HasOneUse() {
		t.wait, v = def, def.Operand(0)
	} else if t.end.HasOneUse() && waitsForOne(t.end.FirstUse().Owner()) {
		t.wait = t.end.FirstUse().Owner()
		t.end = t.wait.Result(0)
	} else {
		return nil
	}
	t.mma = v.DefiningOp()
	if t.mma.IsNil() || !t.mma.Is(tileas.DotAsync) || t.mma.Block() != b || !instr.InTMEM(t.mma) || !t.mma.Result(0).HasOneUse() {
		return nil
	}
	if !t.follow(t.arg(), make(map[ir.Op]bool)) {
		if t.changes = nil; !t.findReader() {
			return nil
		}
		return t
	}
	// Without a change it is a chain, unless A has no other way to the MMA (readsCopies).
	if n := len(t.changes); n == 0 && (t.mma.Operand(2) != t.arg() || t.stored().IsNil() || len(b.Collect(tileas.DotAsync.Is)) < 2) || n > 0 && t.mma.Operand(2).DefiningOp() != t.changes[n-1] {
		return nil
	}
	return t
}

// findReader finds what first uses the accumulator in an iteration of threads that do not only change it. It reports
// whether all uses precede the MMA, so that threads have the stage from the first one on.
func (t *turn) findReader() bool {
	b := t.mma.Block()
	for u := range t.arg().Uses() {
		at := u.Owner().AncestorIn(b.Region())
		switch {
		case at == t.mma && u.Index() == 2:
		case at.IsNil() || at.Block() != b || !at.IsBeforeInBlock(t.mma):
			return false
		default:
			t.reader = ir.Earliest(t.reader, at)
		}
	}
	return true
}

// waitsForOne reports whether an operation waits for all MMAs and returns the accumulator of one.
func waitsForOne(op ir.Op) bool {
	return !op.IsNil() && op.Is(tileas.DotWait) && op.NumOperands() == 1 && waitsForAll(op)
}

// follow finds what threads do with a value of the accumulator before the MMA, and reports whether it is all that
// uses it.
func (t *turn) follow(v ir.Value, seen map[ir.Op]bool) bool {
	for u := range v.Uses() {
		switch op := u.Owner(); {
		case op == t.mma && u.Index() == 2:
		case op.Block() != t.mma.Block() || op.HasTrait(ir.Terminator) || !ir.IsPure(op) || op.NumRegions() > 0 || op.NumResults() != 1:
			return false
		case !seen[op]:
			seen[op] = true
			if !t.follow(op.Result(0), seen) {
				return false
			}
			t.changes = append(t.changes, op)
			slices.SortFunc(t.changes, ir.Op.CompareInBlock)
		}
	}
	return true
}

// newPipe returns the pipe whose stage is an accumulator and the operand that threads store; nil if one of them has no
// place in TMEM.
func (h *handback) newPipe() *pipe {
	t := h.turns[0]
	accumulator, err := instr.AccumulatorBuffer(t.arg().Type().(*ir.TensorType))
	if err != nil {
		return nil
	}
	r := backPipe(accumulator)
	if v := t.stored(); !v.IsNil() {
		operand := storedOperand(t.mma)
		if operand == nil {
			return nil
		}
		r.types = append(r.types, operand)
	}
	return r
}

// backPipe returns a pipe whose stage is an accumulator that comes back.
func backPipe(accumulator *tileas.BufferType) *pipe {
	return &pipe{from: tileas.ByThreads, to: tileas.ByMMAs, types: []*tileas.BufferType{accumulator}, back: true, stages: 1}
}

// storedOperand returns the type of the buffer in TMEM for an operand A that threads store there; nil if A is in shared
// memory, or has no place.
func storedOperand(mma ir.Op) *tileas.BufferType {
	t, registers := mma.Operand(0).Type().(*ir.TensorType)
	if !registers || !instr.FromThreads(mma, t) {
		return nil
	}
	cells, _ := instr.OperandCells(t) // FromThreads has found no error
	return tileas.TMEMBuffer(t.Context(), t.Shape, t.Elem, tileas.SharedLayout(t.Context(), cells))
}

// share gives an accumulator that comes back its pipe: one of the same type that holds no other at the same time, or its
// own. It is in the stage from the first loop to the last one.
func (p *plan) share(g *group, first, last ir.Op) {
	g.first, g.last = first, last
	p.backs = g.join(p.backs, func(r *pipe) bool {
		return slices.Equal(r.types, g.pipe.types) && !slices.ContainsFunc(r.groups, func(o *group) bool { return !g.apart(o) || !o.apart(g) })
	})
}

// apart reports whether another accumulator that comes back does not begin between the first loop and the last one.
func (g *group) apart(o *group) bool {
	at := o.first.AncestorIn(g.block.Region())
	return at.IsNil() || at.Block() != g.block || at.IsBeforeInBlock(g.first) || g.last.IsBeforeInBlock(at)
}

// sliceHandbacks finds what roles need for accumulators that they hand to each other.
func (p *plan) sliceHandbacks() {
	for op := range p.stored {
		p.compute.around(op)
		p.compute.value(op.Operand(0))
	}
	for _, h := range p.handbacks {
		p.compute.value(h.turns[0].start())
		for _, t := range h.turns {
			p.compute.around(t.mma)
			p.compute.value(t.mma.Operand(2))
			if v := t.stored(); !v.IsNil() {
				p.compute.value(v)
			}
			p.mma.around(t.mma)
		}
	}
}

// handBack makes the consumers change accumulators of the MMA warp between its MMAs, and store operands A of MMAs whose
// accumulators they do not change.
func (p *plan) handBack(w *writer) {
	for op, g := range p.stored {
		w.begin(op, g, func() {
			w.hand(op.Operand(0), g)
			w.handOn(g)
		})
	}
	for _, h := range p.handbacks {
		first, last := h.turns[0], h.turns[len(h.turns)-1]
		w.begin(first.loop, h.group, func() { w.hand(first.start(), h.group) })
		w.end(last.loop, h.group, func() { w.takeBack(last.end, h.group) })
		for _, t := range h.turns {
			if !t.reader.IsNil() {
				w.begin(t.reader, h.group, func() { w.takeBack(t.arg(), h.group) })
			}
			w.drop(t.changes...)
			w.instead[t.mma] = func() {
				if t.reader.IsNil() {
					w.open(h.group)
				}
				stage := w.held[h.group].buffers
				w.change(t, stage[0])
				if v := t.stored(); !v.IsNil() {
					w.store(w.m.Lookup(v), stage[1])
				}
				w.handOn(h.group)
			}
		}
	}
}

// change changes an accumulator as threads do before its MMA.
func (w *writer) change(t *turn, place ir.Value) {
	arg, c := t.arg(), t.mma.Operand(2)
	if c == arg {
		return
	}
	if t.reader.IsNil() { // otherwise threads have loaded and changed it already
		if scale := instr.RowScale(c, func(v ir.Value) bool { return v == arg && arg.HasOneUse() }); !scale.IsNil() {
			w.b.Create(tileas.TMEMScale, []ir.Value{w.m.Lookup(scale), place}, nil)
			return
		}
		w.load(arg, place)
		for _, op := range t.changes {
			w.b.Clone(op, w.m)
		}
	}
	w.store(w.m.Lookup(c), place)
}

// hand stores a value in the stage of a group that threads fill, and takeBack makes one be what is there again.
func (w *writer) hand(v ir.Value, g *group) {
	w.store(w.m.Lookup(v), w.open(g).buffers[0])
}

func (w *writer) takeBack(v ir.Value, g *group) { w.load(v, w.open(g).buffers[0]) }
