package ci

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/scratch"
)

// A history is a repository with the script of subjects in it.
type history struct {
	t   *testing.T
	dir string
}

func newHistory(t *testing.T) history {
	t.Helper()
	for _, tool := range []string{"bash", "git"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("the script needs %s: %v", tool, err)
		}
	}
	h := history{t, t.TempDir()}
	script, err := os.ReadFile(filepath.Join(corpus.Root(), ".ci", "subjects.sh"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(h.dir, ".ci"), 0o777); err != nil {
		t.Fatal(err)
	}
	scratch.Script(t, filepath.Join(h.dir, ".ci"), "subjects.sh", string(script))
	h.git("init", "-q", "-b", "main")
	return h
}

func (h history) git(args ...string) {
	h.t.Helper()
	if out, err := h.command("git", args...); err != nil {
		h.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (h history) commit(subject string) {
	h.t.Helper()
	h.git("commit", "-q", "--allow-empty", "-m", subject)
}

func (h history) command(name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir = h.dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	out, err := c.CombinedOutput()
	return string(out), err
}

// TestSubjects: the script rejects each subject that breaks the rule, and says why.
func TestSubjects(t *testing.T) {
	t.Parallel()
	long := "tests: " + strings.Repeat("x", 72)
	for subject, want := range map[string]string{
		"tests: split the root package":         "",
		"README: fit three screens":             "",
		"asm, ir: print locations once":         "",
		"tests/lit: run \"%t\" in a folder":     "",
		long[:72]:                               "",
		long[:73]:                               "73 characters, at most 72",
		"split the root package":                "not of the form",
		"tests split: the root":                 "not of the form",
		"tests:split the root package":          "not of the form",
		"tests: split the root package in two.": "full stop",
	} {
		t.Run(subject, func(t *testing.T) {
			t.Parallel()
			h := newHistory(t)
			h.commit("what came before the rule, in whatever words and however long the line may be that it takes")
			h.git("branch", "base")
			h.commit(subject)
			h.commit("docs: add a page")
			out, err := h.command("bash", ".ci/subjects.sh", "base")
			if (err == nil) != (want == "") || !strings.Contains(out, want) {
				t.Errorf("got %v\n%swant %q", err, out, want)
			}
		})
	}
}

// TestSubjectsWithoutBase: a clone without an origin, or of main itself, checks commits all the same.
func TestSubjectsWithoutBase(t *testing.T) {
	t.Parallel()
	for _, origin := range []bool{false, true} {
		h := newHistory(t)
		h.commit("no area")
		if origin {
			h.git("update-ref", "refs/remotes/origin/main", "HEAD")
		}
		if out, err := h.command("bash", ".ci/subjects.sh"); err == nil || !strings.Contains(out, "no area") {
			t.Errorf("origin %v: got %v\n%s", origin, err, out)
		}
		h.commit("tests: name an area")
		if out, err := h.command("bash", ".ci/subjects.sh"); err != nil {
			t.Errorf("origin %v: got %v\n%s", origin, err, out)
		}
	}
}
