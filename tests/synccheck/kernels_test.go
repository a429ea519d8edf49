package synccheck

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
	triton "github.com/tilewright/tilewright/tests/triton/kernels"
)

// A subject is a kernel in which mistakes are planted.
type subject struct {
	name, gpu string
	what      string            // is synchronized in it
	options   map[string]string // of passes
	triton    bool              // it is Triton's
	// from and to make an extent of a case longer, so that circular buffers wrap. What is expected is then what the
	// interpreter computes.
	from, to int
}

func (s *subject) id() string { return s.name + "." + s.gpu }

func (s *subject) origin() string {
	if s.triton {
		return "Triton"
	}
	return "ours"
}

const (
	roles    = "tileas-specialize-warps"
	clusters = "tileaa-partition-cluster"
)

func always() map[string]string  { return map[string]string{roles: "roles=always"} }
func noRoles() map[string]string { return map[string]string{roles: "roles=none"} }

// subjects are ordered by target.
var subjects = []subject{
	{name: "matmul_f16", gpu: "sm_80", what: "circular buffer by cp.async"},
	{name: "fmha_causal_f16_gqa", gpu: "sm_80", what: "attention by cp.async"},
	{name: "layer_norm_fwd", gpu: "sm_80", what: "reductions by barriers"},
	{name: "ticket_last_block", gpu: "sm_80", what: "a ticket between CTAs"},
	{name: "matmul_f16", gpu: "sm_80", what: "circular buffer by cp.async", triton: true},
	{name: "flash_attention", gpu: "sm_80", what: "attention by cp.async", triton: true},
	{name: "spin_lock", gpu: "sm_80", what: "a lock between CTAs", triton: true},
	{name: "last_program_reduces", gpu: "sm_100", what: "a ticket between CTAs", triton: true},

	{name: "matmul_f16_big_tile", gpu: "sm_90", what: "TMA, wgmma, producer warp", options: always(), from: 128, to: 576},
	{name: "matmul_kernel", gpu: "sm_90", what: "circular buffer by TMA, wgmma", options: noRoles(), from: 8, to: 384},
	{name: "fmha_full_f16", gpu: "sm_90", what: "attention: TMA, wgmma, producer warp", options: always(), from: 128, to: 384},
	{name: "softmax_online_bf16", gpu: "sm_90", what: "exchange in a cluster", options: map[string]string{clusters: "ctas=2 exchange=0"}},
	{name: "matmul_f16", gpu: "sm_90", what: "wgmma by cp.async", triton: true},
	{name: "matmul_descriptors", gpu: "sm_90", what: "circular buffer by TMA, wgmma", triton: true},
	{name: "matmul_warp_specialized", gpu: "sm_90", what: "producer and consumer warps", triton: true},
	{name: "multicast_to_two", gpu: "sm_90", what: "multicast in a cluster", triton: true},
	{name: "exchange", gpu: "sm_90", what: "exchange in a cluster", triton: true},
	{name: "matmul_persistent", gpu: "sm_90", what: "TMA stores", triton: true},

	{name: "matmul_f16_big_tile", gpu: "sm_100", what: "cluster, multicast, tcgen05", options: always(), from: 128, to: 576},
	{name: "matmul_kernel", gpu: "sm_100", what: "circular buffer by TMA, tcgen05", options: noRoles(), from: 8, to: 384},
	{name: "fmha_full_f16", gpu: "sm_100", what: "attention: tcgen05, producer warp", options: always(), from: 128, to: 384},
	{name: "matmul_bf16", gpu: "sm_100", what: "tcgen05", triton: true},
	{name: "flash_attention", gpu: "sm_100", what: "attention: tcgen05", triton: true},
	{name: "matmul_warp_specialized", gpu: "sm_100", what: "warps for loads and products", triton: true},
	{name: "pair_f16", gpu: "sm_100", what: "tcgen05 of two CTAs", triton: true},

	{name: "matmul_persistent", gpu: "sm_120", what: "TMA, producer warp", options: always(), from: 72, to: 392},
	{name: "matmul_kernel", gpu: "sm_120", what: "circular buffer by TMA", options: noRoles(), from: 8, to: 384},
	{name: "peer_matmul_tma", gpu: "sm_120", what: "circular buffer by TMA", triton: true},
}

// A course is how a launch runs.
type course struct {
	adversarial bool
	seed        uint64
	check       bool
	profile     *emu.Profile
	steps       uint64
}

// A kernel is a subject that can be launched, and other PTX in its place.
type kernel struct {
	subject *subject
	ptx     string
	entry   string
	// launch returns what the launch left in memory.
	launch func(ctx context.Context, module *emu.Module, c course) (left [][]byte, steps uint64, found []emu.Finding, err error)
	// right compares with what the kernel must compute, within its tolerances.
	right func(left [][]byte) error
}

func (s *subject) open(t *testing.T, builds map[string]string) *kernel {
	t.Helper()
	if s.triton {
		return openTriton(t, s, filepath.Join(builds[s.gpu], s.id()))
	}
	return openOurs(t, s)
}

