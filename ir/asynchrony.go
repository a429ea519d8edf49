package ir

// An asynchronous operation starts an access that goes on after the operation, and completes where the program waits
// for it. In between the destination holds nothing and the source must not change. There are two ways to wait, and
// every kind of asynchronous access that targets have uses one or both:
//
//   - A queue completes in order. A start adds an access to the open batch, a commit closes the batch, and a wait
//     leaves at most a given number of the latest batches pending. Examples: cp.async, bulk stores, wgmma.
//   - An object in memory (an mbarrier) counts what has completed, and a wait watches it. A start may name its object.
//     A commit may name an object instead of closing a batch. Examples: TMA loads, tcgen05 MMAs.

// An AsyncQueue is what accesses are started in, where they complete in order.
type AsyncQueue struct {
	Name string // which no other queue has
	// Touches lists the resources that its accesses read or write (nil: memory), which a wait may therefore change.
	Touches []*Resource
	// Ordered says that its accesses take effect in the order in which they were started, so that one may go on with
	// what another writes.
	Ordered bool
	// SeenByAll says that a wait makes the accesses of all threads visible, and not only those of the waiting thread.
	// So no barrier is needed after the wait.
	SeenByAll bool
}

// String returns the name; that of no queue is empty.
func (q *AsyncQueue) String() string {
	if q == nil {
		return ""
	}
	return q.Name
}

// An AsyncKind is what a step does.
type AsyncKind uint8

// The kinds of steps.
const (
	AsyncStart  AsyncKind = iota // starts Access
	AsyncCommit                  // closes the open batch of Queue
	AsyncArrive                  // counts towards the phase of Object, now or, with Queue, when its open batch has completed
	AsyncWait                    // completes what is not among the latest Pending batches of Queue, or the phase of Object
)

// An AsyncStep is one thing that an operation has to do with asynchronous accesses.
type AsyncStep struct {
	Kind   AsyncKind
	Access Effect      // of a start: what goes on after the operation
	Queue  *AsyncQueue // that the access is in, that is committed or waited for; nil: none
	Object Value       // that is told, or waited for; a zero Value: none
	// Pending is how many of the latest batches a wait for a queue leaves in flight.
	Pending int
	// Touches lists, of a wait for an object, the resources of the accesses that it may complete.
	Touches []*Resource
}

// AsyncSteps calls add for each step of an operation of its row, in their order.
type AsyncSteps func(op Op, add func(AsyncStep))

// Asynchrony is the capability of operations that start, commit or complete asynchronous accesses. Its steps count as
// effects too (see OwnEffects): a start has the effect of its access, and a wait changes all that it may complete. So
// a pass that moves operations by their effects moves none of them across a start or a wait. An operation without it
// starts and completes nothing.
var Asynchrony = NewCap[AsyncSteps]("asynchrony")

// asyncOrder is the resource that orders all operations on queues and objects among themselves: which batch a copy
// belongs to depends on it.
var asyncOrder = &Resource{Name: "asynchronous accesses"}

// asyncEffects adds the effects of the asynchronous steps of an operation.
func asyncEffects(op Op, steps AsyncSteps, add func(Effect)) {
	steps(op, func(s AsyncStep) {
		add(Effect{Kind: Write, Resource: asyncOrder})
		switch s.Kind {
		case AsyncStart:
			add(s.Access)
		case AsyncWait:
			touches := s.Touches
			if s.Queue != nil {
				touches = s.Queue.Touches
			}
			for _, r := range touches {
				add(Effect{Kind: Read, Resource: r})
				add(Effect{Kind: Write, Resource: r})
			}
		}
	})
}

// OwnEffects calls add for each effect of op itself, asynchronous ones included, without those of the operations in
// its regions. It reports whether the row declares them.
func OwnEffects(op Op, add func(Effect)) (declared bool) {
	def := op.Def()
	list, declared := MemoryEffects.OfDef(def)
	if declared {
		list(op, add)
	}
	if steps, async := Asynchrony.OfDef(def); async {
		asyncEffects(op, steps, add)
		return true
	}
	return declared
}
