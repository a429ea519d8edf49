package kernels

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/judges"
)

// Targets are those that there are cases for.
var Targets = []string{"sm_80", "sm_90", "sm_100", "sm_103", "sm_120"}

// Builds returns for each target the folder of its cases, compiled by this run or an earlier one.
func Builds(t *testing.T) map[string]string {
	t.Helper()
	python := judges.TritonPython(t)
	dirs, err := buildOnce(python)
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

var (
	buildLock sync.Mutex
	built     map[string]string
)

func buildOnce(python string) (map[string]string, error) {
	buildLock.Lock()
	defer buildLock.Unlock()
	if built != nil {
		return built, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	hash, err := sourceHash()
	if err != nil {
		return nil, err
	}
	root := filepath.Join(cache, "tilewright", "triton-"+hash)
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, err
	}
	dirs := make(map[string]string)
	errs := make([]error, len(Targets))
	var wg sync.WaitGroup
	for i, target := range Targets {
		dirs[target] = filepath.Join(root, target)
		wg.Go(func() { errs[i] = build(python, target, dirs[target]) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	built = dirs
	return dirs, nil
}

// build makes a target's folder, in another place first so that an interrupted run leaves nothing half done.
func build(python, target, dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	work, err := os.MkdirTemp(filepath.Dir(dir), "."+target+"-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	cmd := exec.Command(python, "-B", "build.py", work, target)
	cmd.Dir = sources()
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build.py for %s: %w\n%s", target, err, text)
	}
	if err := os.Rename(work, dir); err != nil {
		if _, found := os.Stat(dir); found == nil {
			return nil // another run was faster
		}
		return err
	}
	return nil
}

// sources is the folder of the kernels.
func sources() string { return filepath.Join(corpus.Root(), "tests", "triton") }

// sourceHash identifies the kernels and the compiler.
func sourceHash() (string, error) {
	files, err := filepath.Glob(filepath.Join(sources(), "*.py"))
	if err != nil {
		return "", err
	}
	files = append(files, filepath.Join(corpus.Root(), ".ci", "judges-triton.txt"))
	sum := sha256.New()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s %d\n", filepath.Base(file), len(text))
		sum.Write(text)
	}
	return hex.EncodeToString(sum.Sum(nil))[:16], nil
}
