package exec

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
)

// loopKernels are kernels in whose loops something could be done that must not be, or is only right if no number
// wraps around. All have the arguments (out: pointer to i32, n, d, s: i32).
var loopKernels = map[string]string{
	// The loop runs zero times when n is 0: neither the division by zero nor the load through a null pointer may
	// happen.
	"empty": `
  %null = constant <i64: 0> : tile<i64>
  %r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%a = %one) -> (tile<i32>) {
    %q = divi %s, %d signed : tile<i32>
    %m = remi %s, %d signed : tile<i32>
    %small = trunci %null : tile<i64> -> tile<i32>
    %p = int_to_ptr %null : tile<i64> -> tile<ptr<i32>>
    %some = cmpi equal %d, %zero, signed : tile<i32> -> tile<i1>
    %v = if %some -> (tile<i32>) {
      %w, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
      yield %w : tile<i32>
    } else {
      yield %m : tile<i32>
    }
    %b = addi %a, %q : tile<i32>
    %c = muli %b, %v : tile<i32>
    %e = addi %c, %i : tile<i32>
    continue %e : tile<i32>
  }
  %t = store_ptr_tko weak %out, %r : tile<ptr<i32>>, tile<i32> -> token`,

	// What a loop stores, it reads again in the next iteration, by the order of tokens.
	"tokens": `
  %t0 = store_ptr_tko weak %out, %s : tile<ptr<i32>>, tile<i32> -> token
  %r:2 = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%t = %t0, %a = %zero) -> (token, tile<i32>) {
    %v, %t1 = load_ptr_tko weak %out token = %t : tile<ptr<i32>> -> tile<i32>, token
    %k = muli %s, %s : tile<i32>
    %w = addi %v, %k : tile<i32>
    %t2 = store_ptr_tko weak %out, %w token = %t1 : tile<ptr<i32>>, tile<i32> -> token
    %b = addi %a, %v : tile<i32>
    continue %t2, %b : token, tile<i32>
  }
  %p = offset %out, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %t = store_ptr_tko weak %p, %r#1 token = %r#0 : tile<ptr<i32>>, tile<i32> -> token`,

	// Loops in each other, with what is invariant in one and not in the other, and ways out.
	"nested": `
  %r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%a = %s) -> (tile<i32>) {
    %x = loop iter_values(%j = %zero, %b = %a) : tile<i32>, tile<i32> -> tile<i32> {
      %k = muli %n, %s : tile<i32>
      %l = addi %k, %i : tile<i32>
      %done = cmpi greater_than_or_equal %j, %i, signed : tile<i32> -> tile<i1>
      if %done {
        break %b : tile<i32>
      }
      %y = for %h in (%j to %n, step %one) : tile<i32> iter_values(%c = %b) -> (tile<i32>) {
        %e = addi %l, %j : tile<i32>
        %f = xori %c, %e : tile<i32>
        %g = addi %f, %h : tile<i32>
        continue %g : tile<i32>
      }
      %next = addi %j, %one : tile<i32>
      continue %next, %y : tile<i32>, tile<i32>
    }
    continue %x : tile<i32>
  }
  %t = store_ptr_tko weak %out, %r : tile<ptr<i32>>, tile<i32> -> token`,

	// Loops that are split, at numbers that are not known, with every comparison.
	"split": `
  %r = for %i in (%d to %n, step %one) : tile<i32> iter_values(%a = %zero) -> (tile<i32>) {
    %b = muli %a, %seven : tile<i32>
    %k = cmpi greater_than %i, %s, signed : tile<i32> -> tile<i1>
    %v = if %k -> (tile<i32>) {
      %c = addi %b, %i : tile<i32>
      yield %c : tile<i32>
    } else {
      %c = subi %b, %i : tile<i32>
      continue %c : tile<i32>
    }
    %w = xori %v, %i : tile<i32>
    continue %w : tile<i32>
  }
  %q = for %i in (%d to %n, step %seven) : tile<i32> iter_values(%a = %r) -> (tile<i32>) {
    %b = muli %a, %seven : tile<i32>
    %k = cmpi greater_than_or_equal %s, %i, signed : tile<i32> -> tile<i1>
    %v = if %k -> (tile<i32>) {
      %c = addi %b, %i : tile<i32>
      yield %c : tile<i32>
    } else {
      yield %b : tile<i32>
    }
    %m = exti %k unsigned : tile<i1> -> tile<i32>
    %w = subi %v, %m : tile<i32>
    continue %w : tile<i32>
  }
  %o = for unsigned %i in (%zero to %n, step %seven) : tile<i32> iter_values(%a = %q) -> (tile<i32>) {
    %k = cmpi less_than %i, %s, unsigned : tile<i32> -> tile<i1>
    if %k {
      %c = muli %a, %seven : tile<i32>
      continue %c : tile<i32>
    }
    %w = addi %a, %i : tile<i32>
    continue %w : tile<i32>
  }
  %t = store_ptr_tko weak %out, %o : tile<ptr<i32>>, tile<i32> -> token`,
	// The last counter plus the step does not fit the type.
	"largest number": `
  %most = constant <i32: 2147483647> : tile<i32>
  %high = ori %n, %most : tile<i32>
  %low = subi %high, %seven : tile<i32>
  %from = addi %low, %one : tile<i32>
  %o = for %i in (%from to %high, step %seven) : tile<i32> iter_values(%a = %one) -> (tile<i32>) {
    %v = muli %a, %seven : tile<i32>
    %w = addi %v, %i : tile<i32>
    continue %w : tile<i32>
  }
  %t = store_ptr_tko weak %out, %o : tile<ptr<i32>>, tile<i32> -> token`,
	"largest unsigned number": `
  %most = constant <i32: -1> : tile<i32>
  %high = ori %n, %most : tile<i32>
  %low = subi %high, %seven : tile<i32>
  %from = addi %low, %one : tile<i32>
  %o = for unsigned %i in (%from to %high, step %seven) : tile<i32> iter_values(%a = %one) -> (tile<i32>) {
    %l = cmpi less_than %i, %s, signed : tile<i32> -> tile<i1>
    if %l {
      continue %n : tile<i32>
    }
    %w = addi %a, %i : tile<i32>
    continue %w : tile<i32>
  }
  %t = store_ptr_tko weak %out, %o : tile<ptr<i32>>, tile<i32> -> token`,
}

