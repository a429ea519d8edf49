package tests

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/pipeline/check/generate"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// TestGlobalAlloca compares kernels that allocate global memory with the interpreter.
func TestGlobalAlloca(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"one": `
  %g = alloca num_elem = 64, alignment = 4 global : tile<ptr<i32>>` + throughGlobal("%g", "%g"),
		"aligned": `
  %g = alloca num_elem = 64, alignment = 1024 global : tile<ptr<i32>>
  %a = assume div_by<1024>, %g : tile<ptr<i32>>` + throughGlobal("%a", "%g"),
		"with shared memory": `
  %own = alloca num_elem = 64, alignment = 16 : tile<ptr<i32>>
  %g = alloca num_elem = 64, alignment = 16 global : tile<ptr<i32>>
  %w = alloca num_elem = 64, alignment = 16 global : tile<ptr<i32>>
  %pick = cmpi greater_than %b, %one, signed : tile<i32> -> tile<i1>
  %x = select %pick, %g, %own : tile<i1>, tile<ptr<i32>>` + throughGlobal("%x", "%x"),
		"return": `
  %early = cmpi greater_than %b, %one, signed : tile<i32> -> tile<i1>
  %g = alloca num_elem = 64, alignment = 4 global : tile<ptr<i32>>
  if %early {` + throughGlobal("%g", "%g") + `
    return
  }`,
		"global in a loop": inLoop("global"),
		"shared in a loop": inLoop(""),
		"not executed": `
  %never = cmpi greater_than %b, %three, signed : tile<i32> -> tile<i1>
  if %never {
    %g = alloca num_elem = 100000000, alignment = 4 global : tile<ptr<i32>>` + throughGlobal("%g", "%g") + `
  }`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := &launch.Buffer{DType: launch.I32, Shape: []int{globalOut}, Data: make([]byte, 4*globalOut)}
			agrees(t, &generate.Kernel{Text: []byte("entry @k(%p: tile<ptr<i32>>) {" + globalPrefix + body + "\n  return\n}\n"),
				Launch: &launch.Request{Entry: "k", Grid: [3]uint32{4, 1, 1}, Args: []launch.Arg{{Buffer: out}}}})
		})
	}
}

// globalOut is how many elements %p has.
const globalOut = 3 * 4 * 64

// inLoop is a loop in which each iteration has memory of its own, so that nothing orders it behind the one before.
func inLoop(global string) string {
	through := strings.NewReplacer("%old, %t0 = load_ptr_tko weak %m : tile<64xptr<i32>> -> tile<64xi32>, token", "%old = addi %it, %io : tile<64xi32>",
		" token=%t0", "", "weak %m", "weak %n", " token=%t2", "").Replace(throughGlobal("%g", "%g"))
	return `
  for %i in (%zero to %three, step %one) : tile<i32> {
    %all = constant <i32: 256> : tile<i32>
    %skip = muli %i, %all : tile<i32>
    %is = reshape %skip : tile<i32> -> tile<1xi32>
    %it = broadcast %is : tile<1xi32> -> tile<64xi32>
    %n = offset %m, %it : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %g = alloca num_elem = 64, alignment = 4 ` + global + ` : tile<ptr<i32>>` + through + `
  }`
}

const globalPrefix = `
  %b, %by, %bz = get_tile_block_id : tile<i32>
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %three = constant <i32: 3> : tile<i32>
  %size = constant <i32: 64> : tile<i32>
  %base = muli %b, %size : tile<i32>
  %mine = offset %p, %base : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %io = iota : tile<64xi32>
  %last = constant <i32: 63> : tile<64xi32>
  %back = subi %last, %io : tile<64xi32>
  %bs = reshape %b : tile<i32> -> tile<1xi32>
  %bt = broadcast %bs : tile<1xi32> -> tile<64xi32>
  %m1 = reshape %mine : tile<ptr<i32>> -> tile<1xptr<i32>>
  %m2 = broadcast %m1 : tile<1xptr<i32>> -> tile<64xptr<i32>>
  %m = offset %m2, %io : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>`

// throughGlobal adds what the tile block has of %p, and the block's number, to 64 elements at to, reads them in the other order at from, and stores them at %p.
func throughGlobal(to, from string) string {
	return `
    %to1 = reshape ` + to + ` : tile<ptr<i32>> -> tile<1xptr<i32>>
    %to2 = broadcast %to1 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %to = offset %to2, %io : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %from1 = reshape ` + from + ` : tile<ptr<i32>> -> tile<1xptr<i32>>
    %from2 = broadcast %from1 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %from = offset %from2, %back : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %old, %t0 = load_ptr_tko weak %m : tile<64xptr<i32>> -> tile<64xi32>, token
    %s0 = addi %old, %io : tile<64xi32>
    %s1 = addi %s0, %bt : tile<64xi32>
    %t1 = store_ptr_tko weak %to, %s1 token=%t0 : tile<64xptr<i32>>, tile<64xi32> -> token
    %v, %t2 = load_ptr_tko weak %from token=%t1 : tile<64xptr<i32>> -> tile<64xi32>, token
    %t3 = store_ptr_tko weak %m, %v token=%t2 : tile<64xptr<i32>>, tile<64xi32> -> token`
}
