package machine

// heapSize is how many bytes malloc hands out in one Memory: the size of the
// device's heap unless a program asks for another (CUDA programming guide,
// heap memory allocation).
const heapSize = 8 << 20

// heapName is the name of what malloc allocates, by which free knows it.
const heapName = "malloc"

// Malloc reserves global memory, and returns 0 when there is not enough.
//
// The memory is the device's, not the launch's: CUDA lets a later kernel use and free it.
func Malloc(w *Warp, _ int, args []uint64) uint64 {
	m := w.CTA.Run.Memory
	m.mu.Lock()
	defer m.mu.Unlock()
	size := args[0]
	if size > heapSize-m.heap {
		return 0
	}
	a, err := m.alloc(heapName, size, 16, zeroed)
	if err != nil {
		return 0
	}
	m.heap += size
	return a.Base
}

// Free gives back what malloc reserved; of a null pointer it does nothing.
func Free(w *Warp, lane int, args []uint64) uint64 {
	addr := args[0]
	if addr == 0 {
		return 0
	}
	m := w.CTA.Run.Memory
	a := m.Find(addr)
	if a == nil || a.Base != addr || a.name != heapName {
		w.Faultf(lane, "free of %s, which malloc did not return", m.describe(addr))
		return 0
	}
	if err := m.Free(addr); err != nil {
		w.Faultf(lane, "free of %s: %v", m.describe(addr), err)
		return 0
	}
	m.mu.Lock()
	m.heap -= uint64(len(a.Data))
	m.mu.Unlock()
	return 0
}
