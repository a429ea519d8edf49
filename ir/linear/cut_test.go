package linear_test

import (
	"testing"

	"github.com/tilewright/tilewright/ir/linear"
)

// TestCutInto: a conversion is cut along what registers hold on both sides, and no further.
func TestCutInto(t *testing.T) {
	t.Parallel()
	rows, err := linear.New([]int{4, 64}, linear.Bases{linear.Register: {{1, 0}, {2, 0}, {0, 32}}, linear.Lane: {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}}})
	if err != nil {
		t.Fatal(err)
	}
	columns, err := linear.New([]int{4, 64}, linear.Bases{linear.Register: {{1, 0}, {0, 1}, {0, 32}}, linear.Lane: {{0, 2}, {0, 4}, {0, 8}, {0, 16}, {2, 0}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ asked, got int }{{1, 1}, {2, 2}, {4, 4}, {64, 4}} {
		cut := linear.CutInto(rows, columns, c.asked)
		if cut.Subtiles != c.got {
			t.Errorf("asked for %d subtiles, got %d, want %d", c.asked, cut.Subtiles, c.got)
		}
		if n := cut.Src.Size(linear.Register); n*c.got != rows.Size(linear.Register) {
			t.Errorf("a subtile of %d has %d registers of %d", c.got, n, rows.Size(linear.Register))
		}
	}
}
