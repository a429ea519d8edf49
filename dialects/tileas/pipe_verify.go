package tileas

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// verifyPipe checks the type of a pipe and how its two roles use it. On every path, an acquire is followed by a commit
// and a wait by a release. A stage that comes back may be acquired and kept: the next acquire is of the same one.
func verifyPipe(op ir.Op) error {
	t := op.Result(0).Type().(*PipeType)
	if why := t.check(); why != "" {
		return op.Errorf("makes no pipe: %s", why)
	}
	if t.TwoCTAs {
		if err := verifyClustered(op, tile.AttrTwoCTAs); err != nil {
			return err
		}
	}
	same := len(t.Buffers) == op.NumOperands()
	for i := 0; same && i < op.NumOperands(); i++ {
		same = op.Operand(i).Type() == ir.Type(t.Buffers[i])
	}
	if !same {
		return op.Errorf("has a pipe '%s', which is of other buffers", ir.TypeString(t))
	}
	fills, reads := pipeEnd{pipe: op, opens: "pipe_acquire", closes: "pipe_commit", keeps: t.Back}, pipeEnd{pipe: op, opens: "pipe_wait", closes: "pipe_release"}
	var users []ir.Op
	for u := range op.Result(0).Uses() {
		users = append(users, u.Owner())
	}
	for _, user := range slices.Backward(users) { // in the order of the text, as a rule
		if err := fills.note(user); err != nil {
			return err
		}
		if err := reads.note(user); err != nil {
			return err
		}
	}
	// What is filled once is not released.
	once := len(reads.closing) == 0
	if err := fills.check(once); err != nil {
		return err
	}
	if once {
		for _, wait := range reads.opening {
			if n := wait.NumResults(); t.To.Async() && wait.Result(n-1).HasUses() {
				return wait.Errorf("yields an mbarrier that something signals, but nothing releases the stages of its pipe")
			}
		}
		return nil
	}
	for _, release := range reads.closing[1:] {
		if a, b := Lag(release), Lag(reads.closing[0]); a != b {
			return release.Errorf("lags by %d stages, but another one of its pipe by %d", a, b).Note(reads.closing[0].Loc(), "the other")
		}
	}
	return reads.check(false)
}

// A pipeEnd is the operations of one end of a pipe.
type pipeEnd struct {
	pipe             ir.Op
	opens, closes    string // their names; rows refer to this verifier, so that it cannot refer to them
	opening, closing []ir.Op
	keeps            bool // a stage that was opened need not be closed
}

// note adds an operation that uses the pipe.
func (e *pipeEnd) note(op ir.Op) error {
	if op.Dialect() != Dialect {
		return op.Errorf("uses a pipe, which only operations of pipes do")
	}
	switch op.Def().Name {
	case e.opens:
		e.opening = append(e.opening, op)
	case e.closes:
		e.closing = append(e.closing, op)
	default:
		return nil
	}
	first := e.first()
	a, _ := RoleOf(first)
	if b, ok := RoleOf(op); ok && (a.Op != b.Op || a.Index != b.Index) {
		return op.Errorf("stands in role \"%s\", but role \"%s\" executes '%s' of the same pipe", b.Name, a.Name, first.Name()).Note(first.Loc(), "the other")
	}
	return nil
}

func (e *pipeEnd) first() ir.Op {
	if len(e.opening) > 0 {
		return e.opening[0]
	}
	return e.closing[0]
}

// check checks that the end opens and closes stages in turn, in each block by itself. A release that lags may stand
// before the wait. once says that there is one stage to open, and that nothing opens it in a loop.
func (e *pipeEnd) check(once bool) error {
	lags := len(e.closing) > 0 && Lag(e.closing[0]) > 0
	seen := make(map[ir.Block]bool)
	for _, op := range slices.Concat(e.opening, e.closing) {
		if once && ir.InLoop(op) {
			return op.Errorf("stands in a loop, and nothing releases the stages of its pipe")
		}
		if !seen[op.Block()] {
			seen[op.Block()] = true
			if err := e.inTurn(op.Block(), lags); err != nil {
				return err
			}
		}
	}
	return nil
}

// inTurn checks a block: pairs of an operation that opens a stage and one that closes it.
func (e *pipeEnd) inTurn(block ir.Block, lags bool) error {
	var half ir.Op // the first of a pair
	for op := range block.Ops() {
		switch inside := e.uses(op); {
		case !inside:
		case op.NumRegions() > 0:
			if !half.IsNil() && !e.keeps {
				return op.Errorf("uses another stage between '%s' and what belongs to it", half.Name()).Note(half.Loc(), "the one stage")
			}
			half = ir.Op{}
		case half.IsNil():
			if half = op; !lags && op.Def().Name == e.closes {
				return op.Errorf("closes a stage that no '%s.%s' opened in its block", Dialect.Name, e.opens)
			}
		case half.Def() == op.Def() && e.keeps && op.Def().Name == e.opens:
		case half.Def() == op.Def():
			return op.Errorf("follows another one, with no '%s' in between", e.other(op)).Note(half.Loc(), "the other")
		default:
			half = ir.Op{}
		}
	}
	if !half.IsNil() && !e.keeps {
		return half.Errorf("is alone in its block, without '%s'", e.other(half))
	}
	return nil
}

// other returns the name of the operation that belongs to an operation of the end.
func (e *pipeEnd) other(op ir.Op) string {
	if op.Def().Name == e.opens {
		return Dialect.Name + "." + e.closes
	}
	return Dialect.Name + "." + e.opens
}

// uses reports whether an operation is one of the end, or contains one.
func (e *pipeEnd) uses(op ir.Op) bool {
	return !op.Walk(func(inner ir.Op) ir.WalkResult {
		if inner.Dialect() == Dialect && (inner.Def().Name == e.opens || inner.Def().Name == e.closes) && inner.NumOperands() > 0 && inner.Operand(0) == e.pipe.Result(0) {
			return ir.Interrupt
		}
		return ir.Advance
	})
}
