package warpspec

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/tests/kernelsuite"
)

// TestSeedsOrderRoles: a seed gives one order of roles, the same each time, and seeds give different ones.
func TestSeedsOrderRoles(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("ring", "named_barriers.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	m := kerneltest.Read(t, new(bytes.Buffer), "named_barriers.mlir", text)
	seen := make(map[string]bool)
	for seed := range uint64(8) {
		var orders [2]string
		for i := range orders {
			req, err := kernelsuite.Request(1, []string{"i32[128]", "i32[512]"})
			if err != nil {
				t.Fatal(err)
			}
			e := interp.New(m)
			e.Seed = seed
			var order strings.Builder
			e.Trace = func(ev interp.Event) { fmt.Fprintln(&order, ev.Op.Name()) }
			if err := e.Run(context.Background(), req); err != nil {
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
