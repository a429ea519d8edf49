package specializewarps

import (
	"errors"
	"fmt"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/nest"
)

// A tensorCopy is a bulk tensor copy in the form that tileas-materialize-copies gives it.
type tensorCopy struct {
	alloc, expect, load, wait ir.Op
	users                     []ir.Op // what reads the buffer, through whatever views
}

// A group is copies that are waited for together: those of a block between whose waits nothing reads.
type group struct {
	block  ir.Block
	copies []*tensorCopy
	ring   *ring
	// release is behind which operation of the block its slot is free; a zero Op: at the end of the block, since products of the next iteration are under way then.
	release ir.Op
	settle  bool // a wait for products must be put in front
	late    bool // what reads it is a product that is started an iteration later, and waits and frees by itself
	// products says that what reads it are products of a role of their own, of which the last stands in or is lastReader.
	products   bool
	lastReader ir.Op
}

// A ring is the slots that groups of one kind fill one after the other.
type ring struct {
	groups []*group
	bytes  int64 // of a slot
	slots  int64
	// behind is how many iterations later the slot of one is freed: 1 where the product that reads it is under way when its iteration ends, more where several are (pairs.go).
	behind int64
	once   bool // it is filled at most once, and never again
	// sum is what a slot is where the ring is one of sums in tensor memory, and single says that it is filled at most once.
	sum    *tileas.BufferType
	single bool

	buffers     []ir.Value // of each copy of a group
	full, empty ir.Value
}

// findCopies finds the copies of a kernel, in the order of the text. The error is why they cannot be those of a role.
func findCopies(fn ir.Op) (out []*tensorCopy, err error) {
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.TMALoad) {
			var c *tensorCopy
			if c, err = copyOf(op); err != nil {
				return ir.Interrupt
			}
			out = append(out, c)
		}
		return ir.Advance
	})
	return out, err
}

func copyOf(load ir.Op) (*tensorCopy, error) {
	c := &tensorCopy{load: load, alloc: load.OperandNamed(tileas.FieldBuffer).DefiningOp()}
	bar := load.OperandNamed("mbarrier").DefiningOp()
	if !tileas.RowsOf(load).IsNil() {
		return nil, errors.New("a copy gathers rows whose numbers threads have")
	}
	if c.alloc.IsNil() || !c.alloc.Is(tileas.AllocShared) || bar.IsNil() || !bar.Is(tileas.AllocShared) || !load.OperandNamed("predicate").IsNil() {
		return nil, fmt.Errorf("'%s' is not as tileas-materialize-copies makes it", load.Name())
	}
	for u := range bar.Result(0).Uses() {
		switch op := u.Owner(); {
		case op.Is(tileas.MbarrierExpect) && c.expect.IsNil():
			c.expect = op
		case op.Is(tileas.MbarrierWait) && c.wait.IsNil():
			c.wait = op
		case op == load || op.Is(tileas.MbarrierInit):
		default:
			return nil, fmt.Errorf("the mbarrier of '%s' has other uses", load.Name())
		}
	}
	block := load.Block()
	if c.expect.IsNil() || c.wait.IsNil() || c.expect.Block() != block || c.wait.Block() != block || c.alloc.Block() != block || !load.IsBeforeInBlock(c.wait) {
		return nil, fmt.Errorf("'%s' is not waited for in its block", load.Name())
	}
	if err := c.findUsers(c.alloc.Result(0)); err != nil {
		return nil, err
	}
	return c, c.ordered()
}

// findUsers finds what reads a buffer.
func (c *tensorCopy) findUsers(v ir.Value) error {
	for u := range v.Uses() {
		op := u.Owner()
		switch {
		case op == c.load:
		case tileas.IsView(op):
			if err := c.findUsers(op.Result(0)); err != nil {
				return err
			}
		case op.Is(tileas.DotAsync), op.Is(tileas.LocalLoad):
			c.users = append(c.users, op)
		default:
			return fmt.Errorf("'%s' takes a buffer that is copied to", op.Name())
		}
	}
	return nil
}

// ordered reports an operation that must come behind the copy and does not wait for it: in another role it would not come behind it.
func (c *tensorCopy) ordered() error {
	for u := range c.load.Result(0).Uses() {
		top := u.Owner().AncestorIn(c.wait.Block().Region())
		if top.IsNil() || top.Block() != c.wait.Block() || !c.wait.IsBeforeInBlock(top) {
			return fmt.Errorf("'%s' comes behind '%s' by a token, and in front of the wait for it", u.Owner().Name(), c.load.Name())
		}
	}
	return nil
}

// groupCopies puts together what is waited for together.
func groupCopies(copies []*tensorCopy) (out []*group) {
	for _, c := range copies {
		if n := len(out); n > 0 && out[n-1].block == c.load.Block() && out[n-1].takes(c) {
			out[n-1].copies = append(out[n-1].copies, c)
			continue
		}
		out = append(out, &group{block: c.load.Block(), copies: []*tensorCopy{c}})
	}
	return out
}

