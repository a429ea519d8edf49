package specializewarps

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// A slice is what a role needs of the kernel: a set of operations, and some of the values that rebuilt loops and ifs
// carry.
//
// Loops and ifs around groups are rebuilt for each role, with the values that the role needs and the states of its
// pipes. Every other operation is cloned as one.
type slice struct {
	rebuilt map[ir.Op]bool
	live    map[ir.Op]bool
	seen    map[ir.Value]bool
	// needs begins the reason why the role cannot execute an operation, such as "the coordinates of a copy depend"; "": it
	// executes all that the program does.
	needs string
	err   error // why it cannot execute the first operation that it must not
	// oneWarp says that the role has one warp. Then it has no part of a tensor that warps share.
	oneWarp bool
	// given are values that the role has without the operations that compute them.
	given map[ir.Value]bool
	// others is what other roles execute instead.
	others map[ir.Op]bool
	// tables are what the role reads ahead in loops.
	tables map[ir.Op]*table
}

func newSlice(rebuilt map[ir.Op]bool, needs string, oneWarp bool) *slice {
	return &slice{rebuilt: rebuilt, live: make(map[ir.Op]bool), seen: make(map[ir.Value]bool), given: make(map[ir.Value]bool), needs: needs, oneWarp: oneWarp, tables: make(map[ir.Op]*table)}
}

// op adds an operation and everything that it depends on.
func (s *slice) op(op ir.Op) {
	if s.live[op] {
		return
	}
	if s.needs != "" && !s.rebuilt[op] {
		s.check(op)
	}
	s.live[op] = true
	switch {
	case !s.rebuilt[op]:
		s.values(ir.Inputs(op))
	// Only the bounds: loop-carried values are added when the role uses them (argument).
	case op.Is(scf.For):
		s.values(op.Operands()[:scf.NumBounds])
	case op.Is(scf.Loop):
		for _, exit := range ir.Exits(op) {
			s.around(exit)
		}
	default:
		s.values(op.Operands())
	}
	s.around(op)
}

// has reports whether the role executes an operation: by itself, or in a loop or if that it takes as it is.
func (s *slice) has(op ir.Op) bool {
	for at := op; !at.Is(tileas.Level.Func); at = at.ParentOp() {
		if s.live[at] && !s.rebuilt[at] {
			return true
		}
	}
	return false
}

// around adds the loops and ifs that decide whether and how often an operation executes.
func (s *slice) around(op ir.Op) {
	if p := op.ParentOp(); s.rebuilt[p] {
		s.op(p)
	}
}

func (s *slice) values(vs []ir.Value) {
	for _, v := range vs {
		s.value(v)
	}
}

func (s *slice) value(v ir.Value) {
	if s.seen[v] || s.given[v] {
		return
	}
	s.seen[v] = true
	def := v.DefiningOp()
	if s.oneWarp && ir.IsTensor(v) && (def.IsNil() || s.rebuilt[def]) {
		s.fail("a tensor that is passed through control flow")
	}
	switch {
	case def.IsNil():
		s.argument(v)
	case def.Is(tileas.TMALoad), tileas.IsCopy(def) && s.others[def]: // a token: a role that has waited for the load may use the token from before it
		s.values(def.OperandsNamed("token"))
	case def.Is(tileas.MakeTensorMap) && s.rebuilt != nil: // it stays before the roles, with its operands
	case def.Is(tileas.BuildTensorMap): // whose scratch buffer stands before the roles
		s.live[def] = true
		s.around(def)
		s.values(def.Operands()[1:])
	case !s.rebuilt[def]:
		s.op(def)
	default:
		s.op(def)
		if !def.Is(scf.If) { // a loop carries it
			s.value(carriedArgs(def)[v.Index()])
		}
		for _, exit := range ir.Exits(def) {
			s.value(exit.Operand(v.Index()))
		}
	}
}

// argument adds a loop-carried value of a rebuilt loop: its initial value and what the body yields.
func (s *slice) argument(v ir.Value) {
	loop := v.Block().ParentOp()
	if !s.rebuilt[loop] {
		return
	}
	s.op(loop)
	if i := slices.Index(carriedArgs(loop), v); i >= 0 { // not the counter
		_, inits := startOf(loop)
		s.value(inits[i])
		s.value(loop.Result(i)) // what the body yields
	}
}

// startOf returns the bounds of a rebuilt loop, of which an scf.loop has none, and the initial values that it carries.
func startOf(loop ir.Op) (bounds, inits []ir.Value) {
	n := loop.NumOperands() - loop.NumResults() // an scf.loop has results of the same types
	return loop.Operands()[:n:n], loop.Operands()[n:]
}

// carriedArgs returns the arguments of a rebuilt loop's body for the loop-carried values: all but the counter.
func carriedArgs(loop ir.Op) []ir.Value {
	return loop.Body().Args()[loop.Body().NumArgs()-loop.NumResults():]
}

// rebuiltLoops returns the loops and ifs around groups; the error names the first one that cannot be rebuilt.
func rebuiltLoops(fn ir.Op, groups []*group) (map[ir.Op]bool, error) {
	rebuilt := make(map[ir.Op]bool)
	for _, g := range groups {
		for p := g.block.ParentOp(); !p.Is(tileas.Level.Func); p = p.ParentOp() {
			if rebuilt[p] {
				continue
			}
			if !p.Is(scf.For) && !p.Is(scf.If) && !(p.Is(scf.Loop) && slices.Equal(p.ResultTypes(), ir.TypesOf(p.Operands()))) {
				return nil, fmt.Errorf("'%s' stands in '%s'", g.buffers[0].fill.Name(), p.Name())
			}
			rebuilt[p] = true
			for _, exit := range ir.Exits(p) { // an scf.loop may end in ifs of its body
				for op := exit.ParentOp(); op != p && op.Is(scf.If) && p.Is(scf.Loop); op = op.ParentOp() {
					rebuilt[op] = true
				}
			}
		}
	}
	return rebuilt, ir.Try(fn.Collect(func(op ir.Op) bool { return rebuilt[op] }), func(op ir.Op) error { return endsOnce(op, rebuilt) })
}

// endsOnce reports a loop or an if that control leaves in the middle, but by an if of an scf.loop. Roles would have to
// agree on that.
func endsOnce(op ir.Op, rebuilt map[ir.Op]bool) error {
	for _, inner := range op.Collect(func(inner ir.Op) bool { return inner != op && inner.HasTrait(ir.Terminator) }) {
		to := ir.ExitTarget(inner)
		if to.Is(scf.Loop) && rebuilt[to] && (inner.ParentOp() == to || inner.ParentOp().ParentOp() == to && rebuilt[inner.ParentOp()]) {
			continue
		}
		if to.IsNil() || to == op && inner.ParentOp() != op || !op.IsAncestorOf(to) {
			return fmt.Errorf("'%s' leaves '%s' before its end", inner.Name(), op.Name())
		}
	}
	return nil
}
