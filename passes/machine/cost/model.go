package cost

import "github.com/tilewright/tilewright/target/sm"

// A Timing is what an operation costs, in cycles.
type Timing struct {
	Busy [sm.NumUnits]int // how long it keeps each unit busy
	// Latency is from its start until its results can be used; of an asynchronous operation until what it started has
	// completed.
	Latency int
}

// Add adds what another operation keeps busy, some times.
func (t *Timing) Add(o Timing, times int) {
	for u, n := range o.Busy {
		t.Busy[u] += n * times
	}
}

// Work returns the longest time that some unit is busy with it.
func (t Timing) Work() (n int) {
	for _, c := range t.Busy {
		n = max(n, c)
	}
	return n
}

// A Model knows the machine and the CTA.
type Model struct {
	Arch         *sm.Arch
	Memory       *sm.Memory
	Warps        int
	PerPartition int // warps of a partition
}

// NewModel returns the model of a CTA of so many warps.
func NewModel(arch *sm.Arch, warps int) *Model {
	return &Model{Arch: arch, Memory: arch.Memory(), Warps: warps, PerPartition: (warps + sm.Subpartitions - 1) / sm.Subpartitions}
}

// Issue returns what n plain instructions of each warp cost.
func (m *Model) Issue(n int) (t Timing) {
	t.Busy[sm.UnitIssue] = n * m.PerPartition
	t.Latency = 1
	return t
}

// Class adds n instructions of a class of each warp.
func (m *Model) Class(t *Timing, c sm.Class, n int) {
	if n == 0 {
		return
	}
	k := m.Arch.Cost(c)
	t.Busy[sm.UnitIssue] += n * m.PerPartition
	t.Busy[k.Unit] += n * k.Cycles * m.PerPartition
	t.Latency = max(t.Latency, k.Latency)
}

// AtEnd makes the results available only when all of the work is done.
func (t *Timing) AtEnd() { t.Latency += t.Work() }

// VectorBytes is what one access of a thread moves at most.
const VectorBytes = 16

// address is how many instructions an access to global memory takes besides itself: the address, and the test of its
// bounds.
const address = 3

// CopyByMap returns what a TMA copy of so many bytes costs, in boxes.
func (m *Model) CopyByMap(bytes, boxes int) Timing {
	t := m.Global(0, bytes)
	t.Busy[sm.UnitIssue] = address + boxes
	t.Latency += m.Arch.Async().BulkMore
	return t
}

// CopyByThreads returns what an asynchronous copy of so many bytes costs that threads make, as wide as they can.
func (m *Model) CopyByThreads(bytes int) Timing {
	each := VectorBytes * sm.WarpSize * m.Warps
	return m.Global((bytes+each-1)/each, bytes)
}

// Global returns what n accesses of each warp cost, of so many bytes of the CTA in all.
func (m *Model) Global(n, bytes int) (t Timing) {
	t.Busy[sm.UnitIssue] = n * (1 + address) * m.PerPartition
	t.Busy[sm.UnitLSU] = n * m.PerPartition
	t.Busy[sm.UnitGlobal] = int(float64(bytes) / m.Memory.L2Bytes)
	t.Latency = t.Busy[sm.UnitGlobal] + m.Memory.Global
	return t
}
