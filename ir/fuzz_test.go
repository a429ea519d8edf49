package ir

import (
	"testing"
)

// A byteSource decides by the bytes of a fuzz input; when they are used up it says 0.
type byteSource struct{ data []byte }

func (s *byteSource) n(limit int) int {
	if len(s.data) == 0 || limit <= 1 {
		return 0
	}
	v := int(s.data[0]) % limit
	s.data = s.data[1:]
	return v
}

// randomModule builds a module that is malformed in many ways: wrong counts, types, attributes, parents, terminators
// and branches, and uses of what is not available.
func randomModule(c *Context, src *byteSource) Op {
	module, fn, _ := newModule(c)
	rows := append(verifyDialect.Ops(), c.UnregisteredOp("u.any"), c.UnregisteredOp("v.unknown"))
	types := []Type{c.Int(32), c.Int(8), c.F32(), c.Tensor([]int64{2, 4}, c.Int(32), nil), c.Tensor([]int64{2, -1}, c.Int(8), nil)}
	attrs := []NamedAttr{{"value", c.IntAttr(c.Int(32), 1)}, {"value", c.String("x")}, {SymName, c.String("f")}, {SymName, c.Unit()},
		{OperandSegmentSizes, c.DenseI32(1, 0, 1)}, {OperandSegmentSizes, c.DenseI32(-1)}, {"v.bad", c.Unit()}, {"u.x", c.Unit()}}
	type state struct {
		values []Value
		blocks []Block
	}
	states := map[*Arena]*state{}
	of := func(a *Arena) *state {
		if states[a] == nil {
			states[a] = &state{}
		}
		return states[a]
	}
	add := func(b Block) {
		s := of(b.a)
		s.blocks = append(s.blocks, b)
		s.values = append(s.values, b.Args()...)
	}
	add(module.Body())
	add(fn.Body())
	all := []Block{module.Body(), fn.Body()}
	for len(src.data) > 0 {
		b := all[src.n(len(all))]
		s := of(b.a)
		st := BuilderAtEnd(b).NewState(rows[src.n(len(rows))], nil)
		for range src.n(4) {
			if v := src.n(len(s.values) + 1); v < len(s.values) {
				st.Operands = append(st.Operands, s.values[v])
			} else {
				st.Operands = append(st.Operands, Value{})
			}
		}
		for range src.n(3) {
			st.Types = append(st.Types, types[src.n(len(types))])
		}
		for range src.n(3) {
			a := attrs[src.n(len(attrs))]
			st.SetAttr(a.Name, a.Value)
		}
		for range src.n(3) {
			st.Succs = append(st.Succs, s.blocks[src.n(len(s.blocks))])
		}
		for range src.n(3) {
			r := st.AddRegion()
			for range src.n(3) {
				blk := r.AddBlock()
				for range src.n(2) {
					blk.AddArg(types[src.n(len(types))])
				}
				add(blk)
				all = append(all, blk)
			}
		}
		op := BuilderAtEnd(b).Insert(st)
		s.values = append(s.values, op.Results()...)
		if src.n(5) == 0 && !op.Prev().IsNil() {
			op.MoveBefore(op.Prev())
		}
	}
	return module
}

// The verifier neither panics nor hangs, whatever the IR looks like; what it accepts can be cloned, and the clone is
// accepted.
func FuzzVerify(f *testing.F) {
	f.Add([]byte{1, 5, 2, 0, 0, 1, 0, 1, 0, 0})
	f.Add([]byte("a module of many kinds of operations, none of which stands where it should \x01\x02\x03\x04\x05"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 2000 {
			return
		}
		c := NewContext(verifyDialect)
		c.AllowUnregistered = true
		module := randomModule(c, &byteSource{data})
		diags := Check(module)
		checkUseLists(t, module)
		dom := NewDominance()
		module.Walk(func(op Op) WalkResult {
			for _, v := range op.Operands() {
				if !v.IsNil() {
					dom.Dominates(v, op)
				}
			}
			Effects(op, func(Effect) {})
			return Advance
		})
		copied := NewBuilder(c.NewArena()).Clone(module, NewMapping())
		if again := Check(copied); len(again) != len(diags) {
			t.Errorf("%d diagnostics, but %d of the clone: %v %v", len(diags), len(again), diags, again)
		}
		module.Erase()
		if n := module.a.NumOps(); n != 0 {
			t.Errorf("%d operations live after erasing everything", n)
		}
	})
}

// checkUseLists checks that every operand that is set is on the use list of its value.
func checkUseLists(t *testing.T, root Op) {
	t.Helper()
	root.Walk(func(op Op) WalkResult {
		for i, v := range op.Operands() {
			if v.IsNil() {
				continue
			}
			found := false
			for u := range v.Uses() {
				found = found || u == op.OperandUse(i)
			}
			if !found {
				t.Errorf("operand %d of %s is not on the use list", i, op.Name())
			}
		}
		return Advance
	})
}
