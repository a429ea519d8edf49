package opttool_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	_ "github.com/tilewright/tilewright/passes/all"
)

const summed = `entry @sum(%p: tile<ptr<i32>>, %x: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %y = addi %x, %zero : tile<i32>
  %a = addi %y, %y : tile<i32>
  %b = addi %y, %y : tile<i32>
  %c = muli %a, %b : tile<i32>
  %t = store_ptr_tko weak %p, %c : tile<ptr<i32>>, tile<i32> -> token
  return
}
`

// TestTraceRewrites reads the trace back: passes that follow one another, and rewrites inside of them, with numbers
// and places.
func TestTraceRewrites(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "trace.json")
	var out, errs bytes.Buffer
	if status := opttool.TileOpt().Main([]string{"--canonicalize", "--cse", "--trace-rewrites=" + file, "-"}, strings.NewReader(strings.Replace(summed, "%x, %zero : tile<i32>", "%x, %zero : tile<i32> loc(\"a\x1b[2Jb\":7:3)", 1)), &out, &errs); status != 0 {
		t.Fatalf("status %d\n%s", status, &errs)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	type event struct {
		Name, Cat, Ph string
		Ts, Dur       float64
		Args          struct {
			Op, Location, Pass string
			Number             int
		}
	}
	var events []event
	if err := json.Unmarshal(data, &events); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	passes, numbers := make(map[string]event), make(map[string]int)
	for _, e := range events {
		if e.Ph != "X" || e.Dur < 0 {
			t.Errorf("%+v is no complete event", e)
		}
		if e.Cat == "pass" {
			passes[e.Name] = e
		}
	}
	found := false
	for _, e := range events {
		if e.Cat != "rewrite" {
			continue
		}
		numbers[e.Args.Pass]++
		if p := passes[e.Args.Pass]; e.Args.Number != numbers[e.Args.Pass] || e.Ts < p.Ts {
			t.Errorf("%+v is not rewrite %d inside %+v", e, numbers[e.Args.Pass], p)
		}
		found = found || e.Name == "fold" && e.Args.Op == "cuda_tile.addi" && e.Args.Location == "a?[2Jb:7:3"
	}
	if !found || numbers["cse"] != 1 || passes["cse"].Ts < passes["canonicalize"].Ts {
		t.Errorf("the sum with zero is not folded, or cse merges other than one: %v\n%s", numbers, data)
	}
}

// TestRewriteLimits lets a pass make ever more of its rewrites: each is one more, and the last text is that without a
// limit.
func TestRewriteLimits(t *testing.T) {
	t.Parallel()
	run := func(args ...string) string {
		var out, errs bytes.Buffer
		if status := opttool.TileOpt().Main(append(args, "-"), strings.NewReader(summed), &out, &errs); status != 0 {
			t.Fatalf("%v: status %d\n%s", args, status, &errs)
		}
		return out.String()
	}
	before, whole := run(), run("--canonicalize")
	changed := 0
	for n := range 10 {
		got := run("--canonicalize", fmt.Sprintf("-d=canonicalize/rewrites=%d", n))
		if n == 0 && got != before {
			t.Errorf("with no rewrites:\n%s\nwant\n%s", got, before)
		}
		if got != before {
			changed++
		}
		before = got
	}
	if before != whole || changed < 2 {
		t.Errorf("%d limits tell, and with 9 rewrites:\n%s\nwithout a limit:\n%s", changed, before, whole)
	}
}
