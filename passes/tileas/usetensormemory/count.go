package usetensormemory

import (
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// block rewrites the products of a block, in front of which n were started, and returns how many were behind it.
func (x *rewriter) block(b ir.Block, n ir.Value) (ir.Value, error) {
	for op, next := b.First(), (ir.Op{}); !op.IsNil(); op = next {
		next = op.Next()
		var err error
		switch {
		case isProduct(op):
			n, err = x.product(op, n)
		case op.Is(tileas.DotWait):
			err = x.wait(op, n)
		case x.leaves(op):
			op.SetOperands(append(op.Operands(), n))
		case op.NumRegions() == 0:
		case op.Is(tileas.WarpSpecialize):
			n, err = x.roles(op, n)
		case op.Is(scf.For), op.Is(scf.Loop):
			if counts(op) {
				n, err = x.loop(op, n)
			}
		case op.Is(scf.If):
			n, err = x.branch(op, n)
		case counts(op):
			err = op.Errorf("has products into tensor memory in it, which cannot be counted there")
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// roles counts the products of the one role that has some.
func (x *rewriter) roles(op ir.Op, n ir.Value) (ir.Value, error) {
	which := -1
	for i := range op.NumRegions() {
		var has ir.Op
		for inner := range op.Region(i).First().Ops() {
			if counts(inner) || isProduct(inner) || inner.Is(tileas.DotWait) {
				has = inner
			}
		}
		switch {
		case has.IsNil():
		case which >= 0:
			return n, has.Errorf("is of a second role with products into tensor memory: those of one are counted")
		default:
			which = i
		}
	}
	if which < 0 {
		return n, nil
	}
	_, err := x.block(op.Region(which).First(), n)
	return n, err
}

// counts reports whether products are started in an operation.
func counts(op ir.Op) bool {
	return !op.Walk(func(inner ir.Op) ir.WalkResult {
		if isProduct(inner) || inner.Is(tileas.DotWait) {
			return ir.Interrupt
		}
		return ir.Advance
	})
}

// leaves reports whether a terminator hands on the count to a loop that carries it.
func (x *rewriter) leaves(op ir.Op) bool {
	return (op.Is(scf.Continue) || op.Is(scf.Break)) && x.counted[ir.ExitTarget(op)]
}

// loop makes a loop carry the count.
func (x *rewriter) loop(op ir.Op, n ir.Value) (ir.Value, error) {
	op.SetOperands(append(op.Operands(), n))
	made := withResult(op, n.Type())
	if op.Is(scf.For) { // what loops carry in tensor memory was found by the loop
		x.moved(op, made)
	}
	op.Erase()
	x.counted[made] = true
	for i := range made.NumResults() - 1 {
		c := carried{made, i}
		if !x.kept[c] {
			continue
		}
		if err := x.enter(c); err != nil {
			return n, err
		}
	}
	for i := range made.NumResults() - 1 {
		if c := (carried{made, i}); x.kept[c] && x.read(c) {
			at := ir.BuilderBefore(x.reader(c))
			at.Loc = made.Loc()
			if err := x.load(at, c.arg()); err != nil {
				return n, err
			}
		}
	}
	arg := made.Body().AddArg(n.Type())
	if _, err := x.block(made.Body(), arg); err != nil {
		return n, err
	}
	for i := range made.NumResults() - 1 { // finished or not, what takes it otherwise than a wait comes behind one
		if c := (carried{made, i}); x.kept[c] {
			if err := x.load(ir.BuilderBefore(made.Next()), c.result()); err != nil {
				return n, err
			}
		}
	}
	return made.Result(made.NumResults() - 1), nil
}

// enter puts what a loop begins with into tensor memory.
func (x *rewriter) enter(c carried) error {
	buffer, err := x.buffer(x.of(c.arg()))
	if err != nil {
		return err
	}
	init := c.init()
	if init == buffer {
		return nil
	}
	if !x.has(init) || x.of(init) != x.of(c.arg()) { // else the loop in front has left it there
		b := ir.BuilderBefore(c.loop)
		b.Loc = c.loop.Loc()
		b.Create(tileas.TensorStore, []ir.Value{init, buffer}, nil)
		x.moves++
	}
	c.loop.SetOperand(scf.NumBounds+c.index, buffer)
	return nil
}

// branch makes an if return the count where products are started in it.
func (x *rewriter) branch(op ir.Op, n ir.Value) (ir.Value, error) {
	started := counts(op)
	if started {
		made := withResult(op, n.Type())
		op.Erase()
		op = made
	}
	for i := range 2 {
		if op.Region(i).Empty() {
			if !started {
				continue
			}
			b := op.Region(i).AddBlock()
			ir.BuilderAtEnd(b).Create(scf.Yield, nil, nil)
		}
		body := op.Region(i).First()
		m, err := x.block(body, n)
		if err != nil {
			return n, err
		}
		if end := body.Last(); started && end.Is(scf.Yield) {
			end.SetOperands(append(end.Operands(), m))
		}
	}
	if started {
		n = op.Result(op.NumResults() - 1)
	}
	return n, nil
}

// withResult returns an operation like another one in front of it, whose regions and uses it takes over, with a result more.
func withResult(op ir.Op, t ir.Type) ir.Op {
	b := ir.BuilderBefore(op)
	st := b.NewState(op.Def(), op.Loc())
	st.Operands = op.Operands()
	st.Types = append(op.ResultTypes(), t)
	st.Attrs = append(append(st.Attrs, op.InherentAttrs()...), op.DiscardableAttrs().Entries...)
	for range op.NumRegions() {
		st.AddRegion()
	}
	made := b.Insert(st)
	for i := range op.NumRegions() {
		if !op.Region(i).Empty() {
			op.Region(i).First().MoveToEnd(made.Region(i))
		}
	}
	for i, r := range op.Results() {
		r.ReplaceAllUsesWith(made.Result(i))
	}
	return made
}

// moved lets a loop stand for another one in what was found.
func (x *rewriter) moved(from, to ir.Op) {
	for i := range from.NumResults() {
		if x.kept[carried{from, i}] {
			x.kept[carried{to, i}] = true
			delete(x.kept, carried{from, i})
		}
		if w := x.place[from.Result(i)]; w != nil {
			x.place[to.Result(i)] = w
		}
	}
	for _, w := range x.place {
		for i, u := range w.users {
			if u == from {
				w.users[i] = to
			}
		}
	}
	x.exits[to] = x.exits[from]
}

// retype gives values that loops carry in tensor memory the type of the place.
func (x *rewriter) retype() {
	for c := range x.kept {
		if w := x.place[c.arg()]; w != nil && !c.loop.Block().IsNil() {
			c.arg().SetType(w.buffer.Type())
			c.result().SetType(w.buffer.Type())
		}
	}
}