// openOurs compiles a numeric case.
func openOurs(t *testing.T, s *subject) *kernel {
	t.Helper()
	dir := filepath.Join(corpus.Dir(t), "cases", s.name)
	if _, err := os.Stat(dir); err != nil {
		dir = filepath.Join(corpus.Dir(t), "..", "real", "cases", s.name)
	}
	c, err := launch.LoadCase(dir)
	if err != nil {
		t.Fatal(err)
	}
	data, err := c.ReadModule()
	if err != nil {
		t.Fatal(err)
	}
	code, err := compile.To(t.Context(), read(t, c.Module, data), compile.Options{GPU: s.gpu, OptLevel: 3, PassOptions: s.options})
	if err != nil {
		t.Fatal(err)
	}
	request, expected := c.Request, c.Expect
	if s.from > 0 {
		long := c.Request()
		lengthen(t, long, s.from, s.to)
		request = func() *launch.Request { return long.Clone() }
		expected = interpret(t, read(t, c.Module, data), long, c.Expect)
	}
	k := &kernel{subject: s, ptx: string(code.PTX), entry: c.Entry}
	k.launch = func(ctx context.Context, module *emu.Module, how course) ([][]byte, uint64, []emu.Finding, error) {
		e := emulate.Of(module)
		code.Describe(e, c.Entry)
		e.Adversarial, e.Seed, e.MaxSteps, e.Profile = how.adversarial, how.seed, how.steps, how.profile
		if how.check {
			e.Sync = new(emu.SyncReport)
		}
		req := request()
		err := e.Run(ctx, req)
		var left [][]byte
		for _, a := range req.Args {
			if a.Buffer != nil {
				left = append(left, a.Buffer.Data)
			}
		}
		return left, e.Stats.WarpInstructions, findings(e.Sync), err
	}
	k.right = func(left [][]byte) error {
		req := request()
		for _, a := range req.Args {
			if a.Buffer != nil {
				copy(a.Buffer.Data, left[0])
				left = left[1:]
			}
		}
		r, err := launch.Check(s.name, req, expected)
		if err == nil && !r.OK() {
			var text strings.Builder
			r.WriteText(&text)
			err = fmt.Errorf("%s", &text)
		}
		return err
	}
	return k
}

func read(t *testing.T, name string, data []byte) ir.Op {
	t.Helper()
	module, err := tileir.Read(tileir.NewContext(), name, data)
	if err != nil {
		t.Fatal(err)
	}
	return module
}

// lengthen makes the extents of arrays that are from as long as to: of the buffers, and of the scalars behind each,
// which are its shape and its strides.
func lengthen(t *testing.T, req *launch.Request, from, to int) {
	t.Helper()
	for i := range req.Args {
		b := req.Args[i].Buffer
		if b == nil {
			continue
		}
		rank, behind := rankOf(req.Args[i:])
		if rank == 0 {
			t.Fatalf("argument %d is no array with its shape and strides", i)
		}
		elements := 1
		for d := rank - 1; d >= 0; d-- {
			n := &req.Args[i+1+d].Scalar
			if n.Bits == uint64(from) {
				n.Bits = uint64(to)
			}
			if stride := &req.Args[i+1+rank+d].Scalar; d < rank-1 {
				stride.Bits = uint64(elements)
			}
			elements *= int(n.Bits)
		}
		a, err := launch.ParseArg(fmt.Sprintf("%v[%d]=random", b.DType, elements+behind), nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Args[i].Buffer = a.Buffer
	}
}

// rankOf is the rank of the array that arguments begin with: behind the buffer come so many extents, and as many
// strides in C order. It is 0 if they do not. The buffer may have more elements, behind those of the array.
func rankOf(args []launch.Arg) (rank, behind int) {
	size := uint64(len(args[0].Buffer.Data) / args[0].Buffer.DType.Size())
	for rank := 1; 2*rank < len(args); rank++ {
		elements := uint64(1)
		d := rank
		for ; d > 0 && elements == args[d+rank].Scalar.Bits; d-- {
			elements *= args[d].Scalar.Bits
		}
		if d == 0 && elements <= size {
			return rank, int(size - elements)
		}
	}
	return 0, 0
}

// interpret returns what the interpreter computes, with the tolerances of the case.
func interpret(t *testing.T, module ir.Op, req *launch.Request, like []launch.Expect) (out []launch.Expect) {
	t.Helper()
	req = req.Clone()
	if err := interp.New(module).Run(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	for _, e := range like {
		e.Want = req.Args[e.Arg].Buffer
		out = append(out, e)
	}
	return out
}

func openTriton(t *testing.T, s *subject, dir string) *kernel {
	t.Helper()
	c, err := triton.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	k := &kernel{subject: s, ptx: string(c.PTX), entry: c.Entry}
	k.launch = func(ctx context.Context, module *emu.Module, how course) ([][]byte, uint64, []emu.Finding, error) {
		l := emu.Launch{Adversarial: how.adversarial, Seed: how.seed, MaxSteps: how.steps, Profile: how.profile}
		if how.check {
			l.Sync = &emu.SyncReport{Accept: triton.Unfenced}
		}
		left, stats, err := c.Leave(ctx, module, l)
		return left, stats.WarpInstructions, findings(l.Sync), err
	}
	k.right = c.Right
	return k
}

// findings are those of a report.
func findings(r *emu.SyncReport) []emu.Finding {
	if r == nil {
		return nil
	}
	return r.Findings
}

// same reports whether two launches left the same bytes.
func same(a, b [][]byte) bool {
	for i := range a {
		if !bytes.Equal(a[i], b[i]) {
			return false
		}
	}
	return len(a) == len(b)
}
