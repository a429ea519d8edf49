package conversion

import (
	"errors"

	"github.com/tilewright/tilewright/ir"
)

// A state converts what is inside one isolated operation.
type state struct {
	*runner
	root   ir.Op
	values map[ir.Value]*entry
	blocks map[ir.Block]ir.Block
	dom    *ir.Dominance
	casts  []ir.Op
	tasks  []*task
	depth  int // of conversions of what patterns created
}

// An entry is what is known about a value of the input in the output.
type entry struct {
	converted []ir.Value
	done      bool // converted is valid
	original  ir.Value
	block     ir.Block // where to make one from the other:
	after     ir.Op    // behind this operation, or at the start of block
	loc       ir.Location
}

func newState(r *runner, root ir.Op) *state {
	return &state{runner: r, root: root, values: make(map[ir.Value]*entry), blocks: make(map[ir.Block]ir.Block), dom: ir.NewDominance()}
}

// keepArgs returns the signature that keeps the types of the entry block's arguments.
func (s *state) keepArgs(r ir.Region) *Signature {
	sig := &Signature{}
	if !r.Empty() {
		for _, arg := range r.First().Args() {
			sig.Types = append(sig.Types, []ir.Type{arg.Type()})
		}
	}
	return sig
}

// nested converts a region inside what is converted now, or puts it off when it is one of an isolated operation.
func (s *state) nested(src, dst ir.Region, sig *Signature) error {
	if src.Arena() != s.root.InnerArena() {
		s.tasks = append(s.tasks, &task{src, dst, sig})
		return nil
	}
	return s.region(src, dst, sig)
}

// region converts the reachable blocks of src into dst.
func (s *state) region(src, dst ir.Region, sig *Signature) error {
	if src.Empty() {
		return nil
	}
	for b := range src.Blocks() {
		if !s.dom.Reachable(b) {
			continue
		}
		block := *sig
		if !b.IsEntry() {
			block = Signature{}
		}
		if err := s.block(b, dst.AddBlock(), block); err != nil {
			return err
		}
	}
	at := dst.First()
	for _, b := range s.dom.Order(src) {
		at = s.blocks[b]
		for op := range b.Ops() {
			var err error
			if at, err = s.op(op, at); err != nil {
				return err
			}
		}
	}
	if sig.After != nil {
		return sig.After(ir.BuilderAtEnd(at))
	}
	return nil
}

// block makes the arguments of n, which stands for b.
func (s *state) block(b, n ir.Block, sig Signature) error {
	s.blocks[b] = n
	made := make([][]ir.Value, b.NumArgs())
	for i, arg := range b.Args() {
		var ts []ir.Type
		if i < len(sig.Types) && sig.Types[i] != nil {
			ts = sig.Types[i]
		} else {
			var ok bool
			if ts, ok = s.conv.Types.ConvertValue(arg); !ok {
				return b.ParentOp().Errorf("has block argument #%d of type '%s', which cannot be converted", i, ir.TypeString(arg.Type()))
			}
		}
		made[i] = make([]ir.Value, len(ts))
		for k, t := range ts {
			made[i][k] = n.AddArg(t)
		}
	}
	if sig.Entry != nil {
		entry := ir.BuilderAtEnd(n)
		entry.Loc = b.ParentOp().Loc()
		values, err := sig.Entry(entry, made)
		if err != nil {
			return err
		}
		for i, vs := range values {
			if vs != nil {
				made[i] = vs
			}
		}
	}
	for i, arg := range b.Args() {
		e := &entry{block: n, loc: b.ParentOp().Loc()}
		s.values[arg] = e
		s.set(e, arg, made[i])
	}
	return nil
}

// set notes what a value of the input was converted to.
func (s *state) set(e *entry, v ir.Value, vs []ir.Value) {
	if len(vs) == 1 {
		if name := v.Name(); name != "" && vs[0].Name() == "" {
			vs[0].SetName(name)
		}
		if vs[0].Type() == v.Type() {
			e.original = vs[0]
			// It is the converted value as well, unless the type is one to be converted.
			if ts, ok := s.conv.Types.ConvertValue(v); ok && !haveTypes(vs, ts) {
				return
			}
		}
	}
	e.converted, e.done = vs, true
}

