package lit

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
)

var update = flag.Bool("update", false, "rewrite the files that tests compare their output with")

// Suite is the test files below a folder and the tools that they call.
type Suite struct {
	Root       string          // folder that is searched for test files; folders named Inputs are left out
	Extensions []string        // of test files; none: .mlir
	Tools      map[string]Tool // by the name that RUN lines use
	Package    string          // what go test takes to repeat a test, such as ./tests/suite
	Every      int             // in the short tier, every n-th file runs, unless -run names files; 0: all

	// Substitutions are added to those of package lit: what %NAME stands for, by NAME.
	Substitutions map[string]string
	// Done, when set, is told of every file that ran, from several goroutines.
	Done func(Result)
}

// A Result is what became of a test file.
type Result struct {
	Name string // below the root
	Runs int    // RUN lines
	Err  error  // nil: passed
}

// required maps what REQUIRES lines may name to the judge that it stands for. The judge can then be called by that
// name.
var required = map[string]func(testing.TB) string{
	"cuobjdump":    program("cuobjdump"),
	"nvdisasm":     program("nvdisasm"),
	"ptxas":        program("ptxas"),
	"python":       judges.Python,
	"tileiras":     program("tileiras"),
	"tileirdisasm": program("tileirdisasm"),
}

func program(name string) func(testing.TB) string {
	return func(t testing.TB) string {
		t.Helper()
		return judges.Tool(t, name)
	}
}

// Run runs every test file as a parallel subtest that is named after its path below the root.
func (s *Suite) Run(t *testing.T) {
	t.Helper()
	files, err := s.files()
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no test files in %s", s.Root)
	}
	named := strings.Contains(flag.Lookup("test.run").Value.String(), "/") // -run says which files
	for i, name := range files {
		if !named && !tier.Try(i, max(s.Every, 1)) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, err := filepath.Abs(filepath.Join(s.Root, filepath.FromSlash(name)))
			if err != nil {
				t.Fatal(err)
			}
			runs, err := s.runFile(t, path)
			var skip skipError
			if errors.As(err, &skip) {
				t.Skip(skip)
			}
			if s.Done != nil {
				s.Done(Result{name, runs, err})
			}
			if err != nil {
				t.Errorf("%v\n-- repeat with:\n%s", err, repeat(s.Package, t.Name()))
			}
		})
	}
}

// files returns the test files below the root, sorted, with slashes.
func (s *Suite) files() ([]string, error) {
	extensions := s.Extensions
	if len(extensions) == 0 {
		extensions = []string{".mlir"}
	}
	var out []string
	err := filepath.WalkDir(s.Root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if entry.Name() == "Inputs" {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.Contains(extensions, filepath.Ext(path)) {
			return nil
		}
		name, err := filepath.Rel(s.Root, path)
		out = append(out, filepath.ToSlash(name))
		return err
	})
	return out, err
}

// A skipError says why a test file is not to run here.
type skipError string

func (e skipError) Error() string { return string(e) }

// runFile runs one test file. It returns how many RUN lines it has.
func (s *Suite) runFile(t *testing.T, path string) (runs int, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	file, err := parseFile(string(text))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	if file.skipped != "" {
		return 0, skipError(file.skipped)
	}
	tools, values := s.Tools, s.Substitutions
	for _, name := range file.requires {
		if tools, values, err = withJudge(t, name, tools, values); err != nil {
			return 0, fmt.Errorf("%s: REQUIRES: %w", path, err)
		}
	}
	e := &environment{path: path, temp: t.TempDir(), file: file, tools: tools, update: *update, values: values}
	if !file.runsHere() {
		return 0, skipError("all its lines are of the long tier")
	}
	err = e.runAll("")
	if err == nil {
		err = s.runJudged(t, e)
	}
	if file.fails {
		if err == nil {
			return len(file.runs), fmt.Errorf("%s: the test passes, but a line XFAIL says that it fails", path)
		}
		t.Logf("fails as expected: %v", err)
		err = nil
	}
	return len(file.runs), err
}

// runJudged runs the lines that need judges, those of each judge as a subtest, which a machine without it skips.
func (s *Suite) runJudged(t *testing.T, e *environment) (err error) {
	for _, name := range e.file.judges() {
		if required[name] == nil {
			_, _, err = withJudge(t, name, nil, nil)
			return fmt.Errorf("%s: RUN(%s): %w", e.path, name, err)
		}
		t.Run(name, func(t *testing.T) {
			judged := *e
			if judged.tools, judged.values, err = withJudge(t, name, e.tools, e.values); err == nil {
				err = judged.runAll(name)
			}
			if err != nil {
				t.Fail()
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// withJudge adds a judge to tools that can be called, and its path to what substitutions stand for.
func withJudge(t testing.TB, name string, tools map[string]Tool, values map[string]string) (map[string]Tool, map[string]string, error) {
	judge, ok := required[name]
	if !ok {
		return nil, nil, fmt.Errorf("unknown judge '%s', expected one of %s", name, strings.Join(slices.Sorted(maps.Keys(required)), ", "))
	}
	program := judge(t)
	tools, values = maps.Clone(tools), maps.Clone(values)
	if tools == nil {
		tools = make(map[string]Tool)
	}
	if values == nil {
		values = make(map[string]string)
	}
	if _, taken := tools[name]; !taken {
		tools[name] = Exec(program)
	}
	values[name] = program
	return tools, values, nil
}

// repeat is the command that runs one test again.
func repeat(pkg, test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return fmt.Sprintf("go test %s -run '%s'", pkg, strings.Join(parts, "/"))
}
