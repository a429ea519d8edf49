package rewrite

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
)

// Every change reaches the listener.
func TestRewriterTellsOfChanges(t *testing.T) {
	t.Parallel()
	f, m, x := newFn()
	a := m.op(mul, x, x)
	b := m.op(mul, a, x)
	m.print(b)
	m.print(a)
	other := f.Region(0).AddBlock()
	maker{ir.BuilderAtEnd(other)}.print(x)
	var log []string
	note := func(what string) func(ir.Op) {
		return func(op ir.Op) { log = append(log, what+" "+op.Def().Name) }
	}
	rw := NewRewriter(ir.BuilderBefore(b.DefiningOp()), Listener{Inserted: note("in"), Modified: note("mod"), Erasing: note("out")})
	check := func(step string, want ...string) {
		t.Helper()
		if got := strings.Join(log, ", "); got != strings.Join(want, ", ") {
			t.Errorf("%s: got %s", step, got)
		}
		log = nil
	}
	n := rw.ReplaceWithNew(b.DefiningOp(), add, []ir.Value{a, x}, []ir.Type{x.Type()})
	check("replace with new", "in add", "mod print", "out mul")
	rw.ReplaceUsesIf(a, x, func(u ir.Use) bool { return u.Owner().Is(print) })
	check("replace some uses", "mod print")
	rw.SetOperand(n, 0, x)
	check("set an operand", "mod add", "mod mul")
	rw.MoveBefore(n, a.DefiningOp())
	check("move", "in add")
	rw.Erase(a.DefiningOp())
	check("erase", "out mul")
	rw.Update(n, func() { n.SetAttr("note", f.Context().Unit()) })
	check("update", "mod add")
	rw.EraseBlock(other)
	check("erase a block", "out print")
	if got := text(f); got != "1=add x x; print 1; print x" {
		t.Errorf("got %s", got)
	}
}
