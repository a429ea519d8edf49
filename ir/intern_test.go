package ir

import (
	"fmt"
	"sync"
	"testing"
)

// Goroutines that make the same objects at once get the same ones.
func TestInternInParallel(t *testing.T) {
	t.Parallel()
	c := NewContext(testDialect)
	const workers, n = 4, 3000
	var got [workers][n]Attribute
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range n {
				k := (i*7 + w*131) % n // each in an order of its own
				switch k % 4 {
				case 0:
					got[w][k] = c.IntAttr(c.Int(k%64+1), int64(k))
				case 1:
					got[w][k] = c.String(fmt.Sprint(k))
				case 2:
					got[w][k] = c.DenseI64(make([]int64, k%20)...)
				default:
					got[w][k] = c.Dense(c.Tensor([]int64{int64(k)}, c.Int(8), nil), make([]byte, k%11+1))
				}
			}
		})
	}
	wg.Wait()
	seen := make(map[uint32]Attribute)
	for k := range n {
		for w := range workers {
			if got[w][k] != got[0][k] {
				t.Fatalf("attribute %d is not the same in two goroutines", k)
			}
		}
		id := got[0][k].abase().id
		if seen[id] != nil && seen[id] != got[0][k] || c.attrs.at(id) != got[0][k] {
			t.Fatalf("attribute %d has the number of another", k)
		}
		seen[id] = got[0][k]
	}
}

func TestInternAllocatesNothing(t *testing.T) {
	c := NewContext(testDialect)
	tensor, data := c.Tensor([]int64{4}, c.Int(32), nil), []byte{1, 2, 3, 4}
	find := func() {
		c.Int(32)
		c.F32()
		c.String("name")
		c.IntAttr(c.Int(64), 7)
		c.Dense(tensor, data)
		c.DenseI32(1, 0, 2)
		c.TypeAttr(tensor)
	}
	find()
	if n := testing.AllocsPerRun(100, find); n != 0 {
		t.Errorf("finding attributes that exist allocates %v times", n)
	}
}
