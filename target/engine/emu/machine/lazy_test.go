package machine

import (
	"bytes"
	"testing"
)

// TestLazyMemory: bytes are asked for once, by pages, and what an earlier memory left in the words does not show.
func TestLazyMemory(t *testing.T) {
	t.Parallel()
	const size = 2*lazyPage + 100
	for round := range 3 {
		m := NewMemory()
		var asked []uint64
		at, err := m.AllocLazy("a", size, 256, func(at uint64, to []byte) {
			asked = append(asked, at)
			for i := range to {
				to[i] = byte(at/lazyPage) + byte(round)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 4)
		for range 2 { // the end of the second page, and the start of the last one
			if err := m.Read(at+2*lazyPage-2, got); err != nil || !bytes.Equal(got, []byte{byte(1 + round), byte(1 + round), byte(2 + round), byte(2 + round)}) {
				t.Errorf("round %d: got %v, %v", round, got, err)
			}
		}
		if len(asked) != 2 || asked[0] != lazyPage || asked[1] != 2*lazyPage {
			t.Errorf("round %d: asked for bytes at %v", round, asked)
		}
		if err := m.Read(at+size-2, got); err == nil {
			t.Errorf("round %d: read beyond the end", round)
		}
		if err := m.Write(at, bytes.Repeat([]byte{0xee}, size)); err != nil {
			t.Error(err)
		}
		m.Discard()
		if err := m.Read(at, got); err == nil {
			t.Errorf("round %d: read what was discarded", round)
		}
	}
}
