package interp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/sched"
	"github.com/tilewright/tilewright/target/engine/launch"
)

const gridBlocks = 48

// unevenWork delays tile blocks by different numbers of operations, so that they end in another order than they begin.
const unevenWork = `%x, %y, %z = get_tile_block_id : tile<i32>
%c0 = constant <i32: 0> : tile<i32>
%c1 = constant <i32: 1> : tile<i32>
%c7 = constant <i32: 7> : tile<i32>
%c97 = constant <i32: 97> : tile<i32>
%c300 = constant <i32: 300> : tile<i32>
%u0 = muli %x, %c97 : tile<i32>
%u1 = remi %u0, %c300 signed : tile<i32>
%work = for %i in (%c0 to %u1, step %c1) : tile<i32> iter_values(%a = %c1) -> (tile<i32>) {
  %b = muli %a, %c7 : tile<i32>
  continue %b : tile<i32>
}
%one = andi %work, %c0 : tile<i32>
%f0 = itof %x signed : tile<i32> -> tile<f32>
%f1 = exp2 %f0 : tile<f32>
%third = constant <f32: 0.33333334> : tile<f32>
%f2 = mulf %f1, %third : tile<f32>
%big = constant <f32: 16777216.0> : tile<f32>
%f = remf %f2, %big : tile<f32>
%q = offset %p, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
%q1 = offset %q, %c1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
%pf = ptr_to_ptr %p : tile<ptr<i32>> -> tile<ptr<f32>>
`