// takes reports whether nothing reads between the wait for the last copy of a group and that for another one.
func (g *group) takes(c *tensorCopy) bool {
	op, end := g.copies[len(g.copies)-1].wait, c.wait
	if end.IsBeforeInBlock(op) {
		op, end = end, op
	}
	for ; op != end; op = op.Next() {
		if !op.Is(tileas.MbarrierWait) && !ir.IsPure(op) && !op.Is(tileas.FenceAsync) && !op.Is(tileas.AllocShared) && !op.Is(tileas.MbarrierExpect) && !op.Is(tileas.TMALoad) {
			return false
		}
	}
	return true
}

// last returns the last of some operations of a group's block.
func last(ops ...ir.Op) (out ir.Op) {
	for _, op := range ops {
		if out.IsNil() || out.IsBeforeInBlock(op) {
			out = op
		}
	}
	return out
}

// issue is where the load role starts the copies of a group, and wait where the compute role waits for them: where the coordinates of the last one are there, and in front of the first reader.
func (g *group) issue() (op ir.Op) {
	for _, c := range g.copies {
		op = last(append([]ir.Op{c.load}, some(op)...)...)
	}
	return op
}

func (g *group) wait() (op ir.Op) {
	op = g.copies[0].wait
	for _, c := range g.copies {
		if c.wait.IsBeforeInBlock(op) {
			op = c.wait
		}
	}
	return op
}

func some(op ir.Op) []ir.Op {
	if op.IsNil() {
		return nil
	}
	return []ir.Op{op}
}

// loopOf returns the innermost loop around a block; a zero Op where there is none.
func loopOf(b ir.Block) ir.Op {
	for op := b.ParentOp(); !op.IsNil() && !op.Is(tileas.Level.Func); op = op.ParentOp() {
		if _, ok := ir.LoopLike.Of(op); ok {
			return op
		}
	}
	return ir.Op{}
}

// findRelease finds when the slot of a group is free.
func (g *group) findRelease(deferred bool, c *carry) error {
	if deferred {
		g.ring.behind = 1
		return nil
	}
	if g.late || g.products {
		return nil
	}
	if c != nil && g.reads(c.second) { // whatever else reads it, the product does so when the iteration ends
		g.ring.behind, g.release = 1, c.at
		return nil
	}
	async := false
	at := g.wait()
	for _, c := range g.copies {
		at = last(at, c.wait)
		for _, u := range c.users {
			top := u.AncestorIn(g.block.Region())
			if top.IsNil() || top.Block() != g.block {
				return fmt.Errorf("'%s' reads what is copied in a block that it is not in", u.Name())
			}
			at, async = last(at, top), async || u.Is(tileas.DotAsync)
		}
	}
	g.release = at
	if !async {
		return nil
	}
	for op := at; !op.IsNil(); op = op.Next() {
		if n, _ := op.IntAttr(tileas.AttrPending); op.Is(tileas.DotWait) && n == 0 {
			g.release = op
			return nil
		}
	}
	g.settle = true
	return nil
}

// A deferral is a loop body in which products stay under way when an iteration ends.
type deferral struct{ products int }

// deferralOf returns that of a block; nil: there is something in it that takes a sum, or that products must not run beside.
func deferralOf(b ir.Block, mine map[ir.Op]bool) *deferral {
	if !b.ParentOp().Is(scf.For) {
		return nil
	}
	d := &deferral{}
	for op := range b.Ops() {
		switch {
		case op.Is(tileas.DotAsync):
			d.products++
			for _, v := range op.Operands()[:2] { // a factor in registers must stay there until the product is done
				if _, buffer := v.Type().(*tileas.BufferType); !buffer || !mine[rootOf(v)] {
					return nil
				}
			}
		case op.Is(tileas.DotWait):
			if op.NumOperands() > 0 {
				return nil
			}
		case op.Is(tileas.LocalStore), op.Is(tileas.LocalLoad), op.Is(tileas.CopyAsync), op.Is(tileas.GatherAsync), op.NumRegions() > 0 && !ir.IsPure(op):
			return nil
		}
	}
	if d.products == 0 || d.products > tileas.MostProductsPending {
		return nil
	}
	return d
}

// rootOf returns the allocation that a buffer is a view of.
func rootOf(v ir.Value) ir.Op {
	def := v.DefiningOp()
	for !def.IsNil() && tileas.IsView(def) {
		def = def.Operand(0).DefiningOp()
	}
	return def
}

// inputs are the values that an operation takes, from inside its regions too.
func inputs(op ir.Op) []ir.Value {
	if op.NumRegions() == 0 {
		return op.Operands()
	}
	return nest.Inputs(op)
}
