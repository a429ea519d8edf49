package plants

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/internal/corpus"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	_ "github.com/tilewright/tilewright/passes/all" // the passes that are damaged
)

// A Plant is a bug in a pass.
type Plant struct {
	Name string
	// Kernel is the numeric case whose kernel is compiled. Where Dir is set it is a module in that folder, of a case that the corpus does not have.
	Kernel, Dir string
	// Pass is the pass with the bug. Step, when set, is the one step of the default pipeline that has it, where the pass runs several times: the number of the
	// run, from 1.
	Pass string
	Run  int
	// Instead, when set, runs instead of the pass; Damage runs behind it, and reports whether there was anything to damage: a plant that changes nothing
	// shows nothing.
	Instead func(r *passes.Run) error
	Damage  func(op ir.Op) bool
	// Property is what the pass is to be told to break; Verifier stands for the verifiers, and Exec for an execution of the case (--verify-each=exec).
	Property string
	// Says, when set, is part of the diagnostic.
	Says string
	// Flags are further flags of tile-opt.
	Flags []string
	// Options, by the names of passes, make the options with which those run that a pipeline gives none.
	Options map[string]func() any
}

// What may find a plant, besides properties.
const (
	Verifier = "verifier"
	Exec     = "exec"
)

// Try compiles the kernel with the plant and fails the test unless the pass is named.
func (p Plant) Try(t *testing.T) {
	t.Helper()
	dir, module := p.Dir, p.Kernel
	if dir == "" {
		dir, module = filepath.Join(corpus.Dir(t), "cases", p.Kernel), "k.tileirbc"
	}
	damaged := false
	tool := opttool.TileOpt()
	tool.Registry = p.registry(t, &damaged)
	args := append([]string{"--lower-to=ptx", "--disable-threading", "--crash-reproducer=" + filepath.Join(t.TempDir(), "crash.mlir"), filepath.Join(dir, module)}, p.Flags...)
	if p.Property == Exec {
		args = append(args, "--verify-each=exec", "--exec-case="+dir)
	}
	var out, errs bytes.Buffer
	status := tool.Main(args, strings.NewReader(""), &out, &errs)
	if !damaged {
		t.Fatalf("the plant has damaged nothing\n%s", &errs)
	}
	if status != 1 {
		t.Fatalf("nobody noticed: status %d", status)
	}
	if text := errs.String(); !strings.Contains(text, p.verdict()) || !strings.Contains(text, p.Says) {
		t.Errorf("got\n%swant %q and %q", text, p.verdict(), p.Says)
	}
}

// verdict is the beginning of the sentence that names the pass.
func (p Plant) verdict() string {
	switch p.Property {
	case Verifier:
		return "pass '" + p.Pass + "' left invalid IR in "
	case Exec:
		return "after pass '" + p.Pass + "' case '"
	}
	verb := "keep"
	if pass := passes.Default.Lookup(p.Pass); pass != nil && pass.EstablishesProperty(passes.PropertyNamed(p.Property)) {
		verb = "establish"
	}
	return "pass '" + p.Pass + "' does not " + verb + " '" + passes.PropertyNamed(p.Property).Name + "'"
}

// registry returns the registry of all passes with one that has a bug.
func (p Plant) registry(t *testing.T, damaged *bool) *passes.Registry {
	t.Helper()
	reg := new(passes.Registry)
	found := false
	for _, pass := range passes.Default.Passes() {
		if options := p.Options[pass.Name]; options != nil {
			with := *pass
			with.Options = options
			pass = &with
		}
		if pass.Name == p.Pass {
			found = true
			pass = p.damage(pass, damaged)
		}
		if err := reg.Add(pass); err != nil {
			t.Fatal(err)
		}
	}
	if !found {
		t.Fatalf("there is no pass '%s'", p.Pass)
	}
	return reg
}

func (p Plant) damage(real *passes.Pass, damaged *bool) *passes.Pass {
	bad := *real
	n := 0
	bad.Run = func(r *passes.Run) error {
		n++
		if p.Run != 0 && n != p.Run {
			return real.Run(r)
		}
		if p.Instead != nil {
			*damaged = true
			return p.Instead(r)
		}
		if err := real.Run(r); err != nil {
			return err
		}
		if p.Damage(r.Op) {
			*damaged = true
			r.MarkChanged()
		}
		return nil
	}
	return &bad
}

// First returns the first operation of a row inside op, or a zero Op.
func First(op ir.Op, def *ir.OpDef) ir.Op {
	return FirstWhere(op, def, func(ir.Op) bool { return true })
}

// FirstWhere returns the first operation of a row inside op that satisfies a condition, or a zero Op.
func FirstWhere(op ir.Op, def *ir.OpDef, cond func(ir.Op) bool) (found ir.Op) {
	op.Walk(func(o ir.Op) ir.WalkResult {
		if o.Is(def) && cond(o) {
			found = o
			return ir.Interrupt
		}
		return ir.Advance
	})
	return found
}

// All returns the operations of a row inside op.
func All(op ir.Op, def *ir.OpDef) (all []ir.Op) {
	op.Walk(func(o ir.Op) ir.WalkResult {
		if o.Is(def) {
			all = append(all, o)
		}
		return ir.Advance
	})
	return all
}

// Nothing is a pass that forgets to do anything.
func Nothing(*passes.Run) error { return nil }