// What a launch computes, prints and reports is the same on any number of processors: always where tile blocks see
// nothing of each other but what commutes, and in ordered launches whatever they do.
func TestDeterministic(t *testing.T) {
	const casAdd = `loop {
  %old, %t0 = load_ptr_tko relaxed device %pf : tile<ptr<f32>> -> tile<f32>, token
  %new = addf %old, %f : tile<f32>
  %got, %t1 = atomic_cas_tko relaxed device %pf, %old, %new token = %t0 : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
  %ob = bitcast %old : tile<f32> -> tile<i32>
  %gb = bitcast %got : tile<f32> -> tile<i32>
  %same = cmpi equal %ob, %gb, signed : tile<i32> -> tile<i1>
  if %same {
    break
  }
  continue
}`
	const lock = `loop {
  %held, %t0 = atomic_cas_tko acq_rel device %p, %c0, %c1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  %free = cmpi equal %held, %c0, signed : tile<i32> -> tile<i1>
  if %free {
    break
  }
  continue
}
%o = constant <i32: 50> : tile<i32>
%r = offset %p, %o : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
%rf = ptr_to_ptr %r : tile<ptr<i32>> -> tile<ptr<f32>>
%old, %t1 = load_ptr_tko weak %rf : tile<ptr<f32>> -> tile<f32>, token
%new = addf %old, %f : tile<f32>
%t2 = store_ptr_tko weak %rf, %new : tile<ptr<f32>>, tile<f32> -> token
%t3 = store_ptr_tko release device %p, %c0 : tile<ptr<i32>>, tile<i32> -> token`
	// Each tile block waits for the next one, and then adds.
	const backwards = `%c47 = constant <i32: 47> : tile<i32>
%last = cmpi equal %x, %c47, signed : tile<i32> -> tile<i1>
%q2 = offset %q1, %c1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
if %last {
} else {
  loop {
    %v, %t0 = load_ptr_tko acquire device %q2 : tile<ptr<i32>> -> tile<i32>, token
    %set = cmpi equal %v, %c1, signed : tile<i32> -> tile<i1>
    if %set {
      break
    }
    continue
  }
}
%g, %t1 = atomic_rmw_tko relaxed device %pf, addf, %f : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
%t2 = store_ptr_tko release device %q1, %c1 : tile<ptr<i32>>, tile<i32> -> token`
	for _, tt := range []struct {
		name, body    string
		ordered, race bool
		first         func() uint64 // the element 0 that it must leave; nil: any
		err           string
	}{
		{"no atomics", "%s = store_ptr_tko weak %q, %x : tile<ptr<i32>>, tile<i32> -> token", false, false, func() uint64 { return 0 }, ""},
		{"integers", "%o, %t = atomic_rmw_tko relaxed device %p, add, %x : tile<ptr<i32>>, tile<i32> -> tile<i32>, token\n" +
			"%o2, %t2 = atomic_rmw_tko relaxed device %q1, xor, %x : tile<ptr<i32>>, tile<i32> -> tile<i32>, token", false, false, func() uint64 { return gridBlocks * (gridBlocks - 1) / 2 }, ""},
		{"floats", "%g, %t = atomic_rmw_tko relaxed device %pf, addf, %f : tile<ptr<f32>>, tile<f32> -> tile<f32>, token", true, false, inOrder, ""},
		{"compare and swap", casAdd, true, false, inOrder, ""},
		{"results", "%g, %t = atomic_rmw_tko relaxed device %p, add, %c1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token\n%s = store_ptr_tko weak %q1, %g : tile<ptr<i32>>, tile<i32> -> token", true, false, nil, ""},
		{"lock", lock, true, false, func() uint64 { return 0 }, ""},
		{"backwards", backwards, true, false, nil, ""},
		{"addresses", "%a = alloca num_elem = 4, alignment = 4 global : tile<ptr<i32>>\n%n = ptr_to_int %a : tile<ptr<i32>> -> tile<i64>\n%h = trunci %n : tile<i64> -> tile<i32>\n" +
			"%s = store_ptr_tko weak %q, %h : tile<ptr<i32>>, tile<i32> -> token", false, false, nil, ""},
		{"prints", "%t = print_tko \"%d;\", %x : tile<i32> -> token\n%t2 = print_tko \"%f \", %f : tile<f32> -> token", false, false, nil, ""},
		{"failures", "%t = print_tko \"%d;\", %x : tile<i32> -> token\n%k = cmpi less_than %x, %c7, signed : tile<i32> -> tile<i1>\nassert %k, \"small\" : tile<i1>", false, false, nil, "tile block (7, 0, 0): k.mlir:"},
		{"failures in order", "%g, %t = atomic_rmw_tko relaxed device %p, add, %c1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token\n%k = cmpi less_than %g, %c7, signed : tile<i32> -> tile<i1>\nassert %k, \"small\" : tile<i1>",
			true, false, nil, "tile block (7, 0, 0): k.mlir:"},
		{"races", "%h = divi %x, %c7 signed : tile<i32>\n%r = offset %p, %h : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n%s = store_ptr_tko weak %r, %x : tile<ptr<i32>>, tile<i32> -> token", false, true, nil,
			"tile block (1, 0, 0): k.mlir:27:6: error: 'cuda_tile.store_ptr_tko' op element []: races with 'cuda_tile.store_ptr_tko' at k.mlir:27:6 of tile block (0, 0, 0)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := parse(t, "entry @k(%p: tile<ptr<i32>>) {\n"+unevenWork+tt.body+"\nreturn\n}")
			e.OrderedAtomics, e.Races = tt.ordered, tt.race
			var want string
			for i, procs := range []int{1, 2, 8, 8} {
				got := observed(t, e, procs, tt.err)
				if tt.first != nil && got.data[0] != tt.first() {
					t.Errorf("%d processors: element 0 is %#x, want %#x", procs, got.data[0], tt.first())
				}
				if i == 0 {
					want = got.String()
				} else if s := got.String(); s != want {
					t.Errorf("%d processors: got\n%s\nbut one processor\n%s", procs, s, want)
				}
			}
		})
	}
}

// inOrder is the sum of %f of all tile blocks, in their order.
func inOrder() uint64 {
	f, env := numeric.F32, numeric.Env{}
	sum := uint64(0)
	for i := range gridBlocks {
		x := f.Encode(float64(i), env)
		x = f.Mul(f.Exp2(x, env), 0x3eaaaaab, env)
		sum = f.Add(sum, f.Rem(x, f.Encode(1<<24, env), env), env)
	}
	return sum
}

