package plants

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/tests/kernelsuite"
)

// editedKernels are the plants of one file: a kernel of nv_tileas, a launch, and edits of the kernel.
type editedKernels struct {
	kernel string
	args   []string
	blocks uint32
	orders uint64 // of the threads
	plants []editedKernel
}

// An editedKernel is a mistake that a pass could have written into a kernel.
type editedKernel struct {
	name  string
	edits [][]string // each a run of lines, marked as in a diff
	finds []string   // parts of messages, of which the interpreter gives one in each order
}

// What a plant may find besides parts of messages.
const (
	nothing = "nothing"
	anError = "an error"
)

// readEditedKernels reads a file of plants, whose format doc.go states.
func readEditedKernels(file string) (*editedKernels, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	all := &editedKernels{blocks: 1, orders: 1}
	for i, line := range strings.Split(string(text), "\n") {
		if err := all.line(line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
	}
	all.kernel = filepath.Join(filepath.Dir(file), all.kernel)
	return all, nil
}

func (all *editedKernels) line(line string) (err error) {
	n := len(all.plants) - 1
	if mark, rest, _ := strings.Cut(line, " "); slices.Contains([]string{"@@", "", "-", "+"}, mark) && line != "" {
		if n < 0 {
			return fmt.Errorf("an edit of no plant")
		}
		p := &all.plants[n]
		if mark == "@@" {
			p.edits = append(p.edits, nil)
			return nil
		}
		if len(p.edits) == 0 {
			return fmt.Errorf("expected @@ before an edit")
		}
		last := len(p.edits) - 1
		p.edits[last] = append(p.edits[last], oneMark(mark)+strings.TrimSpace(rest))
		return nil
	}
	key, value, ok := strings.Cut(line, ": ")
	switch {
	case line == "" || strings.HasPrefix(line, "#"):
	case key == "kernel":
		all.kernel = value
	case key == "arg":
		all.args = append(all.args, value)
	case key == "grid":
		var blocks uint64
		blocks, err = strconv.ParseUint(value, 10, 32)
		all.blocks = uint32(blocks)
	case key == "orders":
		all.orders, err = strconv.ParseUint(value, 10, 32)
	case key == "plant":
		all.plants = append(all.plants, editedKernel{name: value})
	case key == "finds" && n >= 0:
		all.plants[n].finds = append(all.plants[n].finds, value)
	case !ok:
		err = fmt.Errorf("expected KEY: VALUE or an edit")
	default:
		err = fmt.Errorf("unknown key '%s'", key)
	}
	return err
}

// oneMark is one character for the mark of a line of an edit.
func oneMark(mark string) string { return (mark + " ")[:1] }

// apply edits the lines of a kernel. Each edit must fit at one place.
func (p *editedKernel) apply(kernel string) (string, error) {
	lines := strings.Split(kernel, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	for _, edit := range p.edits {
		var before, after []string
		for _, line := range edit {
			if line[0] != '+' {
				before = append(before, line[1:])
			}
			if line[0] != '-' {
				after = append(after, line[1:])
			}
		}
		at := -1
		for i := range lines {
			if i+len(before) <= len(lines) && slices.Equal(lines[i:i+len(before)], before) {
				if at >= 0 {
					return "", fmt.Errorf("lines %d and %d of the kernel are\n%s", at+1, i+1, strings.Join(before, "\n"))
				}
				at = i
			}
		}
		if at < 0 || len(before) == 0 {
			return "", fmt.Errorf("the kernel has no lines\n%s", strings.Join(before, "\n"))
		}
		lines = slices.Replace(lines, at, at+len(before), after...)
	}
	return strings.Join(lines, "\n"), nil
}

// TestEditedKernels: the interpreter finds each mistake in a kernel of nv_tileas at its operation, in every order of
// threads, and no mistake hangs. The kernel without a mistake runs.
func TestEditedKernels(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "tileas", "*.plants"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		all, err := readEditedKernels(file)
		if err != nil {
			t.Fatal(err)
		}
		kernel, err := os.ReadFile(all.kernel)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range append([]editedKernel{{name: "none", finds: []string{nothing}}}, all.plants...) {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".plants")+"/"+p.name, func(t *testing.T) {
				t.Parallel()
				text, err := p.apply(string(kernel))
				if err != nil {
					t.Fatal(err)
				}
				all.try(t, &p, text)
			})
		}
	}
}

// try runs a kernel in each order.
func (all *editedKernels) try(t *testing.T, p *editedKernel, text string) {
	t.Helper()
	var said bytes.Buffer
	m := kerneltest.Read(t, &said, all.kernel, []byte(text))
	err := kernelsuite.EachOrder(m, all.orders, func(order string, e *interp.Engine) error {
		req, err := kernelsuite.Request(all.blocks, all.args)
		if err != nil {
			return err
		}
		if err := e.Run(context.Background(), req); !p.found(err) {
			t.Errorf("%s: got %v, want one of %q", order, err, p.finds)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// found reports whether an execution ends as the plant says.
func (p *editedKernel) found(err error) bool {
	return slices.ContainsFunc(p.finds, func(part string) bool {
		switch part {
		case nothing:
			return err == nil
		case anError:
			return err != nil
		}
		return err != nil && strings.Contains(err.Error(), part)
	})
}
