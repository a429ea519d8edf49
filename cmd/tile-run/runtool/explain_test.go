package runtool_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// located is kernels of which each operation says what line of k.py it is of.
const located = `cuda_tile.module @m {
  entry @beyond(%a: tile<ptr<f32>>) {
    %i = iota : tile<64xi32>
    %p0 = reshape %a : tile<ptr<f32>> -> tile<1xptr<f32>>
    %p1 = broadcast %p0 : tile<1xptr<f32>> -> tile<64xptr<f32>>
    %p = offset %p1, %i : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    %v, %t = load_ptr_tko weak %p : tile<64xptr<f32>> -> tile<64xf32>, token loc(callsite("DIR/k.py":2:11 at "DIR/k.py":6:4))
    %t2 = store_ptr_tko weak %p, %v : tile<64xptr<f32>>, tile<64xf32> -> token loc(callsite("DIR/k.py":2:11 at "DIR/k.py":6:4))
    return
  }
  entry @spin(%a: tile<ptr<f32>>) {
    %c1 = constant <i32: 1> : tile<i32>
    %one, %t = load_ptr_tko relaxed device %a : tile<ptr<f32>> -> tile<f32>, token loc("DIR/k.py":5:8)
    loop {
      %v, %u = load_ptr_tko relaxed device %a : tile<ptr<f32>> -> tile<f32>, token loc("DIR/k.py":5:8)
      %q = cmpf not_equal ordered %v, %one : tile<f32> -> tile<i1> loc("DIR/k.py":5:8)
      if %q { break loc("DIR/k.py":5:8) } loc("DIR/k.py":5:8)
      continue loc("DIR/k.py":5:8)
    } loc("DIR/k.py":5:8)
    return
  }
}
`

const locatedSource = "def load(p):\n    return ct.gather(p)\n\ndef k(p):\n    while wait(p): pass\n    load(p)\n"

// TestExplain shows the user's lines in what went wrong at run time, and where a launch stood that did not end.
func TestExplain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "k.py"), []byte(locatedSource))
	write(t, filepath.Join(dir, "k.mlir"), []byte(strings.ReplaceAll(located, "DIR", dir)))
	line2 := `\n {10}return ct\.gather\(p\)\n {17}\^\n`
	line6 := `    called from DIR/k\.py:6:4\n {10}load\(p\)\n {10}\^\n`
	line5 := `\n {12}while wait\(p\): pass\n {16}\^\n`
	for _, c := range []struct{ args, want string }{
		{"--entry beyond --grid 1 --arg f32[32]", `DIR/k\.py:2:11: error: 'cuda_tile\.load_ptr_tko' op element \[32\].*` + line2 + line6},
		{"--entry beyond --grid 1 --arg f32[32] --engine=ptx", `<PTX of DIR/k\.mlir>:\d+: 'ld\.global\..*out of bounds.*\n    compiled from DIR/k\.py:2:11` + line2 + line6},
		{"--entry spin --grid 3 --arg f32[1] --timeout=300ms --ordered-atomics", `the launch took longer than 300ms
    of 3 tile blocks 0 had ended and [1-3] had begun
    tile block \(0, 0, 0\): at 'cuda_tile\.\w+'\n      of DIR/k\.py:5:8` + line5},
		{"--entry spin --grid 300 --arg f32[1] --timeout=300ms --engine=ptx", `the launch took longer than 300ms
    of 300 tile blocks 0 had ended and \d+ had begun
    cta 0,0,0 .*warps? [-,0-9]+.*: at line \d+ '.*'\n      of DIR/k\.py:5:8` + line5},
		{"--entry spin --grid 2 --arg f32[1] --max-steps=100 --engine=ptx", `after \d+ warp instructions: step limit reached\n    of 2 tile blocks 0 had ended and [12] had begun\n    cta 0,0,0 `},
	} {
		t.Run(strings.Fields(c.args)[1], func(t *testing.T) {
			t.Parallel()
			status, _, errs := call(dir, "IN/k.mlir "+c.args, "")
			if want := strings.ReplaceAll(c.want, "DIR", regexp.QuoteMeta(dir)); status != 1 || !regexp.MustCompile(want).MatchString(errs) {
				t.Errorf("%s: status %d\n%swant %s", c.args, status, errs, want)
			}
		})
	}
}
