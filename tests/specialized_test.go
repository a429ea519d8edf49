package tests

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/arith"
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

// Kernels whose warps tileas-specialize-warps gives roles: those of its suite, executed.

// A specialized kernel is one of the suite of the pass.
type specialized struct {
	name string
	scheduled
}

func specializedKernel(t *testing.T, name string) specialized {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("suite", "passes", "tileas-specialize-warps.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), "// -----") {
		if strings.Contains(part, "nv_tileas.func @"+name+"(") {
			return specialized{name, scheduled{gpu: "sm_90", text: part}}
		}
	}
	t.Fatalf("the suite has no kernel '%s'", name)
	return specialized{}
}

// occupied makes it one of which an SM runs two tile blocks: then the role that loads is one of a group of warps that give registers back.
func (k specialized) occupied() specialized {
	k.text = strings.Replace(k.text, "kernel_spec<num_warps = 4>", "kernel_spec<num_warps = 4, occupancy = 2>", 1)
	return k
}

// parted returns the kernel, with its warps parted by options of the pass; "" leaves it as it is.
func (k specialized) parted(t *testing.T, options string) ir.Op {
	t.Helper()
	var said bytes.Buffer
	c := tileir.NewContext()
	c.Diag.Push(c.Diag.PrintTo(&said))
	m, err := tileir.Read(c, "k.mlir", []byte(k.text))
	if err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	passes := placing
	if options != "" {
		passes = "tileas-specialize-warps{" + options + "}," + placing
	}
	if _, err := k.pass(m, passes); err != nil {
		t.Fatalf("%s: %v\n%s", options, err, &said)
	}
	if got := !nth(m, tileas.WarpSpecialize, 0).IsNil(); got != (options != "") {
		t.Fatalf("%s: has roles: %v", options, got)
	}
	return m
}

func (k specialized) launched(t *testing.T, trips int) *launch.Request {
	t.Helper()
	req := asyncLoop{}.request(t, 0, 1, trips)
	req.Entry = k.name
	return req
}

// TestSpecialized: with roles a kernel computes what it does without, in every order, for numbers of iterations from none to some rounds of its ring, with as few slots as it can have and with more; in the interpreter and as PTX.
func TestSpecialized(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"product", "persistent", "taken", "late", "both", "stored"} {
		for _, options := range []string{"slots=2 roles=always", "slots=3 roles=always", "roles=always", "slots=2 roles=always late=false"} {
			t.Run(name+" "+options, func(t *testing.T) {
				t.Parallel()
				k := specializedKernel(t, name)
				plain, m := k.parted(t, ""), k.parted(t, options)
				ptx, described := k.lowered(t, k.occupied().parted(t, options), new(bytes.Buffer))
				for _, trips := range []int{0, 1, 3, 4, 7} {
					want := k.launched(t, trips)
					if err := interp.New(plain).Run(context.Background(), want); err != nil {
						t.Fatal(err)
					}
					for seed := range uint64(2) {
						what := fmt.Sprintf("%d iterations, seed %d", trips, seed)
						e := interp.New(m)
						e.Threads, e.Adversarial, e.Seed = true, seed > 0, seed
						leaves(t, what, e, k.launched(t, trips), 0, want.Args[0].Buffer)
						if trips%3 != 0 || trips == 0 && seed > 0 {
							continue
						}
						p, err := emulate.New("k.ptx", ptx)
						if err != nil {
							t.Fatal(err)
						}
						compile.Describe(p, described.Kernels[0])
						p.Adversarial, p.Seed = seed > 0, seed
						leaves(t, "as PTX, "+what, p, k.launched(t, trips), 0, want.Args[0].Buffer)
					}
				}
			})
		}
	}
}

// TestPtxasSpecialized: the assembler takes roles as they are meant: registers move, and nothing spills.
func TestPtxasSpecialized(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	for _, name := range []string{"product", "persistent", "taken", "late", "both", "stored"} {
		k := specializedKernel(t, name)
		text, described := k.lowered(t, k.occupied().parted(t, "roles=always"), new(bytes.Buffer))
		for _, want := range []string{".maxnreg 128", "setmaxnreg.inc.sync.aligned.u32 224;", "setmaxnreg.dec.sync.aligned.u32 32;"} {
			if strings.Count(string(text), want) != 1 {
				t.Errorf("%s: '%s' must stand once in\n%s", name, want, text)
			}
		}
		out, err := tool.Assemble(context.Background(), text, ptxas.Options{Arch: described.Target, OptLevel: 3})
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		for _, w := range out.Warnings {
			t.Errorf("%s: %v", name, w)
		}
	}
}

