package readme

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/cmd/tile-translate/translatetool"
	"github.com/tilewright/tilewright/cmd/tilec/compiletool"
	"github.com/tilewright/tilewright/internal/corpus"
	"github.com/tilewright/tilewright/internal/demo"
	_ "github.com/tilewright/tilewright/passes/all"
)

// tools are the programs that the README calls.
var tools = map[string]func(args []string) int{
	"tile-opt": func(args []string) int {
		return opttool.TileOpt().Main(args, os.Stdin, os.Stdout, os.Stderr)
	},
	"tile-translate": func(args []string) int {
		return translatetool.Main(args, os.Stdin, os.Stdout, os.Stderr)
	},
	"tilec": func(args []string) int {
		return compiletool.Main(context.Background(), "tilec", args, os.Stdin, os.Stdout, os.Stderr)
	},
	"tile-run": func(args []string) int {
		return runtool.Main(context.Background(), args, os.Stdin, os.Stdout, os.Stderr)
	},
}

// TestMain lets the test program be a tool when it is called by the name of one, so that a shell can call it.
func TestMain(m *testing.M) {
	if tool := tools[filepath.Base(os.Args[0])]; tool != nil {
		os.Exit(tool(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// An example is a command of the README and the lines below it.
type example struct {
	command, output string
	line            int
}

// examples returns the indented blocks that begin with a prompt.
func examples(text string) []example {
	const indent, prompt = "    ", "    $ "
	var out []example
	inside := false
	for i, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, prompt):
			out = append(out, example{command: strings.TrimPrefix(line, prompt), line: i + 1})
			inside = true
		case inside && strings.HasPrefix(line, indent):
			out[len(out)-1].output += strings.TrimPrefix(line, indent) + "\n"
		default:
			inside = false
		}
	}
	return out
}

// TestExamples runs the commands of the README in the folder of the demo's case, in their order.
func TestExamples(t *testing.T) {
	t.Parallel()
	text := page(t, "README.md")
	all := examples(text)
	for name := range tools {
		if !slices.ContainsFunc(all, func(e example) bool { return strings.HasPrefix(e.command, name+" ") }) {
			t.Errorf("README shows no use of %s", name)
		}
	}
	dir, err := demo.Extract(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	run(t, "README.md", all, dir)
}

// TestCasesPage runs the commands of the page about cases, beside the files that it shows.
func TestCasesPage(t *testing.T) {
	t.Parallel()
	const name = "docs/cases.md"
	text := page(t, name)
	dir := filepath.Join(t.TempDir(), "double") // a case has the name of its folder
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for language, file := range map[string]string{"mlir": "k.mlir", "json": "case.json"} {
		_, rest, _ := strings.Cut(text, "```"+language+"\n")
		content, _, ok := strings.Cut(rest, "```")
		if !ok {
			t.Fatalf("%s shows no %s", name, file)
		}
		if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run(t, name, examples(text), dir)
}

func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(corpus.Root(), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// run executes the commands of a page in a folder.
func run(t *testing.T, page string, all []example, dir string) {
	t.Helper()
	path := programs(t)
	for _, e := range all {
		cmd := exec.Command("sh", "-c", e.command)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+path+string(os.PathListSeparator)+os.Getenv("PATH"))
		got, err := cmd.CombinedOutput()
		if _, exited := err.(*exec.ExitError); err != nil && !exited {
			t.Fatal(err)
		}
		if diff := cmp.Diff(e.output, string(got)); diff != "" {
			t.Errorf("%s:%d: %s (-page +run):\n%s", page, e.line, e.command, diff)
		}
	}
}

// programs makes a folder in which the test program has the names of the tools.
func programs(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name := range tools {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
