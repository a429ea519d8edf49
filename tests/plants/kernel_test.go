package plants

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// input returns the folder of the plant's case, and the module that is compiled.
func (p Plant) input(t *testing.T) (dir, module string) {
	t.Helper()
	file, function, _ := strings.Cut(p.Kernel, "@")
	if filepath.Ext(file) != ".mlir" {
		dir = filepath.Join(corpus.Dir(t), "cases", p.Kernel)
		return dir, filepath.Join(dir, "k.tileirbc")
	}
	if p.By != Exec && p.By != Late && p.By != Code {
		return "", file
	}
	made, _ := cases.LoadOrStore(p.Kernel+" "+p.Launch, sync.OnceValues(func() (string, error) { return saved(file, function, p.Launch) }))
	dir, err := made.(func() (string, error))()
	if err != nil {
		t.Fatal(err)
	}
	return dir, filepath.Join(dir, "k.mlir")
}

// cases are the folders of cases that saved has made, by kernel and launch.
var cases sync.Map

// caseFolder is the folder that they are in.
var caseFolder string

// saved makes a case of a launch: what the interpreter computes is what is expected.
func saved(file, function, launch string) (dir string, err error) {
	work, err := os.MkdirTemp(caseFolder, "")
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	part := string(text)
	if function != "" {
		part = ""
		for p := range strings.SplitSeq(string(text), "// -----") {
			if strings.Contains(p, "func @"+function+"(") {
				part = p
			}
		}
		if part == "" {
			return "", fmt.Errorf("%s has no function '%s'", file, function)
		}
	}
	module := filepath.Join(work, "k.mlir")
	if err := os.WriteFile(module, []byte(part), 0o600); err != nil {
		return "", err
	}
	dir = filepath.Join(work, "case")
	var out, errs bytes.Buffer
	entry := "k"
	if function != "" {
		entry = function
	}
	if !strings.Contains(launch, "--grid=") {
		launch += " --grid=1"
	}
	args := append(strings.Fields(launch), "--entry", entry, "--save-case", dir, module)
	if status := runtool.Main(context.Background(), args, strings.NewReader(""), &out, &errs); status != 0 {
		return "", fmt.Errorf("%s: tile-run ends with status %d\n%s", file, status, &errs)
	}
	return dir, nil
}

func (p Plant) loadCase(t *testing.T, dir string) *launch.Case {
	t.Helper()
	c, err := launch.LoadCase(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// orders are how many orders of threads and of what is asynchronous tryLate executes a kernel in.
const orders = 8

// right are the functions that execute what passes leave without a bug, by all that decides about that.
var right sync.Map

// tryLate executes what the passes leave at nv_tileas: without the bug, which must be right in every order, and with
// it.
func (p Plant) tryLate(t *testing.T, dir, module string) {
	t.Helper()
	c := p.loadCase(t, dir)
	goal := p.Passes
	if goal == nil {
		goal = []string{"--lower-to=synchronised"}
	}
	args := append(append([]string{"--verify-each=false", module}, goal...), p.Flags...)
	options := fmt.Sprint(slices.Sorted(maps.Keys(p.Options)))
	plain, _ := right.LoadOrStore(strings.Join(args, " ")+options+p.By, sync.OnceValues(func() (text, found string) {
		text, said, status := p.compile(t, args, false)
		if status != 0 {
			return "", said
		}
		return text, p.everyOrder(t, c, text)
	}))
	text, found := plain.(func() (string, string))()
	if found != "" {
		t.Fatalf("without the bug: %s", found)
	}
	if p.Edit != nil {
		edited := p.Edit(text)
		if edited == text {
			t.Fatalf("the plant has damaged nothing in\n%s", text)
		}
		text = edited
	} else if damaged, said, status := p.compile(t, args, true); status != 0 {
		found = said
	} else {
		text = damaged
	}
	if found == "" {
		found = p.everyOrder(t, c, text)
	}
	switch {
	case found == "":
		t.Error("nobody noticed")
	case !p.says(found):
		t.Errorf("got %s\nwant %q", found, p.Says)
	}
}

// everyOrder executes a case on the text of a module at nv_tileas, and returns what is wrong with it in the first
// order that shows it.
func (p Plant) everyOrder(t *testing.T, c *launch.Case, text string) string {
	t.Helper()
	ctx := tileir.NewContext()
	var said bytes.Buffer
	ctx.Diag.Push(ctx.Diag.PrintTo(&said))
	m, err := tileir.Read(ctx, "k.mlir", []byte(text))
	if err != nil {
		return fmt.Sprintf("%v\n%s", err, &said)
	}
	engine := func(order uint64) launch.Engine {
		e := interp.New(m)
		e.Threads, e.Adversarial, e.Seed = true, true, order
		return e
	}
	if p.By == Code {
		code, err := compile.To(context.Background(), m, compile.Options{OptLevel: 3, NoVerify: true})
		if err != nil {
			return fmt.Sprintf("%v\n%s", err, &said)
		}
		e, err := code.Emulator("k.ptx", c.Entry)
		if err != nil {
			return err.Error()
		}
		engine = func(order uint64) launch.Engine {
			e.Adversarial, e.Seed = true, order
			return e
		}
	}
	for order := range uint64(orders) {
		req := c.Request()
		if err := engine(order).Run(context.Background(), req); err != nil {
			return err.Error()
		}
		r, err := c.Check(req)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range r.Outputs {
			if !o.Diff.OK() {
				return fmt.Sprintf("the result differs: %s", o.Diff.FirstPair)
			}
		}
	}
	return ""
}
