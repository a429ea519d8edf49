package tileas

import "github.com/tilewright/tilewright/ir"

// Ping-pong: the warps of a role are split into groups, which all run its code. The groups run a section of it one
// after the other, in a cycle. The code outside the section overlaps with the sections of other groups. For example,
// softmax of one half of a tile runs during the MMAs of the other half (FlashAttention 3).
//
// The interpreter runs a role as one thread of control. It checks that waits and signals come in pairs, with no
// barrier of the role between them: groups that wait would never reach it.

// AttrGroups is into how many groups the warps of a role are parted that alternate.
const AttrGroups = "groups"

// Unit attributes of the ends of a series of iterations.
const (
	AttrOpen  = "open"  // of pingpong_signal: the first group gets its first iteration
	AttrClose = "close" // of pingpong_wait: the first group takes back the iteration that nobody uses any more
)

var (
	// PingPongWait waits for an iteration.
	PingPongWait = Dialect.Op(ir.OpDef{
		Name: "pingpong_wait", Formerly: []string{"take_turn"}, Summary: "Waits until the previous group of consumer warps signals this one.",
		Doc: "The warps of the role are split into `groups` groups of equal size, by warp number; group 0 follows the " +
			"last group. Ping-pong uses one named barrier per group, numbered from `id`. Before the first iteration, " +
			"`pingpong_signal {open}` lets group 0 begin. After the last iteration, group 0 executes `pingpong_wait " +
			"{close}`, so that all barriers are left balanced.",
		Attrs:  pingPongAttrs(AttrClose),
		Syntax: "`id` $id `groups` $groups attr-dict", Verify: verifyPingPong,
	})
	// PingPongSignal passes a turn on.
	PingPongSignal = Dialect.Op(ir.OpDef{
		Name: "pingpong_signal", Formerly: []string{"pass_turn"}, Summary: "Signals the next group of consumer warps, which may then run its section.",
		Doc:    "It does not wait, and it orders no memory accesses. If two groups access the same memory, a barrier of the role is needed.",
		Attrs:  pingPongAttrs(AttrOpen),
		Syntax: "`id` $id `groups` $groups attr-dict", Verify: verifyPingPong,
	})
)

func pingPongAttrs(end string) []ir.Field {
	return []ir.Field{{Name: AttrID, Kind: ir.I32Kind, Doc: "first of the named barriers"}, {Name: AttrGroups, Kind: ir.I32Kind, Doc: "number of groups"},
		{Name: end, Arity: ir.Optional, Kind: ir.UnitKind}}
}

// IsPingPong reports whether an operation takes or passes an iteration.
func IsPingPong(op ir.Op) bool { return op.Is(PingPongWait) || op.Is(PingPongSignal) }

// mostGroups is how many groups can alternate: those of two meet at a barrier, of 64 warps at most.
const mostGroups = 8

func verifyPingPong(op ir.Op) error {
	id, _ := op.IntAttr(AttrID)
	groups, _ := op.IntAttr(AttrGroups)
	if groups < 2 || groups > mostGroups {
		return op.Errorf("must be of 2 to %d groups, but got %d", mostGroups, groups)
	}
	if id < 1 || id+groups-1 > NamedBarriers {
		return op.Errorf("ids must be from 1 to %d, but got %d to %d", NamedBarriers, id, id+groups-1)
	}
	role, ok := RoleOf(op)
	if !ok {
		return op.Errorf("stands in no role, whose warps would alternate")
	}
	if role.Warps < groups || role.Warps%groups != 0 {
		return op.Errorf("parts the %d warps of role \"%s\" into %d groups, which are not of the same size", role.Warps, role.Name, groups)
	}
	return nil
}
