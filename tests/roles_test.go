package tests

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/interp"
)

// Roles of warps run in the interpreter, in many orders. A producer fills a ring of slots, a consumer adds what it finds: named barriers 1 to 3 say that a slot is full, 4 to 6 that it
// is empty again.

const ringKernel = `nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %at = arith.constant 0 : i64
  %zero = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %many = arith.constant 1024 : i64
  %ring = nv_tileas.alloc_shared : SLOTS3
  %c6 = arith.constant 6 : i32
  nv_tileas.warp_specialize {
    role "load" warps(1) regs(40) {
      scf.for %i = %c0 to %c6 step %c1 : i32 {
        %k = arith.remsi %i, %c3 : i32
        %io = nv_tileas.make_range : tensor<32xi32, ROW1>
        %io1 = nv_tileas.reshape %io : tensor<32xi32, ROW1> -> tensor<32x1xi32, COL1>
        %x = nv_tileas.broadcast %io1 : tensor<32x1xi32, COL1> -> ROWS
        %t = nv_tileas.splat %i : i32 -> ROWS
        %y = arith.addi %x, %t : ROWS
        %slot = nv_tileas.buffer_slot %ring[%k] : SLOTS3, i32
        EMPTY
        nv_tileas.local_store %y, %slot : ROWS, BUF
        FULL
        scf.continue
      }
    }
    role "add" warps(1) regs(232) {
      %none = nv_tileas.splat %c0 : i32 -> ROWS
      %sum = scf.for %i = %c0 to %c6 step %c1 iter_args(%acc = %none) -> (ROWS) : i32 {
        %k = arith.remsi %i, %c3 : i32
        %slot = nv_tileas.buffer_slot %ring[%k] : SLOTS3, i32
        FILLED
        %now = nv_tileas.local_load %slot : BUF -> ROWS
        %more = arith.addi %acc, %now : ROWS
        DRAINED
        scf.continue %more : ROWS
      }
      %done = OUT(%sum)AT
    }
  }
  nv_tileas.return
}`

// await and arrive are a barrier for each of the slots: an id is no value.
func await(first int) string { return onSlot("barrier", first) }

func arrive(first int) string { return onSlot("barrier_arrive", first) }

func onSlot(op string, first int) string {
	return fmt.Sprintf(`%%e0 = arith.cmpi eq, %%k, %%c0 : i32
        scf.if %%e0 { nv_tileas.%s id %d warps 2
          scf.yield }
        %%e1 = arith.cmpi eq, %%k, %%c1 : i32
        scf.if %%e1 { nv_tileas.%s id %d warps 2
          scf.yield }
        %%e2 = arith.cmpi eq, %%k, %%c2 : i32
        scf.if %%e2 { nv_tileas.%s id %d warps 2
          scf.yield }`, op, first, op, first+1, op, first+2)
}

// fromSecondRound is that only when the slot was used before.
func fromSecondRound(text string) string {
	return "%later = arith.cmpi sge, %i, %c3 : i32\n scf.if %later {\n" + text + "\n scf.yield }"
}

// whileMoreFollow is that only when the producer comes back to the slot.
func whileMoreFollow(text string) string {
	return "%again = arith.cmpi slt, %i, %c3 : i32\n scf.if %again {\n" + text + "\n scf.yield }"
}

// numbered gives the values that both texts of a role define names of their own.
func numbered(text, suffix string) string {
	return strings.NewReplacer("%e0", "%e0"+suffix, "%e1", "%e1"+suffix, "%e2", "%e2"+suffix).Replace(text)
}

// ringModule reads the kernel, in which pairs of old and new texts are exchanged.
func ringModule(t *testing.T, said *bytes.Buffer, edits ...string) ir.Op {
	t.Helper()
	text := strings.NewReplacer(edits...).Replace(ringKernel)
	text = strings.NewReplacer(
		"EMPTY", numbered(fromSecondRound(await(4)), "empty"), "FULL", arrive(1), "FILLED", await(1), "DRAINED", numbered(whileMoreFollow(arrive(4)), "drained"),
		"ROW1", `#nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">`,
		"COL1", `#nv_tileas.layout<"{shape = [32, 1], register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">`,
	).Replace(text)
	c := tileir.NewContext()
	c.Diag.Push(c.Diag.PrintTo(said))
	m, err := tileir.Read(c, "k.mlir", []byte(scheduledNames.Replace(text)))
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, said, text)
	}
	return m
}