type observation struct {
	data    []uint64
	printed string
	err     error
}

func (o observation) String() string {
	data := o.data
	if o.err != nil {
		data = nil // how far the others got is open
	}
	return fmt.Sprintf("%#x %q %v", data, o.printed, o.err)
}

func observed(t *testing.T, e *Engine, procs int, fails string) observation {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
	e.Workers = 0
	var out bytes.Buffer
	e.Output = &out
	p := bufferOf(launch.I32, make([]uint64, gridBlocks+4)...)
	err := e.Run(t.Context(), &launch.Request{Entry: "k", Grid: [3]uint32{gridBlocks, 1, 1}, Args: []launch.Arg{p}})
	switch {
	case fails != "":
		expectError(t, err, fails)
	case err != nil:
		t.Error(err)
	}
	return observation{elements(p), out.String(), err}
}

// Prints of tile blocks come in their order, also when they are held back, and when they fail.
func TestPrintOrder(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := sched.Printed{To: &out}
	for _, step := range []struct {
		block uint64
		text  string // "": it ends
		want  string
	}{
		{1, "b", ""}, {2, "c", ""}, {0, "a", "a"}, {1, "", "a"}, {0, "", "abc"}, {4, "e", "abc"}, {2, "d", "abcd"},
	} {
		var err error
		if step.text == "" {
			err = p.End(step.block)
		} else {
			err = p.Print(step.block, sched.Print{Text: step.text})
		}
		if err != nil || out.String() != step.want {
			t.Errorf("%v: got %q, %v", step, out.String(), err)
		}
	}
	if err := p.Print(5, sched.Print{Text: strings.Repeat("f", sched.MaxHeld)}); err != nil || out.Len() != 4+sched.MaxHeld {
		t.Errorf("held back %d bytes, %v", p.Bytes, err)
	}
	out.Reset()
	if err := p.Print(6, sched.Print{Text: "g"}); err != nil {
		t.Error(err)
	}
	// The tile block 5 failed; what later ones print is as if they had not begun.
	if err := p.Flush(5); err != nil || out.String() != "e" {
		t.Errorf("got %q, %v", out.String(), err)
	}
}

// A tile block that waits while it changes memory passes its turn on, too; one that waits forever is stopped.
func TestOrderedProgress(t *testing.T) {
	t.Parallel()
	e := parse(t, `entry @k(%p: tile<ptr<i32>>) {
%x, %y, %z = get_tile_block_id : tile<i32>
%c0 = constant <i32: 0> : tile<i32>
%c1 = constant <i32: 1> : tile<i32>
%q = offset %p, %c1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
%first = cmpi equal %x, %c0, signed : tile<i32> -> tile<i1>
if %first {
  loop {
    %n, %t0 = atomic_rmw_tko relaxed device %p, add, %c1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %v, %t1 = load_ptr_tko acquire device %q : tile<ptr<i32>> -> tile<i32>, token
    %set = cmpi equal %v, %c1, signed : tile<i32> -> tile<i1>
    if %set {
      break
    }
    continue
  }
} else {
  %t2 = store_ptr_tko release device %q, %x : tile<ptr<i32>>, tile<i32> -> token
}
return
}`)
	e.OrderedAtomics = true
	p := bufferOf(launch.I32, 0, 0)
	req := &launch.Request{Entry: "k", Grid: [3]uint32{2, 1, 1}, Args: []launch.Arg{p}}
	if err := e.Run(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if got, want := elements(p), []uint64{core.Longest + 1, 1}; !slices.Equal(got, want) {
		t.Errorf("got %d, want %d", got, want)
	}
	e.MaxSteps = 100_000
	req.Grid[0], req.Args[0] = 1, bufferOf(launch.I32, 0, 0) // there is no other one
	expectError(t, e.Run(t.Context(), req), "more than the limit for a tile block")
	e.MaxSteps = 0
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := e.Run(ctx, req); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}
