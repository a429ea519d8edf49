package machine

// CTA is a cooperative thread array in execution.
type CTA struct {
	Run      *run
	Cluster  *Cluster
	ID       [3]uint32
	Rank     uint32 // in the cluster
	shared   []byte
	Warps    []*Warp
	barriers [BarrierCount]barrier
	written  genericWrites // and published
	stored   globalWrites  // likewise
	Unit     Unit          // if the program has one
	counts   Counters      // of a profile
	trace    *Trace        // of a profile, if this is its CTA
}

// Unit is hardware of a CTA that the machine knows nothing of: the tensor core of tcgen05 with its memory.
type Unit interface {
	// Reset prepares the unit for another CTA. Memory starts undefined.
	Reset(c *CTA)
	// Exited checks, when all threads of the CTA are gone, that the program has left nothing unfinished.
	Exited(c *CTA) error
}

// Window is where the shared memory of a CTA is in that of the cluster.
//
// PTX ISA, ".shared::cluster": the shared memories of a cluster are one window, in which the address of a variable
// names that of the executing CTA.
func (c *CTA) Window() uint64 { return uint64(c.Rank) << clusterShift }
