package tileas

import (
	"github.com/tilewright/tilewright/ir"
)

// AttrPending is how many of the latest groups a wait leaves in flight.
const AttrPending = "pending"

// How a load is transferred, as tileas-plan-copies writes it on the operation.
const (
	AttrTransfer = "nv_tileas.transfer" // string: one of those below
	AttrRejected = "nv_tileas.rejected" // string: a way that was rejected, and why

	TransferCpAsync   = "cp.async"  // to shared memory without passing registers
	TransferTMA       = "tma"       // to shared memory by a TMA copy
	TransferRegisters = "registers" // through the registers of the threads that have the elements
)

var transfers = []string{TransferCpAsync, TransferTMA, TransferRegisters}

// CopyGroups is the queue of the copies of each thread from global to shared memory: they complete group by group, in
// the order of the commits.
var CopyGroups = &ir.AsyncQueue{Name: "copy groups", Touches: []*ir.Resource{nil, SharedMemory}}

// GroupType is a committed group of asynchronous accesses.
type GroupType struct{ ir.TypeBase }

// Group returns the type of groups.
func Group(c *ir.Context) *GroupType {
	return ir.UniqueType(c, Dialect, "group", func() *GroupType { return &GroupType{} })
}

// PrintType implements ir.Type.
func (*GroupType) PrintType(p ir.AsmPrinter) { p.Str("group") }

var group = ir.TypeConstraint{Desc: "group of asynchronous accesses", Check: func(t ir.Type) bool { _, ok := t.(*GroupType); return ok }}

// startsCopy is the capability of copies from global memory in groups.
var startsCopy = ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
	add(ir.AsyncStep{Kind: ir.AsyncStart, Queue: CopyGroups, Access: ir.Effect{Kind: ir.Read}})
	add(ir.AsyncStep{Kind: ir.AsyncStart, Queue: CopyGroups, Access: ir.Effect{Kind: ir.Write, Value: op.Operand(0), Resource: SharedMemory}})
})

// IsCopy reports whether an operation starts a copy from global memory to a buffer as part of a group.
func IsCopy(op ir.Op) bool { return op.Is(CopyAsync) || op.Is(GatherAsync) }

// Copies in groups: every thread starts its share of a copy, closes its group, and waits for its own groups; what
// others have copied it sees after a barrier.
var (
	// CopyAsync starts the copy of a tile to a buffer.
	CopyAsync = Level.DefineCopy(ir.OpDef{
		Name: "copy_async", Summary: "Starts an asynchronous copy of a tile of a strided memory object to a buffer (cp.async).",
		Doc: "The copy belongs to the group that is committed next. Until a wait for that group has returned, the " +
			"contents of the buffer are undetermined, and neither the buffer nor the source may be written. Elements " +
			"outside the object become the padding value, or are undetermined without one.",
		Caps: []ir.CapImpl{startsCopy},
	}, tiles)
	// GatherAsync starts the copy of what pointers point to.
	GatherAsync = Level.DefineGather(ir.OpDef{
		Name: "gather_async", Summary: "Starts an asynchronous copy of the elements that a tensor of pointers points to, to a buffer (cp.async).",
		Doc: "It is like copy_async, for elements that are no tile of a strided object, such as rows that an index " +
			"names. Elements that are masked off become zero.",
		Caps: []ir.CapImpl{startsCopy},
	}, tiles)
	// CommitGroup closes a group.
	CommitGroup = Dialect.Op(ir.OpDef{
		Name: "commit_group", Summary: "Closes the group of the copies started since the last one.",
		Results: []ir.Field{{Name: "group", Type: group}}, Syntax: "attr-dict `:` type($group)",
		Caps: []ir.CapImpl{ir.Asynchrony.Is(func(_ ir.Op, add func(ir.AsyncStep)) {
			add(ir.AsyncStep{Kind: ir.AsyncCommit, Queue: CopyGroups})
		})},
	})
	// WaitGroup waits for groups.
	WaitGroup = Dialect.Op(ir.OpDef{
		Name: "wait_group", Summary: "Waits until at most the latest `pending` groups are in flight.",
		Doc:      "The operands name the groups that the program waits for. It is an error if one of them may still be in flight after the wait.",
		Operands: []ir.Field{{Name: "groups", Type: group, Arity: ir.Variadic}},
		Attrs:    []ir.Field{{Name: AttrPending, Kind: ir.I32Kind}},
		Syntax:   "$pending (`for` $groups^ `:` type($groups))? attr-dict",
		Verify: func(op ir.Op) error {
			if n, _ := op.IntAttr(AttrPending); n < 0 || n > maxPending {
				return op.Errorf("can leave from 0 to %d groups pending, but got %d", maxPending, n)
			}
			return nil
		},
		Caps: []ir.CapImpl{ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
			n, _ := op.IntAttr(AttrPending)
			add(ir.AsyncStep{Kind: ir.AsyncWait, Queue: CopyGroups, Pending: int(n)})
		})},
	})
)

// maxPending bounds what a wait can leave; package buffers counts no further.
const maxPending = 63
