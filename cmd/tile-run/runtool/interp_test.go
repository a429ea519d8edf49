package runtool_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// roleKernel has two roles that nothing orders: which of them prints first is what the interpreter chose.
const roleKernel = `nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  nv_tileas.warp_specialize {
    role "load" warps(1) {
      %t = nv_tileas.print "load " -> !nv_tileas.mem_token
    }
    role "compute" warps(1) {
      %t = nv_tileas.print "compute " -> !nv_tileas.mem_token
    }
  }
  nv_tileas.return
}
`

// exchangeKernel reads through another layout what it has written, with BARRIER in between.
const exchangeKernel = `#rows = #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">
#cols = #nv_tileas.layout<"{shape = [32, 4], register = [[8, 0], [16, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [], block = []}">
#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %one = arith.constant 1 : i32
  %x = nv_tileas.splat %one : i32 -> tensor<32x4xi32, #rows>
  %a = nv_tileas.alloc_shared at 0 : !nv_tileas.buffer<32x4xi32, #shared>
  nv_tileas.local_store %x, %a : tensor<32x4xi32, #rows>, !nv_tileas.buffer<32x4xi32, #shared>
  BARRIER
  %v = nv_tileas.local_load %a : !nv_tileas.buffer<32x4xi32, #shared> -> tensor<32x4xi32, #cols>
  nv_tileas.return
}
`

// TestInterpreterOrder: --seed and --adversarial reach the interpreter, where they choose the order of roles.
func TestInterpreterOrder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "k.mlir"), []byte(roleKernel))
	order := func(flags string) string {
		status, out, errs := call(dir, "IN/k.mlir --entry k --grid 1 "+flags, "")
		if status != 0 {
			t.Fatalf("%s: %s", flags, errs)
		}
		printed, _, _ := strings.Cut(out, "\n") // the results begin on a line of their own
		return strings.TrimSpace(printed)
	}
	for _, flags := range []string{"", "--seed=0", "--engine=tileas"} {
		if got := order(flags); got != "load compute" {
			t.Errorf("%q: roles ran as '%s', want turn by turn", flags, got)
		}
	}
	for _, how := range []string{"", "--adversarial ", "--engine=tileas --adversarial "} {
		seen := make(map[string]string)
		for seed := range 16 {
			flags := fmt.Sprintf("%s--seed=%d", how, seed)
			got := order(flags)
			if again := order(flags); again != got {
				t.Errorf("%q: '%s', then '%s'", flags, got, again)
			}
			seen[got] = flags
		}
		if len(seen) != 2 {
			t.Errorf("%q: of two orders, 16 seeds chose %v", how, seen)
		}
	}
}

// TestThreadRaces: --thread-races finds a barrier that is missing. Without it the interpreter, which has entire tiles,
// is right.
func TestThreadRaces(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "missing.mlir"), []byte(strings.ReplaceAll(exchangeKernel, "BARRIER", "")))
	write(t, filepath.Join(dir, "there.mlir"), []byte(strings.ReplaceAll(exchangeKernel, "BARRIER", "nv_tileas.barrier")))
	for _, tt := range []struct{ args, want string }{
		{"IN/missing.mlir", ""},
		{"IN/missing.mlir --thread-races", "'nv_tileas.local_load' op accesses shared memory that another thread accesses in 'nv_tileas.local_store'"},
		{"IN/there.mlir --thread-races", ""},
	} {
		if _, _, errs := call(dir, tt.args+" --entry k --grid 1", ""); !strings.Contains(errs, tt.want) || tt.want == "" && errs != "" {
			t.Errorf("%s: errors are\n%swant %q", tt.args, errs, tt.want)
		}
	}
}
