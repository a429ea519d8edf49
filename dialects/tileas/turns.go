package tileas

import "github.com/tilewright/tilewright/ir"

// Turns: groups of the warps of a role, which all run its code, pass a stretch of it one after the other, round and round. What a group does outside of the stretch runs beside the others' stretches: the
// arithmetic of one half of a tile beside the products of the other half (ping-pong, FlashAttention 3).
//
// The interpreter has a role as one; it checks that turns are taken and passed in pairs, with no barrier of the role in between, at which those who wait for their turn would be missed.

// AttrGroups is into how many groups the warps of a role are parted that take turns.
const AttrGroups = "groups"

// Unit attributes of the ends of a series of turns.
const (
	AttrOpen  = "open"  // of pass_turn: the first group gets its first turn
	AttrClose = "close" // of take_turn: the first group takes back the turn that nobody uses any more
)

var (
	// TakeTurn waits for a turn.
	TakeTurn = Dialect.Op(ir.OpDef{
		Name: "take_turn", Summary: "Waits until the group of warps before this one has passed the turn on.",
		Doc: "The warps of the role are in groups of the same size, in the order of their numbers; the first comes behind the last. Turns use as many named barriers as there are groups, from an id on. " +
			"In front of the first turn somebody must have passed it to the first group (`pass_turn {open}`), and behind the last one that group takes it back (`take_turn {close}`), so that each barrier is left as it was.",
		Attrs:  turnAttrs(AttrClose),
		Syntax: "`id` $id `groups` $groups attr-dict", Verify: verifyTurn,
	})
	// PassTurn passes a turn on.
	PassTurn = Dialect.Op(ir.OpDef{
		Name: "pass_turn", Summary: "Lets the next group of warps have its turn.",
		Doc:    "It waits for nothing. It orders no accesses: what two groups do to the same memory needs a barrier of the role.",
		Attrs:  turnAttrs(AttrOpen),
		Syntax: "`id` $id `groups` $groups attr-dict", Verify: verifyTurn,
	})
)

func turnAttrs(end string) []ir.Field {
	return []ir.Field{{Name: AttrID, Kind: ir.I32Kind, Doc: "the first of the named barriers"}, {Name: AttrGroups, Kind: ir.I32Kind, Doc: "how many groups there are"},
		{Name: end, Arity: ir.Optional, Kind: ir.UnitKind}}
}

// IsTurn reports whether an operation takes or passes a turn.
func IsTurn(op ir.Op) bool { return op.Is(TakeTurn) || op.Is(PassTurn) }

// mostGroups is how many groups can take turns: those of two meet at a barrier, of 64 warps at most.
const mostGroups = 8

func verifyTurn(op ir.Op) error {
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
		return op.Errorf("stands in no role, whose warps would take turns")
	}
	if role.Warps < groups || role.Warps%groups != 0 {
		return op.Errorf("parts the %d warps of role \"%s\" into %d groups, which are not of the same size", role.Warps, role.Name, groups)
	}
	return nil
}
