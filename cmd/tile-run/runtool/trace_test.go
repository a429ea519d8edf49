package runtool_test

import (
	"regexp"
	"strings"
	"testing"
)

// TestTrace checks which values are printed, of which CTA, under which names.
func TestTrace(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	launch := "IN/k.mlir --entry add_one --grid 2 --arg f32:IN/ones.npy --arg i32:20 "
	status, _, all := call(dir, launch+"--trace=all --trace-block=1", "")
	names := regexp.MustCompile(`(?m)^.*k\.mlir:\d+:\d+: step \d+: (%\S+) = \[.*\] : `).FindAllStringSubmatch(all, -1)
	if status != 0 || len(names) < 3 || len(names) != strings.Count(all, "\n") {
		t.Fatalf("status %d, %d values\n%s", status, len(names), all)
	}
	last := names[len(names)-1][1]
	_, _, one := call(dir, launch+"--trace="+last+" --trace-block=1", "")
	if lines := strings.Split(strings.TrimSpace(all), "\n"); strings.TrimSpace(one) != lines[len(lines)-1] {
		t.Errorf("%s alone:\n%s\nwith the others:\n%s", last, one, all)
	}
	if !strings.Contains(one, "[2, 2, 2, 2, 1, 1") { // 20 elements in CTAs of 16; the padding of the second is 0
		t.Errorf("the second tile block computes\n%s", one)
	}
}
