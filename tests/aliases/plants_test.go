package aliases

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
	"github.com/tilewright/tilewright/passes/any/licm"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileaaprop"
	"github.com/tilewright/tilewright/passes/tileaa/attachobjects"
	"github.com/tilewright/tilewright/passes/tileaa/eliminatedeadstores"
	"github.com/tilewright/tilewright/passes/tileaa/eliminateloads"
	"github.com/tilewright/tilewright/passes/tileaa/prunetokens"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/check/eachpass"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// The kernel of the plants: %p and %q are the same memory, which no pass can know.
const plantKernel = `
nv_tileaa.func @k(%p: !nv_tileaa.ptr<i32>, %q: !nv_tileaa.ptr<i32>, %out: !nv_tileaa.ptr<i32>) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %5 = arith.constant 5 : i32
  %9 = arith.constant 9 : i32
  %m = nv_tileaa.alloca 64 : !nv_tileaa.ptr<i32>
  %t0 = nv_tileaa.store %m, %1 : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %t1 = nv_tileaa.store %p, %5 token %t0 : !nv_tileaa.mem_token {test.first} : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %t2 = nv_tileaa.store %q, %9 token %t1 : !nv_tileaa.mem_token {test.aliasing} : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %y, %t3 = nv_tileaa.load %p token %t2 : !nv_tileaa.mem_token {test.load} : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %s, %t4 = scf.for %i = %0 to %5 step %1 iter_args(%c = %y, %t = %t3) -> (i32, !nv_tileaa.mem_token) : i32 {
    %z, %t5 = nv_tileaa.load %p token %t : !nv_tileaa.mem_token {test.inner} : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
    %u, %t6 = nv_tileaa.load %m token %t5 : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
    %w = arith.addi %z, %u : i32
    %t7 = nv_tileaa.store %q, %w token %t6 : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    %d = arith.addi %c, %w : i32
    scf.continue %d, %t7 : i32, !nv_tileaa.mem_token
  }
  %t8 = nv_tileaa.store %out, %s token %t4 : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}
`

// plantCase expects 9 + 10 + ... + 14 in the output, and 14 in the shared memory.
func plantCase() *launch.Case {
	i32 := func(v uint32) *launch.Buffer {
		b := &launch.Buffer{DType: launch.I32, Shape: []int{4}, Data: make([]byte, 16)}
		binary.LittleEndian.PutUint32(b.Data, v)
		return b
	}
	same := i32(0)
	return &launch.Case{Name: "plants", Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []launch.Arg{{Buffer: same}, {Buffer: same}, {Buffer: i32(0)}},
		Expect: []launch.Expect{{Arg: 0, Want: i32(14)}, {Arg: 2, Want: i32(9 + 10 + 11 + 12 + 13 + 14)}}}
}

// marked returns the operation with an attribute that the kernel put there.
func marked(kernel ir.Op, name string) (found ir.Op) {
	kernel.Walk(func(op ir.Op) ir.WalkResult {
		if op.Attr("test."+name) != nil {
			found = op
			return ir.Interrupt
		}
		return ir.Advance
	})
	return found
}

func plant(name string, change func(kernel ir.Op), destroys ...*passes.Property) *passes.Pass {
	return &passes.Pass{Name: name, Summary: "is wrong", On: "nv_tileaa.func", Requires: []*passes.Property{property.TileAA}, Destroys: destroys,
		Run: func(r *passes.Run) error {
			change(r.Op)
			return nil
		}}
}

