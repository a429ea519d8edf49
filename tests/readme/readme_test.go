package readme

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/tooling/demo"
	"github.com/tilewright/tilewright/tests/programs"
)

// TestMain lets the test program be a tool when it is called by the name of one, so that a shell can call it.
func TestMain(m *testing.M) { programs.Main(m) }

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

// TestTour: the tour uses each of the main tools.
func TestTour(t *testing.T) {
	t.Parallel()
	all := examples(page(t, "docs/tour.md"))
	for _, name := range []string{"tile-opt", "tile-translate", "tilec", "tile-run"} {
		if !slices.ContainsFunc(all, func(e example) bool { return strings.HasPrefix(e.command, name+" ") }) {
			t.Errorf("the tour shows no use of %s", name)
		}
	}
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

// TestPages runs the commands of pages in the folder of the demo's case and of the example add.mlir, in their order.
func TestPages(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"README.md", "docs/tour.md", "docs/frontend.md", "docs/pass.md", "docs/pass-authors.md", "docs/launch.md"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, err := demo.Extract(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "add.mlir"), []byte(page(t, "docs/examples/add.mlir")), 0o600); err != nil {
				t.Fatal(err)
			}
			all := examples(page(t, name))
			if len(all) == 0 {
				t.Errorf("%s has no examples", name)
			}
			run(t, name, all, dir)
		})
	}
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
	path := programs.Install(t)
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

// TestPassRecipe compiles the pass that CONTRIBUTING.md shows whole.
func TestPassRecipe(t *testing.T) {
	t.Parallel()
	_, rest, _ := strings.Cut(page(t, "CONTRIBUTING.md"), "       package mypass\n")
	code, _, ok := strings.Cut(rest, "\n   `Name`")
	if !ok {
		t.Fatal("CONTRIBUTING.md shows no pass")
	}
	dir := t.TempDir()
	source, overlay := filepath.Join(dir, "pass.go"), filepath.Join(dir, "overlay.json")
	at := filepath.Join(corpus.Root(), "passes", "tileas", "mypass", "pass.go")
	for file, text := range map[string]string{source: "package mypass\n" + code, overlay: `{"Replace": {"` + at + `": "` + source + `"}}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "build", "-overlay", overlay, "./passes/tileas/mypass")
	cmd.Dir = corpus.Root()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
