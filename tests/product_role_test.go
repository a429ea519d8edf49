package tests

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/internal/judges"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/ptxas"
)

// Kernels of which tileas-specialize-warps has a warp start all products (tcgen05): those of its suite, executed.

const tensorPlacing = "tileas-use-tensor-memory,tileas-allocate-tensor," + placing

// A multiplied is a kernel of the suite, for sm_100.
type multiplied struct {
	name string
	scheduled
}

func multipliedKernel(t *testing.T, name string) multiplied {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("suite", "passes", "tileas-specialize-warps-products.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), "// -----") {
		if strings.Contains(part, "nv_tileas.func @"+name+"(") {
			return multiplied{name, scheduled{gpu: "sm_100", text: part}}
		}
	}
	t.Fatalf("the suite has no kernel '%s'", name)
	return multiplied{}
}

// parted returns the kernel in tensor memory, with its warps parted by options of the pass; "" leaves them together.
func (k multiplied) parted(t *testing.T, options string) ir.Op {
	t.Helper()
	var said bytes.Buffer
	c := tileir.NewContext()
	c.Diag.Push(c.Diag.PrintTo(&said))
	m, err := tileir.Read(c, "k.mlir", []byte(k.text))
	if err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	passes := tensorPlacing
	if options != "" {
		passes = "tileas-specialize-warps{" + options + "}," + passes
	}
	if _, err := k.pass(m, passes); err != nil {
		t.Fatalf("%s: %v\n%s", options, err, &said)
	}
	roles := nth(m, tileas.WarpSpecialize, 0)
	if roles.IsNil() != (options == "") || options != "" && (tileas.RoleAt(roles, 2).Name == "product") == strings.Contains(options, "together") {
		t.Fatalf("%s: has not the roles that are asked for", options)
	}
	return m
}

func (k multiplied) launched(t *testing.T, tiles, depth int) *launch.Request {
	t.Helper()
	args := []launch.Arg{pipedBuffer(t, launch.F32, 128*64, func(int) int64 { return 77 })}
	for j, rows := range []int{128, 64} {
		args = append(args, pipedBuffer(t, launch.F16, 512*rows, func(i int) int64 { return int64((i*(7+2*j)+i/37+i/701*5)%3 - 1) }))
	}
	for _, v := range []int{tiles, depth} {
		args = append(args, launch.Arg{Scalar: launch.Scalar{DType: launch.I32, Bits: uint64(uint32(int32(v)))}})
	}
	return &launch.Request{Entry: k.name, Grid: [3]uint32{1, 1, 1}, Args: args}
}

// TestProductRole: a warp that starts all products makes what those that compute would, in every order, for sums of no product and of several rounds of a ring, in one slot and in two; in the interpreter, where products
// complete as late as they may, and as PTX.
func TestProductRole(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"sum", "sums", "goes_on"} {
		for _, options := range []string{"slots=2 roles=always", "slots=3 roles=always", "slots=3 together roles=always"} {
			t.Run(name+" "+options, func(t *testing.T) {
				t.Parallel()
				k := multipliedKernel(t, name)
				plain, m := k.parted(t, ""), k.parted(t, options)
				ptx, described := k.lowered(t, k.parted(t, options), new(bytes.Buffer))
				for _, shape := range [][2]int{{0, 0}, {1, 0}, {3, 0}, {3, 1}, {6, 5}} {
					want := k.launched(t, shape[0], shape[1])
					if err := interp.New(plain).Run(context.Background(), want); err != nil {
						t.Fatal(err)
					}
					for seed := range uint64(2) {
						what := fmt.Sprintf("%v tiles and steps, seed %d", shape, seed)
						e := interp.New(m)
						e.Threads, e.Adversarial, e.Seed = true, seed > 0, seed
						leaves(t, what, e, k.launched(t, shape[0], shape[1]), 0, want.Args[0].Buffer)
						if shape[0] == 1 || seed == 0 && shape[0] < 6 {
							continue
						}
						p, err := emulate.New("k.ptx", ptx)
						if err != nil {
							t.Fatal(err)
						}
						compile.Describe(p, described.Kernels[0])
						p.Adversarial, p.Seed = seed > 0, seed
						leaves(t, "as PTX, "+what, p, k.launched(t, shape[0], shape[1]), 0, want.Args[0].Buffer)
					}
				}
			})
		}
	}
}

