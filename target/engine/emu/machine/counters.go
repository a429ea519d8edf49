package machine

import "math/bits"

// A Counter is the number of one kind of event; a profile has all of them for each instruction.
//
// What each counts, and which document defines the like, is in docs/profile.md, which a test holds to this table.
type Counter uint8

// The counters. Those of a space stand together, in the order of memoryCounters, so that a place in the table is a sum.
const (
	WarpInstructions   Counter = iota // issue slots, also where no lane's guard holds
	ActiveThreads                     // lanes that execute it, whatever their guards say
	ThreadInstructions                // lanes whose guards hold
	DivergentBranches                 // where the lanes of a warp part

	GlobalLoad   // requests; sectors, ideal sectors and bytes follow
	GlobalStore  = GlobalLoad + memoryCounters
	GlobalAtomic = GlobalStore + memoryCounters
	GlobalCopy   = GlobalAtomic + memoryCounters // cp.async
	BulkLoad     = GlobalCopy + memoryCounters   // global memory that bulk copies read
	BulkStore    = BulkLoad + memoryCounters     // and write
	SharedLoad   = BulkStore + memoryCounters    // requests; wavefronts, ideal wavefronts and bytes follow
	SharedStore  = SharedLoad + memoryCounters
	SharedAtomic = SharedStore + memoryCounters
	SharedCopy   = SharedAtomic + memoryCounters // cp.async
	LocalLoad    = SharedCopy + memoryCounters   // as of global memory
	LocalStore   = LocalLoad + memoryCounters
)

// The counters of single numbers.
const (
	SharedBulkReadBytes = LocalStore + memoryCounters + iota
	SharedBulkWriteBytes
	ClusterRequests // shared memory of other CTAs
	ClusterBytes
	ConstRequests
	ConstBytes
	ParamRequests
	ParamBytes

	BarrierArrivals  // warps at bar and barrier
	CopyCommits      // warps at cp.async.commit_group
	CopyWaits        // warps at cp.async.wait_group and wait_all
	CopiesInFlight   // copies of threads that were in flight when a wait came
	CopiesAwaited    // those of them that it waited for
	BulkCommits      // threads
	BulkWaits        // threads
	MbarrierArrivals // threads
	MbarrierWaits    // warps
	MbarrierRetries  // warps whose wait failed
	NumCounters
)

// The counters of a kind of access: memoryCounters places from the first.
const (
	requests = iota
	parts    // sectors or wavefronts
	idealParts
	byteCount
	memoryCounters
)

// The units of the second and third counter of a kind of access.
const (
	SectorUnit    = "sectors"
	WavefrontUnit = "wavefronts"
)

// An AccessRow is a kind of access with counters of its own: of requests, of units, of units at best, and of bytes,
// from First on.
type AccessRow struct {
	Name  string
	First Counter
	Unit  string
}

var accessRows = []AccessRow{
	{"global_load", GlobalLoad, SectorUnit}, {"global_store", GlobalStore, SectorUnit}, {"global_atomic", GlobalAtomic, SectorUnit}, {"global_copy", GlobalCopy, SectorUnit},
	{"bulk_load", BulkLoad, SectorUnit}, {"bulk_store", BulkStore, SectorUnit}, {"local_load", LocalLoad, SectorUnit}, {"local_store", LocalStore, SectorUnit},
	{"shared_load", SharedLoad, WavefrontUnit}, {"shared_store", SharedStore, WavefrontUnit}, {"shared_atomic", SharedAtomic, WavefrontUnit}, {"shared_copy", SharedCopy, WavefrontUnit},
}

// Accesses are the kinds of access.
func Accesses() []AccessRow { return accessRows }

// OfAccess reports whether a counter is one of a kind of access.
func OfAccess(k Counter) bool { return k >= GlobalLoad && k < SharedBulkReadBytes }

// counterNames are the field names of the JSON form. They do not change; new ones may come.
var counterNames = func() [NumCounters]string {
	names := [NumCounters]string{
		WarpInstructions: "warp_instructions", ActiveThreads: "active_threads", ThreadInstructions: "thread_instructions", DivergentBranches: "divergent_branches",
		SharedBulkReadBytes: "shared_bulk_read_bytes", SharedBulkWriteBytes: "shared_bulk_write_bytes", ClusterRequests: "cluster_requests", ClusterBytes: "cluster_bytes",
		ConstRequests: "const_requests", ConstBytes: "const_bytes", ParamRequests: "param_requests", ParamBytes: "param_bytes",
		BarrierArrivals: "barrier_arrivals", CopyCommits: "copy_commits", CopyWaits: "copy_waits", CopiesInFlight: "copies_in_flight", CopiesAwaited: "copies_awaited",
		BulkCommits: "bulk_commits", BulkWaits: "bulk_waits", MbarrierArrivals: "mbarrier_arrivals", MbarrierWaits: "mbarrier_waits", MbarrierRetries: "mbarrier_retries",
	}
	for _, a := range accessRows {
		for i, what := range []string{"requests", a.Unit, "ideal_" + a.Unit, "bytes"} {
			names[a.First+Counter(i)] = a.Name + "_" + what
		}
	}
	return names
}()

func (c Counter) String() string { return counterNames[c] }

// Counters are numbers of events by kind. They stick at the largest number instead of wrapping around.
type Counters [NumCounters]uint64

// Add counts n events.
func (c *Counters) Add(k Counter, n uint64) { c[k] = Sum(c[k], n) }

// AddAll adds other counters to these.
func (c *Counters) AddAll(o *Counters) {
	for k, n := range o {
		c[k] = Sum(c[k], n)
	}
}

// Sum is a + b, or the largest number.
func Sum(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	return sum | -carry
}