// eachOrder runs a module in many orders of its roles.
func eachOrder(m ir.Op, run func(what string, e *interp.Engine)) {
	for _, hostile := range []bool{false, true} {
		for seed := range uint64(20) {
			e := interp.New(m)
			e.Threads, e.Adversarial, e.Seed = true, hostile, seed
			run(fmt.Sprintf("adversarial %v, seed %d", hostile, seed), e)
		}
	}
}

// TestRoles: a producer and a consumer compute the same in every order, as written, with their buffers placed, and as PTX on targets that move registers between roles and on those that do not.
func TestRoles(t *testing.T) {
	t.Parallel()
	k := scheduled{out: 128, want: func(i int) uint64 { return uint64(6*(i/4) + 15) }}
	var said bytes.Buffer
	m := ringModule(t, &said)
	eachOrder(m, func(what string, e *interp.Engine) { k.check(t, what, e) })
	if _, err := k.pass(m, placing); err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	eachOrder(m, func(what string, e *interp.Engine) { k.check(t, "placed, "+what, e) })
	for _, gpu := range []string{"sm_80", "sm_90"} {
		k.gpu = gpu
		ringPTX(t, k)
		ringPTX(t, k, mbarrierEdits()...)
	}
}

// ringPTX runs the ring as PTX, in many orders of its warps.
func ringPTX(t *testing.T, k scheduled, edits ...string) string {
	t.Helper()
	var said bytes.Buffer
	// A group of four warps has registers of its own, not one warp.
	m := ringModule(t, &said, append(edits, " regs(40)", "", " regs(232)", "")...)
	ptx, described := k.ptx(t, m, &said)
	for seed := range uint64(6) {
		e, err := emulate.New("k.ptx", ptx)
		if err != nil {
			t.Fatalf("%v\n%s", err, ptx)
		}
		compile.Describe(e, described.Kernels[0])
		e.Adversarial, e.Seed = seed > 0, seed
		k.check(t, fmt.Sprintf("as PTX for %s, seed %d", k.gpu, seed), e)
	}
	return string(ptx)
}

