package conversion

import (
	"errors"

	"github.com/tilewright/tilewright/ir"
)

// Types says what values of a type become: that many values, of these types. The error says why a type has no
// counterpart; it completes "type 't' ...".
type Types func(ir.Type) ([]ir.Type, error)

// A State is the conversion of one function. The builder stands where the output grows; a rule may move it to another
// block, and what follows goes there.
type State struct {
	*ir.Builder

	types   Types
	known   map[ir.Type]conversion // what types said
	values  map[ir.Value][]ir.Value
	convert func(ir.Op) error // by the rules
	op      ir.Op             // that is being converted
}

type conversion struct {
	types []ir.Type
	err   error
}

// NewState returns the state of a conversion whose output begins where the builder stands.
func NewState(b *ir.Builder, types Types) State {
	return State{Builder: b, types: types, known: make(map[ir.Type]conversion), values: make(map[ir.Value][]ir.Value)}
}

func (s *State) state() *State { return s }

// A failure ends a conversion from within accessors, which would else return an error at each of the hundreds of
// places that ask for a value.
type failure struct{ err error }

func (s *State) fail(format string, args ...any) {
	if s.op.IsNil() {
		panic(failure{ir.Errorf(s.Loc, format, args...)})
	}
	panic(failure{s.op.Errorf(format, args...)})
}

// Ops converts the operations of a block, one after the other.
func (s *State) Ops(b ir.Block) error {
	for op := range b.Ops() {
		if err := s.Op(op); err != nil {
			return err
		}
	}
	return nil
}

// Op converts an operation. What its rule creates has its location.
func (s *State) Op(op ir.Op) error {
	for i := range op.NumOperands() {
		if _, ok := s.values[op.Operand(i)]; !ok {
			return op.Errorf("has an operand #%d that stands for nothing: what defines it was not converted", i)
		}
	}
	outer, loc := s.op, s.Loc
	s.op, s.Loc = op, op.Loc()
	if err := s.convert(op); err != nil {
		return locate(op, err)
	}
	for i := range op.NumResults() {
		v := op.Result(i)
		if _, ok := s.values[v]; !ok {
			if len(s.ConvertType(v.Type())) > 0 {
				return op.Errorf("was converted, but its result #%d stands for nothing", i)
			}
			s.values[v] = nil
		}
	}
	s.op, s.Loc = outer, loc
	return nil
}

// locate makes a diagnostic of a rule's error.
func locate(op ir.Op, err error) error {
	var d *ir.Diagnostic
	if errors.As(err, &d) {
		return err
	}
	return op.Errorf("cannot be converted: %v", err)
}

// Values returns what a value of the input became.
func (s *State) Values(v ir.Value) []ir.Value {
	vs, ok := s.values[v]
	if !ok {
		s.fail("needs a value that stands for nothing: what defines it was not converted")
	}
	return vs
}

// Value returns the one value that a value of the input became.
func (s *State) Value(v ir.Value) ir.Value {
	vs := s.Values(v)
	if len(vs) != 1 {
		s.fail("needs one value where type '%s' became %d", ir.TypeString(v.Type()), len(vs))
	}
	return vs[0]
}

// Flat returns what several values became, one after the other.
func (s *State) Flat(vs []ir.Value) []ir.Value {
	out := make([]ir.Value, 0, len(vs))
	for _, v := range vs {
		out = append(out, s.Values(v)...)
	}
	return out
}

// Named returns what the operands of a field became, one after the other; none for an optional operand that is absent.
func (s *State) Named(op ir.Op, name string) []ir.Value { return s.Flat(op.OperandsNamed(name)) }

// Bind says which values stand for a value of the input. A body that is converted again binds again.
func (s *State) Bind(v ir.Value, vs ...ir.Value) {
	want := s.ConvertType(v.Type())
	if len(vs) != len(want) {
		s.fail("was converted to %d values where type '%s' becomes %d", len(vs), ir.TypeString(v.Type()), len(want))
	}
	for i, w := range vs {
		if !w.HasType(want[i]) {
			s.fail("was converted to type '%s' where type '%s' becomes '%s'", ir.TypeString(w.Type()), ir.TypeString(v.Type()), ir.TypeString(want[i]))
		}
	}
	s.values[v] = vs
	// An argument of a body that is converted several times stands for values of other names.
	if len(vs) == 1 && !v.IsBlockArg() {
		rename(v, vs[0])
	}
}

// rename gives a value of the output the name of what it stands for, unless it has one.
func rename(v, to ir.Value) {
	if name := v.Name(); name != "" && to.Name() == "" {
		to.SetName(name)
	}
}

// ConvertType returns the types of the values that one of type t becomes.
func (s *State) ConvertType(t ir.Type) []ir.Type {
	c, ok := s.known[t]
	if !ok {
		c.types, c.err = s.types(t)
		s.known[t] = c
	}
	if c.err != nil {
		s.fail("type '%s' %v", ir.TypeString(t), c.err)
	}
	return c.types
}

// ResultTypes returns the types of what the results of an operation become, one after the other.
func (s *State) ResultTypes(op ir.Op) []ir.Type {
	out := make([]ir.Type, 0, op.NumResults())
	for i := range op.NumResults() {
		out = append(out, s.ConvertType(op.Result(i).Type())...)
	}
	return out
}

// AddArgs gives a block of the output the arguments that values of the input become, and binds them.
func (s *State) AddArgs(b ir.Block, vs []ir.Value) {
	if s.op.IsNil() && len(vs) > 0 { // those of a kernel, which errors are about then
		s.op = vs[0].Block().ParentOp()
		defer func() { s.op = ir.Op{} }()
	}
	for _, v := range vs {
		types := s.ConvertType(v.Type())
		args := make([]ir.Value, len(types))
		for i, t := range types {
			args[i] = b.AddArg(t)
		}
		s.Bind(v, args...)
		if len(args) == 1 {
			rename(v, args[0])
		}
	}
}

// BindResults binds the results of an operation to those of one of the output, which has as many as they become, in
// order.
func (s *State) BindResults(op, to ir.Op) {
	rest := to.Results()
	for i := range op.NumResults() {
		v := op.Result(i)
		n := len(s.ConvertType(v.Type()))
		if n > len(rest) {
			s.fail("was converted to an operation with too few results")
		}
		s.Bind(v, rest[:n:n]...)
		rest = rest[n:]
	}
}

// Recreate makes an operation of another row, or the same, from the operands, results and regions that those of op
// become.
func (s *State) Recreate(op ir.Op, def *ir.OpDef, attrs ...ir.NamedAttr) error {
	if op.NumSuccessors() > 0 {
		return op.Errorf("has successors, and cannot be converted within structured control flow")
	}
	st := s.NewState(def, op.Loc())
	st.Operands, st.Types, st.Attrs = s.Flat(op.Operands()), s.ResultTypes(op), attrs
	for range max(op.NumRegions(), len(def.Regions)) {
		st.AddRegion()
	}
	to := s.Insert(st)
	for i := range op.NumRegions() {
		if err := s.Region(op.Region(i), to.Region(i)); err != nil {
			return err
		}
	}
	s.BindResults(op, to)
	return nil
}

// Region converts the blocks of src into dst, and leaves the builder where it was.
func (s *State) Region(src, dst ir.Region) error {
	at := s.Block()
	for b := range src.Blocks() {
		to := dst.AddBlock()
		s.AddArgs(to, b.Args())
		s.SetInsertionPointToEnd(to)
		if err := s.Ops(b); err != nil {
			return err
		}
	}
	s.SetInsertionPointToEnd(at)
	return nil
}