// TestLoops runs the kernels in the interpreter, which sees them as they are written, and as PTX at each level of
// optimisation.
func TestLoops(t *testing.T) {
	t.Parallel()
	// Where d is 0 and the loop runs, "empty" has no meaning.
	numbers := [][3]int{{0, 0, 5}, {0, 3, -7}, {5, 2, 3}, {9, 3, 1000}, {30, -4, 11}, {31, 1, -1}, {1, 1, 1}, {8, -8, 8}}
	dir := t.TempDir()
	for name, body := range loopKernels {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(dir, name+".mlir")
			text := "cuda_tile.module @m {\nentry @k(%out: tile<ptr<i32>>, %n: tile<i32>, %d: tile<i32>, %s: tile<i32>) {\n" +
				"  %zero = constant <i32: 0> : tile<i32>\n  %one = constant <i32: 1> : tile<i32>\n  %seven = constant <i32: 7> : tile<i32>\n" +
				strings.TrimPrefix(body, "\n") + "\n  return\n}\n}\n"
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, n := range numbers {
				for _, level := range []string{"-O0", "-O1", "-O2", "-O3"} {
					args := []string{"--diff-engines=interp,ptx", "--gpu-name=sm_90", level, "--entry=k", "--grid=1,1,1", "--timeout=30s", "--arg=i32[4]"}
					for _, v := range n {
						args = append(args, fmt.Sprintf("--arg=i32:%d", v))
					}
					var out, errs bytes.Buffer
					status := runtool.Main(context.Background(), append(args, file), strings.NewReader(""), &out, &errs)
					if status != 0 || !strings.Contains(out.String(), "[ptx against interp]: arg 0 (i32[4]): ok") {
						t.Errorf("n, d, s = %d, %s: status %d\n%s%s", n, level, status, &out, &errs)
					}
				}
			}
		})
	}
}