// TestPlantedRoles: each mistake in how roles work together is found in every order, at the operation.
func TestPlantedRoles(t *testing.T) {
	t.Parallel()
	const deadlock = "'nv_tileas.warp_specialize' op never ends, because no role can go on: "
	for name, tt := range map[string]struct {
		edits []string
		want  []string // one of them
	}{
		"nobody says that a slot is full": {[]string{"FULL", "", "FILLED", ""}, []string{"nothing has synchronised the two in between", "stores an unspecified value"}},
		"nobody says that a slot is empty": {[]string{"EMPTY", "", "DRAINED", ""}, []string{"'nv_tileas.barrier_arrive' op of role \"load\" comes to barrier ", "'nv_tileas.local_store' op of role \"load\" accesses shared memory that role \"add\" accesses in 'nv_tileas.local_load'",
			"'nv_tileas.local_load' op of role \"add\" accesses shared memory that role \"load\" accesses in 'nv_tileas.local_store'"}},
		"the producer does not say it": {[]string{"FULL", ""}, []string{deadlock + "role \"load\" stands at 'nv_tileas.barrier' (barrier 4: 1 of 2 warps have come), role \"add\" stands at 'nv_tileas.barrier' (barrier 1: 1 of 2 warps have come)"}},
		"the consumer does not wait":   {[]string{"FILLED", ""}, []string{"nothing has synchronised the two in between", deadlock, "stores an unspecified value"}},
		"another barrier":              {[]string{"FILLED", await(7)}, []string{deadlock + "role \"load\" stands at 'nv_tileas.barrier' (barrier 4: 1 of 2 warps have come), role \"add\" stands at 'nv_tileas.barrier' (barrier 7: 1 of 2 warps have come)"}},
		"too few participants":         {[]string{"FILLED", strings.ReplaceAll(await(1), "warps 2", "warps 1")}, []string{"comes as one of 1 warps to barrier 1, where", "comes as one of 2 warps to barrier 1, where", "nothing has synchronised", "stores an unspecified value"}},
		"a slot further":               {[]string{"%slot = nv_tileas.buffer_slot %ring[%k] : SLOTS3, i32\n        FILLED", "%j = arith.addi %i, %c1 : i32\n %kk = arith.remsi %j, %c3 : i32\n%slot = nv_tileas.buffer_slot %ring[%kk] : SLOTS3, i32\n FILLED"}, []string{"nothing has synchronised the two in between", "stores an unspecified value"}},
		"both wait first":              {[]string{"EMPTY", "nv_tileas.barrier id 8 warps 2", "FILLED", "nv_tileas.barrier id 9 warps 2"}, []string{deadlock + "role \"load\" stands at 'nv_tileas.barrier' (barrier 8: 1 of 2 warps have come), role \"add\" stands at 'nv_tileas.barrier' (barrier 9: 1 of 2 warps have come)"}},
		"a role that has ended":        {[]string{"%done = OUT(%sum)AT", "%done = OUT(%sum)AT\n nv_tileas.barrier"}, []string{deadlock + "role \"load\" has ended, role \"add\" stands at 'nv_tileas.barrier' (barrier 0: 1 of 2 warps have come)"}},
		"a copy that nobody waits for": {[]string{"FULL", "%all = arith.constant 128 : i64\n%own = nv_tileas.alloc_shared : BUF\n%cp = COPY(%own)FROM(%zero)ROWS(%all)END\n%g = nv_tileas.commit_group : !nv_tileas.group\nFULL"}, []string{"'nv_tileas.copy_async' op writes a buffer", "'nv_tileas.copy_async' op is still under way when role \"load\" ends", "accesses a buffer"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var said bytes.Buffer
			eachOrder(ringModule(t, &said, tt.edits...), func(what string, e *interp.Engine) {
				err := e.Run(context.Background(), scheduled{out: 128}.request())
				for _, want := range tt.want {
					if err != nil && strings.Contains(err.Error(), want) {
						return
					}
				}
				t.Errorf("%s: got %v, want one of %q", what, err, tt.want)
			})
		})
	}
}

// TestRolesOrder: a seed gives one order, which can be had again, and seeds give different ones.
func TestRolesOrder(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	m := ringModule(t, &said)
	seen := make(map[string]bool)
	for seed := range uint64(8) {
		var orders [2]string
		for i := range orders {
			e := interp.New(m)
			e.Seed = seed
			var order strings.Builder
			e.Trace = func(ev interp.Event) { fmt.Fprintln(&order, ev.Op.Name()) }
			if err := e.Run(context.Background(), scheduled{out: 128}.request()); err != nil {
				t.Fatal(err)
			}
			orders[i] = order.String()
		}
		if orders[0] != orders[1] {
			t.Errorf("seed %d gives two orders", seed)
		}
		seen[orders[0]] = true
	}
	if len(seen) < 2 {
		t.Errorf("8 seeds give one order")
	}
}

// TestRoleLayouts: layouts inside a role are over its own warps, and tensors of the warps in front are none of its own.
func TestRoleLayouts(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		module func(said *bytes.Buffer) ir.Op
		want   string
	}{
		"over the warps of the role": {func(said *bytes.Buffer) ir.Op { return ringModule(t, said) }, ""},
		"over others": {func(said *bytes.Buffer) ir.Op {
			return ringModule(t, said, "num_warps = 2", "num_warps = 3", "\"load\" warps(1)", "\"load\" warps(2)", "EMPTY", "", "FULL", "", "FILLED", "", "DRAINED", "")
		}, "has a layout over another number of warps than its role has"},
		"from in front": {func(said *bytes.Buffer) ir.Op {
			return scheduled{text: "nv_tileas.warp_specialize {\n role \"only\" warps(1) {\n %d = OUT(%x)AT\n }\n}"}.module(t, said)
		}, "is distributed among the warps in front of the roles, but stands in role \"only\""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var said bytes.Buffer
			var err *ir.Diagnostic
			tt.module(&said).Walk(func(op ir.Op) ir.WalkResult {
				if op.Is(tileas.Level.Func) {
					_, err = passes.FirstBroken([]*passes.Property{property.LayoutsAssigned}, op, &passes.Target{GPU: "sm_90"})
				}
				return ir.Advance
			})
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Message, tt.want)) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}
