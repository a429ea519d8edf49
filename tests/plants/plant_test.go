package plants

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	_ "github.com/tilewright/tilewright/passes/all" // the passes that are damaged
)

// A Plant is a bug in a pass: what a mistake in the pass could have done to a kernel.
type Plant struct {
	Name string
	// Kernel is the numeric case of the corpus whose kernel is compiled, or a file of IR, relative to this folder.
	// FILE@NAME is the function NAME of a file with several, which lines `// -----` part.
	Kernel string
	// Launch is how the kernel of a file is launched: flags of tile-run.
	Launch string
	// Passes are flags of tile-opt that choose passes; none is the default pipeline.
	Passes []string
	// Flags are further flags of tile-opt, and Options, by the names of passes, make the options with which those
	// run that a pipeline gives none.
	Flags   []string
	Options map[string]func() any

	// Pass is the pass with the bug, and Run the one run of it that has the bug, from 1; 0: all runs.
	Pass string
	Run  int
	// Instead, when set, runs instead of the pass. Damage runs after it, and reports whether there was anything to
	// damage: a plant that changes nothing shows nothing.
	Instead func(r *passes.Run) error
	Damage  func(op ir.Op) bool
	// Edit, when set, damages the text that all passes leave, in place of one pass (Late, Code).
	Edit func(text string) string

	// By is what must find the bug: the name of a property that the pass is to be signaled to break, or one of the
	// constants below.
	By string
	// Says, when set, is part of what is said, or several parts of which one is, as in A | B.
	Says string
}

// What may find a plant, besides properties.
const (
	// Verifier stands for the verifiers.
	Verifier = "verifier"
	// Rejected stands for a later pass that cannot go on. Nothing names the pass with the bug then.
	Rejected = "rejected"
	// Exec stands for an execution of the case after each pass, which must name the pass (--verify-each=exec).
	Exec = "exec"
	// Late stands for an execution of what the passes leave at nv_tileas, without any other check. Each thread runs
	// by itself, and everything asynchronous comes as late as it may, in several orders.
	Late = "late"
	// Code stands for an execution of the PTX that becomes of it, in as many orders.
	Code = "code"
)

// In fills the fields of plants that are not set with those of base. Flags of base come first.
func In(base Plant, list ...Plant) []Plant {
	for i := range list {
		p := &list[i]
		p.Flags = append(base.Flags[:len(base.Flags):len(base.Flags)], p.Flags...)
		for _, f := range []struct{ to, from *string }{{&p.Kernel, &base.Kernel}, {&p.Launch, &base.Launch}, {&p.Pass, &base.Pass}, {&p.By, &base.By}, {&p.Says, &base.Says}} {
			if *f.to == "" {
				*f.to = *f.from
			}
		}
		if p.Passes == nil {
			p.Passes = base.Passes
		}
		if p.Options == nil {
			p.Options = base.Options
		}
	}
	return list
}

// with returns a plant with another pass and what finds its bugs.
func (p Plant) with(pass, by string) Plant {
	p.Pass, p.By = pass, by
	return p
}

// Try compiles the kernel with the plant, and fails the test unless the bug is found.
func (p Plant) Try(t *testing.T) {
	t.Helper()
	dir, module := p.input(t)
	if p.By == Late || p.By == Code {
		p.tryLate(t, dir, module)
		return
	}
	goal := p.Passes
	if goal == nil {
		goal = []string{"--lower-to=ptx"}
	}
	args := append([]string{"--disable-threading", "--verify-each", "--crash-reproducer=" + filepath.Join(t.TempDir(), "crash.mlir"), module}, goal...)
	if p.By == Exec {
		args = append(args, "--verify-each=exec", "--exec-case="+dir)
	}
	_, said, status := p.compile(t, append(args, p.Flags...), true)
	if status != 1 {
		t.Fatalf("nobody noticed: status %d", status)
	}
	if !strings.Contains(said, p.verdict()) || !p.says(said) {
		t.Errorf("got\n%swant %q and %q", said, p.verdict(), p.Says)
	}
}

// compile calls tile-opt, with the bug or without it.
func (p Plant) compile(t *testing.T, args []string, bug bool) (out, said string, status int) {
	t.Helper()
	damaged := !bug || p.Edit != nil
	tool := opttool.TileOpt()
	tool.Registry = p.registry(t, &damaged)
	var stdout, stderr bytes.Buffer
	status = tool.Main(args, strings.NewReader(""), &stdout, &stderr)
	if !damaged {
		t.Fatalf("the plant has damaged nothing\n%s", &stderr)
	}
	return stdout.String(), stderr.String(), status
}

// says reports whether a text says what it should.
func (p Plant) says(text string) bool {
	for part := range strings.SplitSeq(p.Says, " | ") {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// verdict is the beginning of the sentence that names the pass.
func (p Plant) verdict() string {
	switch p.By {
	case Verifier:
		return "pass '" + p.Pass + "' left invalid IR in "
	case Rejected:
		return "' failed on '"
	case Exec:
		return "after pass '" + p.Pass + "' case '"
	}
	verb := "keep"
	if pass := passes.Default.Lookup(p.Pass); pass != nil && pass.EstablishesProperty(passes.PropertyNamed(p.By)) {
		verb = "establish"
	}
	return "pass '" + p.Pass + "' does not " + verb + " '" + passes.PropertyNamed(p.By).Name + "'"
}

// registry returns the registry of all passes, with one that has a bug unless something is damaged already.
func (p Plant) registry(t *testing.T, damaged *bool) *passes.Registry {
	t.Helper()
	bug := !*damaged
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
			if bug {
				pass = p.damage(pass, damaged)
			}
		}
		if err := reg.Add(pass); err != nil {
			t.Fatal(err)
		}
	}
	if !found && p.Edit == nil {
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
		}
		return nil
	}
	return &bad
}

// Nothing is a pass that forgets to do anything.
func Nothing(*passes.Run) error { return nil }