// op converts an operation to the end of a block, and returns the block where to go on.
func (s *state) op(op ir.Op, to ir.Block) (ir.Block, error) {
	if s.conv.Cast != nil && op.Is(s.conv.Cast) && s.throughCast(op, to) {
		return to, nil
	}
	legality := s.conv.Target.Legality(op)
	if legality != Legal {
		matched, end, err := s.patternFor(op, to)
		if matched || err != nil {
			return end, err
		}
		if legality == Illegal {
			return to, ir.Errorf(op.Loc(), "failed to legalize operation '%s' that was explicitly marked illegal", op.Name())
		}
		if !s.conv.Partial {
			return to, ir.Errorf(op.Loc(), "failed to legalize operation '%s'", op.Name())
		}
	}
	return to, s.keep(op, to)
}

// patternFor tries the patterns of an operation. It returns the block at which the one that applied left its builder.
func (s *state) patternFor(op ir.Op, to ir.Block) (matched bool, end ir.Block, err error) {
	list := s.of(op.Def())
	if len(list) == 0 {
		return false, to, nil
	}
	operands := make([][]ir.Value, op.NumOperands())
	for i := range operands {
		if operands[i], err = s.converted(op.Operand(i), op); err != nil {
			return false, to, err
		}
	}
	for _, p := range list {
		b := ir.BuilderAtEnd(to)
		b.Loc = op.Loc()
		c, created, err := s.try(p, &Op{Builder: b, Op: op, s: s, operands: operands})
		if err == nil {
			err = s.created(created, c)
		}
		if errors.Is(err, ErrNoMatch) {
			continue
		}
		if err != nil {
			return true, to, err
		}
		end = c.Block()
		for i, vs := range c.results {
			e := &entry{block: end, after: end.Last(), loc: op.Loc()}
			s.values[op.Result(i)] = e
			s.set(e, op.Result(i), vs)
		}
		return true, end, nil
	}
	return false, to, nil
}

// try runs a pattern and returns what it created with the builder.
func (s *state) try(p *Pattern, c *Op) (*Op, []ir.Op, error) {
	var created []ir.Op
	c.OnCreate = func(n ir.Op) { created = append(created, n) }
	switch err := p.Convert(c); {
	case errors.Is(err, ErrNoMatch):
		if len(created) > 0 {
			panic("conversion: pattern " + p.Name + " created operations but reports that it does not apply")
		}
		return c, nil, ErrNoMatch
	case err != nil:
		return c, nil, locate(c.Op, p, err)
	case c.Op.NumResults() > 0 && !c.replaced:
		panic("conversion: pattern " + p.Name + " does not replace the results of " + c.Op.Name())
	}
	return c, created, nil
}

// locate makes a diagnostic of a pattern's error.
func locate(op ir.Op, p *Pattern, err error) error {
	var d *ir.Diagnostic
	if errors.As(err, &d) {
		return err
	}
	return op.Errorf("cannot be converted by %s: %v", p.Name, err)
}

// keep copies an operation to the end of a block, with operands of the types that it has, and converts its regions.
func (s *state) keep(op ir.Op, to ir.Block) error {
	b := ir.BuilderAtEnd(to)
	st := b.NewState(op.Def(), op.Loc())
	for i := range op.NumOperands() {
		v, err := s.old(op.Operand(i), op)
		if err != nil {
			return err
		}
		st.Operands = append(st.Operands, v)
	}
	st.Types = op.ResultTypes()
	st.Attrs = append(op.InherentAttrs(), op.DiscardableAttrs().Entries...)
	for i := range op.NumSuccessors() {
		st.Succs = append(st.Succs, s.blocks[op.Successor(i)])
	}
	for range op.NumRegions() {
		st.AddRegion()
	}
	n := b.Insert(st)
	for i := range op.NumResults() {
		e := &entry{block: to, after: n, loc: op.Loc()}
		s.values[op.Result(i)] = e
		s.set(e, op.Result(i), []ir.Value{n.Result(i)})
	}
	for i := range op.NumRegions() {
		if err := s.nested(op.Region(i), n.Region(i), s.keepArgs(op.Region(i))); err != nil {
			return err
		}
	}
	return nil
}
