package dropin

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/cubin"
)

// tileSource is a program of CUDA Tile C++ whose kernel nvcc has assembled.
const tileSource = `#include <cuda_tile.h>
__tile_global__ void twice(float* __restrict__ x, int n) {
  namespace ct = cuda::tiles;
  auto at = ct::iota<ct::tile<int, ct::shape<64>>>() + int(ct::bid().x) * 64;
  ct::store_masked(x + at, ct::load_masked(x + at, at < n, 0.0f) * 2.0f, at < n);
}
void launch(float* x, int n) { twice<<<(n + 63) / 64, 1>>>(x, n); }
`

// nvccLines are what users ask of nvcc, as far as it changes how nvcc calls the assembler, and the names of what it
// writes. A minus marks what must fail.
var nvccLines = []string{
	"+--tilecubin -arch=sm_90",
	"+--tilecubin -arch=sm_120 -lineinfo",
	"+--tilecubin -arch=sm_90 -G -O0",
	"+--tilecubin -arch=sm_100f",
	"+--tilecubin -arch=sm_80 -Xtileiras --opt-level=1,--lineinfo",
	"+--tilecubin -arch=sm_80 --tileiras-options --remarks=all -keep",
	"+--tilefatbin -gencode=arch=compute_90,code=sm_90 -gencode=arch=compute_120,code=sm_120",
	"+-c -arch=sm_90",
	"--tilecubin -arch=sm_90 -Xtileiras --bogus",
	"--tilecubin -arch=sm_90 -Xtileiras --opt-level=7",
}

// TestNvcc lets nvcc call our program in the place of tileiras, which it looks for where it lies itself: a folder of
// links to a toolkit, with one link that is ours, is a toolkit for it.
func TestNvcc(t *testing.T) {
	t.Parallel()
	nvcc, work := judges.Nvcc(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(work, "k.cu"), []byte(tileSource), 0o666); err != nil {
		t.Fatal(err)
	}
	toolkit := filepath.Join(work, "toolkit")
	replaced(t, filepath.Dir(filepath.Dir(nvcc)), toolkit)
	for i, line := range nvccLines {
		if !tier.Try(i, 12) {
			continue
		}
		t.Run(line[1:], func(t *testing.T) {
			t.Parallel()
			var seen []nvccResult
			// Ours is called by a relative path: nvcc hands it on as a relative folder of PATH.
			for j, program := range []string{nvcc, "../toolkit/bin/nvcc"} {
				dir := filepath.Join(work, fmt.Sprint(i, "-", j))
				if err := os.Mkdir(dir, 0o777); err != nil {
					t.Fatal(err)
				}
				seen = append(seen, runNvcc(t, program, dir, line[1:]))
			}
			if seen[1].Failed != (line[0] == '-') {
				t.Fatalf("failed: %v\n%s", seen[1].Failed, seen[1].said)
			}
			if diff := cmp.Diff(seen[0], seen[1], cmp.AllowUnexported(cubin.Kernel{}), cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".said" }, cmp.Ignore())); diff != "" {
				t.Errorf("with tileiras (-) and with ours (+):\n%s\n%s", diff, seen[1].said)
			}
		})
	}
}

// replaced makes a folder of links that is a toolkit whose assembler is the test program.
func replaced(t *testing.T, from, to string) {
	t.Helper()
	link := func(target, name string) {
		if err := os.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(to, "bin"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"*", "bin/*"} {
		files, err := filepath.Glob(filepath.Join(from, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			switch name := filepath.Base(file); name {
			case "bin", program:
			default:
				link(file, filepath.Join(to, filepath.Dir(pattern), name))
			}
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link(self, filepath.Join(to, "bin", program))
}

// An nvccResult is what a user of nvcc has afterwards: the kernels of a cubin as a launch sees them, or what kind of
// file there is.
type nvccResult struct {
	Failed  bool
	Magic   string
	Kernels []cubin.Kernel
	said    string
}

func runNvcc(t *testing.T, nvcc, dir, line string) (r nvccResult) {
	t.Helper()
	cmd := exec.Command("sh", "-c", nvcc+" --enable-tile --tile-only -std=c++20 "+line+" ../k.cu -o out")
	cmd.Dir = dir
	said, err := cmd.CombinedOutput()
	r.said = string(said)
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	r.Failed = err != nil
	data, err := os.ReadFile(filepath.Join(dir, "out"))
	if err != nil {
		return r
	}
	r.Magic = string(data[:4])
	// An object of the host has the cubin in a section, and a fat binary has several, compressed.
	if ks, err := cubin.Read(data); err == nil && !bytes.Contains([]byte(line), []byte("-c ")) {
		for _, k := range ks {
			// Registers and shared memory are the compiler's business; how a launch must be, and what of, is not.
			r.Kernels = append(r.Kernels, cubin.Kernel{Name: k.Name, Language: k.Language, Block: k.Block, Params: k.Params})
		}
	}
	return r
}
