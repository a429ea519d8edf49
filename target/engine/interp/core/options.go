package core

import (
	"io"

	"github.com/tilewright/tilewright/ir"
)

// Options say how an engine runs kernels.
type Options struct {
	// Workers is how many tile blocks run at the same time, not counting those that may be waiting for others. 0: as
	// many as there are processors.
	Workers int
	// MaxSteps bounds the operations that a tile block executes; 0: no bound.
	MaxSteps uint64
	// Races rejects accesses to the same memory that race: one writes, one is weak, and nothing orders them. Within a
	// tile block tokens order accesses; between tile blocks release and acquire do. It implies OrderedAtomics.
	Races bool
	// OpenOrder makes Races reject accesses stronger than weak too. They do not race. But where nothing orders them the
	// result depends on the order, and two engines may differ.
	OpenOrder bool
	// LooseIndices permits tiles outside the index space of their view, which is undefined, where compiled code tests
	// bounds (cudatile.Tested). All their elements are out of bounds.
	LooseIndices bool
	// LooseStrides permits dynamic strides of 0, as front ends make for expanded dimensions. It ignores assumptions
	// about strides that no address depends on.
	LooseStrides bool
	// LooseStores permits storing unspecified elements, as zeros. Unspecified indices, addresses and conditions stay
	// errors.
	LooseStores bool
	// LooseBounds permits a tile that is marked in bounds to leave its tensor, if there is memory at that place.
	LooseBounds bool
	// OrderedAtomics makes the result of a kernel with atomics the same in each run. Its tile blocks run one after
	// another, in the order of their numbers. Without it, the order of float atomics and the results of atomics depend
	// on the scheduling.
	OrderedAtomics bool
	// LooseOverflow permits overflow where an operation promises that there is none, and the most negative number
	// divided by -1. Both are undefined.
	LooseOverflow bool
	// Adversarial makes asynchronous operations read their source when they are waited for, as late as is legal, not
	// when they start. Warp roles and CTAs of a cluster get as far apart as they can.
	Adversarial bool
	// Seed chooses the order in which warp roles and CTAs of a cluster run. 0 is round robin, unless Adversarial is
	// set.
	Seed uint64
	// Threads rejects accesses of shared memory at nv_tileas by different threads to one byte, of which one writes,
	// with no barrier in between. It is for kernels whose barriers have been inserted.
	Threads bool
	// Output is where print_tko writes; nil: nowhere.
	Output io.Writer
	// Progress, if set, is called whenever a tile block has ended, with the number of ended ones. Any goroutine may
	// call it.
	Progress func(done, total uint64)
	// Trace, if set, is called after each operation of the tile block TraceBlock, with its results.
	Trace      func(Event)
	TraceBlock [3]uint32
	// Debug, if set, follows the launch operation by operation. It implies OrderedAtomics.
	Debug Debugger
	// Outside, if set, is called for each access of a tile that LooseIndices permits. Any goroutine may call it.
	Outside func(Outside)
	// Access, if set, is called for each access of an element. Any goroutine may call it.
	Access func(Access)
}

// An Outside is an access of a tile outside the index space of its view, which reads and writes nothing of the tensor.
type Outside struct {
	Op    ir.Op
	Block [3]uint32
	Base  uint64  // the address of the tensor
	Sizes []int64 // of the tensor, in dimensions of the tile
	Tile  []int64 // its shape
	Index []int64
}

// AsCompiled makes an engine as strict as code of NVIDIA's compiler is in effect. It permits what that compiler gives a
// meaning to, though the specification does not, and what front ends rely on. Mistakes with consequences stay errors.
func (o *Options) AsCompiled() {
	o.LooseIndices, o.LooseStrides, o.LooseStores, o.LooseBounds = true, true, true, true
}