// TestPtxasProductRole: the assembler takes the role.
func TestPtxasProductRole(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	for _, name := range []string{"sum", "sums", "goes_on"} {
		k := multipliedKernel(t, name)
		text, described := k.lowered(t, k.parted(t, "slots=3"), new(bytes.Buffer))
		out, err := tool.Assemble(context.Background(), text, ptxas.Options{Arch: described.Target, OptLevel: 3})
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		for _, w := range out.Warnings {
			t.Errorf("%s: %v", name, w)
		}
	}
}

// TestProductRolePlants: each mistake in how the role that starts products meets the others is found.
func TestProductRolePlants(t *testing.T) {
	t.Parallel()
	const deadlock = "op never ends, because no role can go on"
	const race = "nothing has synchronised the two in between"
	const computes, multiplies = 0, 2
	in := func(role int, def *ir.OpDef, n int) func(m ir.Op) ir.Op {
		return func(m ir.Op) ir.Op {
			var found []ir.Op
			for op := range nth(m, tileas.WarpSpecialize, 0).Region(role).First().Ops() {
				op.Walk(func(inner ir.Op) ir.WalkResult {
					if inner.Is(def) {
						found = append(found, inner)
					}
					return ir.Advance
				})
			}
			if n >= len(found) {
				return ir.Op{}
			}
			return found[n]
		}
	}
	for _, tt := range []struct {
		name   string
		find   func(m ir.Op) ir.Op
		damage func(op ir.Op) bool
		want   []string // one of them
	}{
		{"threads do not wait for a sum", in(computes, tileas.MbarrierWait, 0), drop, []string{race, "unspecified", "is still writing"}},
		{"threads do not give a sum back", in(computes, tileas.MbarrierArrive, 0), drop, []string{deadlock}},
		{"threads give a sum back before they have loaded it", in(computes, tileas.MbarrierArrive, 0), func(op ir.Op) bool {
			load := in(computes, tileas.TensorLoad, 0)(op.ParentOp().ParentOp().ParentOp())
			op.Operand(0).DefiningOp().MoveBefore(load)
			op.MoveBefore(load)
			return true
		}, []string{race, "is still writing", "unspecified"}},
		{"a slot that threads have not taken is written", in(multiplies, tileas.MbarrierWait, 0), drop, []string{race, "more only", "is still", "tells of that"}},
		{"factors that have not come are multiplied", in(multiplies, tileas.MbarrierWait, 1), drop, []string{race, "is still", "holds nothing", "reads a buffer", "unspecified", "tells of that"}},
		{"nobody says that a sum is there", in(multiplies, tileas.TensorCommit, 0), drop, []string{deadlock, "never ends"}},
		{"the first product adds to what another tile has left", in(multiplies, tileas.TensorDot, 0), func(op ir.Op) bool {
			flag := op.Operand(3).DefiningOp()
			flag.SetAttr("predicate", flag.Context().String("sge"))
			return true
		}, []string{"unspecified", "differs"}},
		{"a product tells another slot", in(multiplies, tileas.TensorDot, 0), func(op ir.Op) bool { return raise(op.Operand(4).DefiningOp(), tileas.AttrAhead, 1) }, []string{race, "more only", "is still", deadlock}},
		{"the place of a sum does not go round", in(multiplies, scf.For, 0), func(op ir.Op) bool {
			end := op.Body().Last()
			end.SetOperand(end.NumOperands()-2, op.Operand(op.NumOperands()-2))
			return true
		}, []string{race, deadlock, "is still", "unspecified", "tells of that", "more only"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k := multipliedKernel(t, "sums")
			want := k.launched(t, 6, 0)
			if err := interp.New(k.parted(t, "")).Run(context.Background(), want); err != nil {
				t.Fatal(err)
			}
			m := k.parted(t, "slots=3")
			op := tt.find(m)
			if op.IsNil() || !tt.damage(op) {
				t.Fatal("the mistake changes nothing")
			}
			for seed := range uint64(4) {
				e := interp.New(m)
				e.Threads, e.Adversarial, e.Seed = true, true, seed
				got := k.launched(t, 6, 0)
				err := e.Run(context.Background(), got)
				if err == nil && !bytes.Equal(got.Args[0].Buffer.Data, want.Args[0].Buffer.Data) {
					err = fmt.Errorf("the result differs")
				}
				if err == nil {
					continue
				}
				for _, want := range tt.want {
					if strings.Contains(err.Error(), want) {
						return
					}
				}
				t.Fatalf("got %v, want one of %q", err, tt.want)
			}
			t.Error("nobody noticed")
		})
	}
}