// run runs passes on the kernel, executing it after each, with races.
func run(t *testing.T, list ...*passes.Pass) error {
	t.Helper()
	var said strings.Builder
	c := tileir.NewContext()
	c.Diag.Push(c.Diag.PrintTo(&said))
	module, err := tileir.Read(c, "kernel", []byte(plantKernel))
	if err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	p := pipeline.New(module.Name())
	for _, pass := range list {
		it := pipeline.Item{Pass: pass}
		if pass.Options != nil {
			it.Options = pass.Options()
		}
		p.Append([]string{"nv_tileaa.func"}, it)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	target := &passes.Target{}
	check, err := eachpass.Start(ctx, plantCase(), module, target, true, cancel)
	if err != nil {
		t.Fatal(err)
	}
	m := &pipeline.Manager{Target: target, Instruments: []pipeline.Instrument{check}}
	_, err = m.Run(ctx, p, module)
	if check.Err() != nil {
		return check.Err()
	}
	if err != nil {
		t.Log(&said)
	}
	return err
}

// TestPlants plants mistakes of the kinds that passes at this level make. Each is named at the pass that made it, by
// a check or by an execution.
func TestPlants(t *testing.T) {
	t.Parallel()
	attach := attachobjects.Pass
	for _, tt := range []struct {
		name string
		list []*passes.Pass
		want string
	}{
		{"no mistake", []*passes.Pass{attach, eliminateloads.Pass, eliminatedeadstores.Pass, prunetokens.Pass, licm.Pass}, ""},
		{"a token edge that mattered", []*passes.Pass{attach, plant("plant-prune", func(k ir.Op) {
			load := marked(k, "load")
			tokens.Set(load, tokens.Of(marked(k, "first")))
		})}, "after pass 'plant-prune' case 'plants' cannot be executed any more: "},
		{"a token edge around a loop", []*passes.Pass{plant("plant-past-loop", func(k ir.Op) {
			tokens.Set(marked(k, "inner"), tokens.After(marked(k, "load"))) // of the first iteration only
		})}, "after pass 'plant-past-loop' case 'plants' cannot be executed any more: "},
		{"forwarding over an aliasing store", []*passes.Pass{attach, plant("plant-forward", func(k ir.Op) {
			load := marked(k, "load")
			load.Result(0).ReplaceAllUsesWith(marked(k, "first").OperandNamed("value"))
			tokens.Drop(load, nil)
		})}, "after pass 'plant-forward' case 'plants' gives another result: argument 2"},
		{"a dead store that is read", []*passes.Pass{attach, plant("plant-dead-store", func(k ir.Op) {
			tokens.Drop(marked(k, "aliasing"), nil)
		})}, "after pass 'plant-dead-store' case 'plants' gives another result: argument 0"},
		{"a load hoisted over an aliasing store", []*passes.Pass{attach, plant("plant-hoist", func(k ir.Op) {
			load := marked(k, "inner")
			tokens.Set(load, tokens.After(marked(k, "load")))
			load.MoveBefore(load.ParentOp())
		})}, "after pass 'plant-hoist' case 'plants' "},
		{"an object that does not hold, checked", []*passes.Pass{attach, plant("plant-object", wrongObject)}, "'plant-object' does not keep 'objects-attached'"},
		{"an object that does not hold, executed", []*passes.Pass{attach, plant("plant-object", wrongObject, tileaaprop.ObjectsAttached)},
			"after pass 'plant-object' case 'plants' cannot be executed any more: "},
		{"an alloca of another number", []*passes.Pass{attach, plant("plant-number", func(k ir.Op) {
			k.Walk(func(op ir.Op) ir.WalkResult {
				if op.Is(tileaa.Level.Alloca) {
					op.SetAttr(tile.AttrObject, op.Context().IntAttr(op.Context().Int(64), 3))
				}
				return ir.Advance
			})
		})}, "'plant-number' does not keep 'objects-attached'"},
		{"an access that lost its objects", []*passes.Pass{attach, plant("plant-nameless", func(k ir.Op) { marked(k, "load").SetAttr(tile.AttrObjects, nil) })},
			"'plant-nameless' does not keep 'objects-attached'"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := run(t, tt.list...)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// wrongObject says of the store that aliases that it is to the alloca.
func wrongObject(k ir.Op) {
	marked(k, "aliasing").SetAttr(tile.AttrObjects, tileaa.Objects(k.Context(), []tile.ObjectRef{{Kind: tile.ObjectAlloca}}, false))
}
