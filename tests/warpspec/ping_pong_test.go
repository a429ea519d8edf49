package warpspec

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/tests/tiles"
)

// TestPingPongAttention: attention whose two groups of warps alternate with their products computes what the interpreter does,
// in every order, for as many iterations as it may have.
func TestPingPongAttention(t *testing.T) {
	t.Parallel()
	for i, a := range []tiles.Attention{
		{Elem: "f16", Queries: 128, Keys: 64, Depth: 64, Turns: 2, Exact: true}, {Elem: "bf16", Queries: 128, Keys: 64, Depth: 128, Turns: 3, Exact: true},
		{Elem: "f16", Queries: 128, Keys: 32, Depth: 64, Turns: 5, Exact: true}, {Elem: "f16", Queries: 128, Keys: 128, Depth: 64, Turns: 3, Exact: true},
		{Elem: "f16", Queries: 128, Keys: 64, Depth: 128, Parts: 2, Turns: 4, Exact: true},
	} {
		k := a.Kernel()
		t.Run(fmt.Sprintf("%s, %d iterations, %d parts", k.Name, a.Turns, max(1, a.Parts)), func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "k.mlir")
			if err := os.WriteFile(file, []byte(k.Text), 0o600); err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			if status := opttool.TileOpt().Main([]string{"--lower-to=nvvm", "--gpu-name=sm_90", "--warp-roles=pingpong", file}, strings.NewReader(""), &out, &errs); status != 0 {
				t.Fatalf("status %d\n%s", status, &errs)
			}
			// The first iteration passes a turn, each other one, and the last product behind the loop: from either
			// group to the other.
			if n := strings.Count(out.String(), "nvvm.barrier.arrive id 2 threads 256"); n != 3 {
				t.Fatalf("the first group passes its turn at %d places, not at 3", n)
			}
			if !strings.Contains(out.String(), "nvvm.wgmma.wait_group 1") {
				t.Fatal("no product is under way beside the arithmetic of its own group")
			}
			for seed := range 2 {
				kerneltest.DiffEngines(t, k, fmt.Sprintf("interp,tileas,ptx --gpu-name=sm_90 --warp-roles=pingpong --adversarial --seed=%d", i+5*seed))
			}
		})
	}
}

// aSeries is a kernel whose groups of warps alternate in a loop; the end of an iteration is in the next iteration, as of
// products that follow each other over its end.
const aSeries = `nv_tileas.func @k(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 12>} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  nv_tileas.warp_specialize {
    role "compute" warps(8) {
      nv_tileas.pingpong_signal id 3 groups GROUPS {open}
      nv_tileas.pingpong_wait id 3 groups GROUPS // first
      scf.for %i = %z to %n step %one : i32 {
        nv_tileas.pingpong_signal id 3 groups GROUPS // inside
        nv_tileas.pingpong_wait id 3 groups GROUPS // inside
        scf.continue
      }
      nv_tileas.pingpong_signal id 3 groups GROUPS // last
      nv_tileas.pingpong_wait id 3 groups GROUPS {close}
    }
    role "load" warps(4) {
    }
  }
  nv_tileas.return
}
`

// TestPingPongEnds: turns end, for two, four and eight groups and any number of iterations, and each mistake in a
// series is found by both engines.
func TestPingPongEnds(t *testing.T) {
	t.Parallel()
	const forEver = "waits forever"
	for name, tt := range map[string]struct {
		edits []string
		want  string // of the interpreter; "": it ends
		// hidden says that the emulator need not see it: an arrival too many may end a phase that another one would
		// have ended.
		hidden bool
	}{
		"as it should be":       {},
		"nobody begins":         {edits: []string{"pingpong_signal id 3 groups GROUPS {open}", "barrier id 1 warps 8"}, want: forEver},
		"nobody takes it back":  {edits: []string{"pingpong_wait id 3 groups GROUPS {close}", "barrier id 1 warps 8"}, want: "opens a ping-pong that nobody closes", hidden: true},
		"taken twice":           {edits: []string{"pingpong_signal id 3 groups GROUPS // inside", ""}, want: forEver},
		"passed twice":          {edits: []string{"pingpong_wait id 3 groups GROUPS // inside", ""}, want: "passes a turn that was not taken", hidden: true},
		"never passed":          {edits: []string{"pingpong_signal id 3 groups GROUPS // last", ""}, want: forEver},
		"begun twice":           {edits: []string{"{open}", "{open}\nnv_tileas.pingpong_signal id 3 groups GROUPS {open}"}, want: "opens a ping-pong that is open already", hidden: true},
		"all meet in a turn":    {edits: []string{"pingpong_signal id 3 groups GROUPS // inside", "barrier id 1 warps 8\nnv_tileas.pingpong_signal id 3 groups GROUPS"}, want: "the other groups of warps wait for a turn that this one has taken"},
		"all meet between two":  {edits: []string{"pingpong_wait id 3 groups GROUPS // inside", "barrier id 1 warps 8\nnv_tileas.pingpong_wait id 3 groups GROUPS"}},
		"turns of another kind": {edits: []string{"pingpong_signal id 3 groups GROUPS // last", "pingpong_signal id 5 groups GROUPS"}, want: "opened one of"},
	} {
		for _, groups := range []string{"2", "4", "8"} {
			t.Run(name+", "+groups, func(t *testing.T) {
				t.Parallel()
				text := aSeries
				for i := 0; i < len(tt.edits); i += 2 {
					from, to := tt.edits[i], tt.edits[i+1]
					if to == "" {
						from = "nv_tileas." + from
					}
					if !strings.Contains(text, from) {
						t.Fatalf("there is no '%s'", from)
					}
					text = strings.Replace(text, from, to, 1)
				}
				file := filepath.Join(t.TempDir(), "k.mlir")
				if err := os.WriteFile(file, []byte(strings.ReplaceAll(text, "GROUPS", groups)), 0o600); err != nil {
					t.Fatal(err)
				}
				for _, engine := range []string{"interp", "ptx"} {
					for _, n := range []int{0, 1, 4} {
						var out, errs bytes.Buffer
						args := []string{"--engine=" + engine, "--gpu-name=sm_90", "--entry=k", "--grid=1,1,1", fmt.Sprintf("--arg=i32:%d", n), "--timeout=20s", "--adversarial", "--seed=3", file}
						status := runtool.Main(t.Context(), args, strings.NewReader(""), &out, &errs)
						if tt.want == "" && status != 0 {
							t.Errorf("%s, %d iterations: status %d\n%s", engine, n, status, &errs)
						}
						if tt.want == "" || tt.hidden && engine == "ptx" || n == 0 && strings.Contains(strings.Join(tt.edits, ""), "inside") {
							continue
						}
						if status == 0 || engine == "interp" && !strings.Contains(errs.String(), tt.want) {
							t.Errorf("%s, %d iterations: status %d and %q, expected %q", engine, n, status, &errs, tt.want)
						}
					}
				}
			})
		}
	}
}
