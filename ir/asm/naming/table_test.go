package naming

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestNameTable compares the table with a map that is restored at the end of each region.
func TestNameTable(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	var table nameTable
	for range 3 {
		table.reset()
		var want []string // by number
		var region func(used map[string]bool, counter int32, depth int)
		region = func(used map[string]bool, counter int32, depth int) {
			mark := len(table.used)
			inner := make(map[string]bool)
			for name := range used {
				inner[name] = true
			}
			wantCounter := counter
			for range r.IntN(60) {
				if depth < 5 && r.IntN(20) == 0 {
					region(inner, counter, depth+1)
					continue
				}
				base := fmt.Sprintf("n%d", r.IntN(30))
				if r.IntN(3) == 0 {
					base = fmt.Sprintf("n%d_%d", r.IntN(30), r.IntN(30))
				}
				name := base
				for ; inner[name]; wantCounter++ {
					name = fmt.Sprintf("%s_%d", base, wantCounter)
				}
				inner[name] = true
				want = append(want, name)
				if n := table.add(base, &counter); n != len(want)-1 || string(table.get(n)) != name || counter != wantCounter {
					t.Fatalf("name %d is %q with the counter at %d, want %q, %d", n, table.get(n), counter, name, wantCounter)
				}
			}
			table.forget(mark)
		}
		for range 50 {
			region(nil, 0, 0)
		}
		for n, name := range want {
			if string(table.get(n)) != name {
				t.Errorf("name %d became %q, was %q", n, table.get(n), name)
			}
		}
	}
}
