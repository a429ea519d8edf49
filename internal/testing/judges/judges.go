package judges

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
)

// EnvVar names the environment variable that overrides where the judges live.
const EnvVar = "TILEWRIGHT_JUDGES"

const (
	installer  = ".ci/judges.sh"
	hashDigits = 16
)

// list is a file of requirements, and the file in the environment that holds its hash once they are installed.
type list struct{ requirements, mark string }

var (
	base   = list{".ci/judges.txt", ".tilewright-judges"} // its hash names the environment
	triton = list{".ci/judges-triton.txt", ".tilewright-judges-triton"}
	python = list{".ci/judges-python.txt", ".tilewright-judges-python"}
	// tilecpp is added to the same environment.
	tilecpp = list{".ci/judges-tilecpp.txt", ".tilewright-judges-tilecpp"}
)

// Path returns the folder of the judges' virtual environment, whether or not it exists. It is the folder that
// .ci/judges.sh would print.
func Path() (string, error) {
	if dir := os.Getenv(EnvVar); dir != "" {
		return dir, nil
	}
	hash, err := base.hash()
	if err != nil {
		return "", err
	}
	cache := os.Getenv("XDG_CACHE_HOME")
	if cache == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("locating the judges: %w", err)
		}
		cache = filepath.Join(home, ".cache")
	}
	return filepath.Join(cache, "tilewright", "judges-"+hash), nil
}

// hash identifies the list's contents; .ci/judges.sh computes the same one.
func (l list) hash() (string, error) {
	text, err := os.ReadFile(filepath.Join(corpus.Root(), l.requirements))
	if err != nil {
		return "", fmt.Errorf("reading the list of judges: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])[:hashDigits], nil
}

// locate returns the environment's folder if all of the list is installed there. An installation that was interrupted,
// or that was made from another version of the list, counts as absent.
func (l list) locate() (string, error) {
	dir, err := Path()
	if err != nil {
		return "", err
	}
	want, err := l.hash()
	if err != nil {
		return "", err
	}
	got, err := os.ReadFile(filepath.Join(dir, l.mark))
	if err != nil {
		return "", fmt.Errorf("what %s lists is not installed in %s", l.requirements, dir)
	}
	if string(got) != want {
		return "", fmt.Errorf("the judges in %s were installed from another %s", dir, l.requirements)
	}
	return dir, nil
}

// Available reports whether the judges are installed, for a caller that chooses between two forms of a test. A test
// that cannot do without a judge calls [Tool], [Ptxas] or [Python].
func Available() bool {
	_, err := base.locate()
	return err == nil
}

// Tool returns the path of the named program, such as "ptxas" or "tileirdisasm". An absent judge skips the test, or
// fails it when CI=true.
func Tool(t testing.TB, name string) string {
	t.Helper()
	return base.find(t, func(dir string) (string, error) {
		return findTool(dir, name)
	})
}

// Ptxas returns the path of NVIDIA's PTX assembler.
func Ptxas(t testing.TB) string {
	t.Helper()
	return Tool(t, "ptxas")
}

// Nvcc returns the path of the compiler of CUDA Tile C++, which needs the headers of a further package and a host
// compiler.
func Nvcc(t testing.TB) string {
	t.Helper()
	return tilecpp.find(t, func(dir string) (string, error) {
		if _, err := exec.LookPath("gcc"); err != nil {
			return "", fmt.Errorf("nvcc needs a host compiler: %w", err)
		}
		return findTool(dir, "nvcc")
	})
}

// Python returns the path of the Python interpreter that has the cuda.tile producer and numpy installed.
func Python(t testing.TB) string {
	t.Helper()
	return base.find(t, findPython)
}

// TritonPython returns the path of the Python interpreter that has Triton and numpy installed. Absent Triton skips the
// test, or fails it when CI=true.
func TritonPython(t testing.TB) string {
	t.Helper()
	return triton.find(t, findPython)
}

// Axe returns the path of axe-core, a script that finds what keeps people from using a page.
func Axe(t testing.TB) string {
	t.Helper()
	return python.find(t, func(dir string) (string, error) {
		found, err := filepath.Glob(filepath.Join(dir, "lib", "python3*", "site-packages", "axe_core_python", "axe.min.js"))
		if err != nil || len(found) == 0 {
			return "", fmt.Errorf("no axe-core among the judges in %s", dir)
		}
		return found[0], nil
	})
}

func (l list) find(t testing.TB, in func(dir string) (string, error)) string {
	t.Helper()
	dir, err := l.locate()
	if err == nil {
		var path string
		if path, err = in(dir); err == nil {
			return path
		}
	}
	end(t, "the judges", err, "run "+installer)
	return ""
}

// end ends a test whose judge is absent, and says how to get it.
func end(t testing.TB, judge string, err error, cure string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("this test needs %s, and CI must not skip it: %v; %s", judge, err, cure)
	}
	t.Skipf("this test needs %s: %v; %s", judge, err, cure)
}

func findPython(dir string) (string, error) {
	return executable(filepath.Join(dir, "bin", "python"))
}

func findTool(dir, name string) (string, error) {
	// Every wheel unpacks below nvidia/<toolkit>/, with its programs in bin.
	pattern := filepath.Join(dir, "lib", "python3*", "site-packages", "nvidia", "*", "bin", name)
	matches, err := filepath.Glob(pattern)
	if err != nil {
		return "", fmt.Errorf("looking for %s: %w", name, err)
	}
	for _, m := range matches {
		if path, err := executable(m); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no program %s among the judges in %s", name, dir)
}

func executable(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if info.IsDir() || info.Mode()&0o111 == 0 {
		return "", fmt.Errorf("%s is not a program", path)
	}
	return path, nil
}