// TestSpecializedPlants: each mistake in how the roles meet is found, and named at the operation.
func TestSpecializedPlants(t *testing.T) {
	t.Parallel()
	const deadlock = "op never ends, because no role can go on"
	const race = "nothing has synchronised the two in between"
	in := func(role int, def *ir.OpDef, n int, damage func(op ir.Op) bool) func(m ir.Op) bool {
		return func(m ir.Op) bool {
			roles := nth(m, tileas.WarpSpecialize, 0)
			var found ir.Op
			for op := range roles.Region(role).First().Ops() {
				if found = nth(op, def, n); !found.IsNil() {
					break
				}
			}
			return !found.IsNil() && damage(found)
		}
	}
	state := func(loop ir.Op, which int) bool { // the initial value of a state, which is the last of what the loop carries
		n := loop.NumOperands() - 1 - which
		v := ir.BuilderBefore(loop)
		old, _ := ir.ConstantValue(loop.Operand(n)).(*ir.IntegerAttr)
		if old == nil {
			return false
		}
		loop.SetOperand(n, arith.NewInt(v, old.Type(), 1-old.Value))
		return true
	}
	for _, tt := range []struct {
		name, kernel string
		damage       func(m ir.Op) bool
		want         []string // one of them
	}{
		{"nobody frees a slot", "product", in(0, tileas.MbarrierArrive, 0, drop), []string{deadlock}},
		{"freed before the product is done", "taken", in(0, tileas.MbarrierArrive, 0, func(op ir.Op) bool {
			wait := nth(op.ParentOp(), tileas.DotWait, 0)
			op.Operand(0).DefiningOp().MoveBefore(wait)
			op.MoveBefore(wait)
			return true
		}), []string{race, "'nv_tileas.dot_async' is still reading"}},
		{"a product more under way", "product", in(0, tileas.DotWait, 0, raised(tileas.AttrPending, 1)), []string{race, "is still reading"}},
		{"an arrival too many", "product", func(m ir.Op) bool {
			n := 0
			m.Walk(func(op ir.Op) ir.WalkResult {
				if count, _ := op.IntAttr(tileas.AttrArrivals); op.Is(tileas.MbarrierInit) && count == 4 {
					raise(op, tileas.AttrArrivals, -1)
					n++
				}
				return ir.Advance
			})
			return n > 0
		}, []string{"'nv_tileas.mbarrier_arrive' op makes 4 arrivals, but the phase under way waits for 3 more only"}},
		{"an arrival too few", "product", in(0, tileas.MbarrierArrive, 0, raised(tileas.AttrArrivals, -1)), []string{deadlock, race, "more only"}},
		{"the loader begins in the other phase", "product", in(1, scf.For, 0, func(op ir.Op) bool { return state(op, 0) }), []string{deadlock}},
		{"the others begin in the other phase", "product", in(0, scf.For, 0, func(op ir.Op) bool { return state(op, 0) }), []string{deadlock, race, "reports to that", "holds nothing", "unspecified"}},
		{"the loader begins at another place", "product", in(1, scf.For, 0, func(op ir.Op) bool { return state(op, 1) }), []string{deadlock, race, "is still reading"}},
		{"bytes of one copy alone", "product", in(1, tileas.MbarrierExpect, 0, raised(tileas.AttrBytes, -4096)), []string{deadlock, race, "is still reading"}},
		{"copied to another slot", "product", in(1, tileas.TMALoad, 0, func(op ir.Op) bool { return raise(op.Operand(0).DefiningOp(), tileas.AttrAhead, -1) }), []string{race, "unspecified", "reads a buffer", "is still"}},
		{"the loader does not wait", "product", in(1, tileas.MbarrierWait, 0, drop), []string{race, "is still reading", "more only", "writes a buffer that", "overflow"}},
		{"the others do not wait", "product", in(0, tileas.MbarrierWait, 0, drop), []string{race, "unspecified", "is still"}},
		{"the next tile begins at the first place again", "persistent", in(1, scf.For, 0, func(op ir.Op) bool {
			end := op.Body().Last()
			end.SetOperand(end.NumOperands()-2, op.Operand(op.NumOperands()-2))
			return true
		}), []string{"'nv_tileas.mbarrier_expect' op makes 1 arrivals, but the phase under way waits for 0 more only", deadlock}},
		{"a buffer is written again before its copy has read it", "stored", in(0, tileas.BulkWait, 0, drop), []string{"is still reading", race}},
		{"the end of the role does not wait for its copies", "stored", func(m ir.Op) bool { return drop(nth(nth(m, tileas.WarpSpecialize, 0), tileas.BulkWait, 3)) }, []string{"is still under way when role \"compute\" ends"}},
		{"the sum is taken before the late product is done", "late", func(m ir.Op) bool { return raised(tileas.AttrPending, 1)(nth(nth(m, scf.For, 0), tileas.DotWait, 1)) }, []string{"is under way"}},
		{"a slot is freed before the late product is done", "late", func(m ir.Op) bool {
			free, wait := nth(nth(m, scf.For, 0), tileas.MbarrierArrive, 1), nth(nth(m, scf.For, 0), tileas.DotWait, 1)
			free.Operand(0).DefiningOp().MoveBefore(wait)
			free.MoveBefore(wait)
			return true
		}, []string{race, "'nv_tileas.dot_async' is still reading"}},
		{"the first iteration goes on in the ring of the late product", "late", func(m ir.Op) bool { return state(nth(m, scf.For, 0), 0) }, []string{deadlock, race, "reports to that"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k := specializedKernel(t, tt.kernel)
			m := k.parted(t, "slots=3 roles=always")
			if !tt.damage(m) {
				t.Fatal("the mistake changes nothing")
			}
			for seed := range uint64(4) {
				e := interp.New(m)
				e.Threads, e.Adversarial, e.Seed = true, true, seed
				err := e.Run(context.Background(), k.launched(t, 7))
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
