package ir

// BranchOperands says which operands of a terminator become the arguments of its successor number succ: argument i of
// the block gets operand lo+i. Arguments without an operand (hi-lo is less than their number) are produced by the
// terminator itself.
type BranchOperands func(op Op, succ int) (lo, hi int)

// BranchOp is the capability of terminators that pass values to successor blocks. Of a terminator without it nothing is
// known about what the arguments of its successors are.
var BranchOp = NewCap[BranchOperands]("branch")

// RegionExit stands for the place after an operation among the numbers of its regions.
const RegionExit = -1

// A RegionEdge is a way that control can take between an operation with regions and its regions, and the values that
// go along: Input(i) becomes Operand(i). Inputs before FirstInput (an induction variable) and after the last operand
// are computed by To.
type RegionEdge struct {
	From   Op  // the operation itself, or a terminator inside
	Lo, Hi int // the operands of From that go along
	To     Op  // the operation whose region is entered, or that is left
	Region int // the region that is entered, or RegionExit
	// FirstInput is the entry block argument, or the result, that the first operand becomes.
	FirstInput int
}

// Len returns how many values go along the edge.
func (e RegionEdge) Len() int { return e.Hi - e.Lo }

// Operand returns value i of those that go along the edge.
func (e RegionEdge) Operand(i int) Value { return e.From.Operand(e.Lo + i) }

// NumInputs returns how many values the destination has, including those that the edge does not set.
func (e RegionEdge) NumInputs() int {
	if e.Region == RegionExit {
		return e.To.NumResults()
	}
	return e.To.Region(e.Region).First().NumArgs()
}

// Input returns the result or block argument that value i becomes.
func (e RegionEdge) Input(i int) Value {
	if e.Region == RegionExit {
		return e.To.Result(e.FirstInput + i)
	}
	return e.To.Region(e.Region).First().Arg(e.FirstInput + i)
}

// RegionSuccessors calls add for each way that control can take from a point. When from is a zero Op, control has
// reached op from before. Otherwise control is at the terminator from, whose ExitTarget is op.
type RegionSuccessors func(op, from Op, add func(RegionEdge))

// RegionBranch is the capability of operations whose regions are control flow (if, for, loop, while). Of an operation
// without it nothing is known about when, how often and with what arguments its regions run.
var RegionBranch = NewCap[RegionSuccessors]("region-branch")

// ConcurrentRegions marks operations whose regions all run at the same time, such as the groups of specialized warps.
// RegionBranch describes each of them as if it were the only one, entered at its start and left at its end. An analysis
// of what holds at one time, and not on one path, must ask for this capability too.
var ConcurrentRegions = NewCap[struct{}]("concurrent-regions")

// ImpliedTerminator is the capability of operations whose custom syntax leaves out a terminator that goes without
// saying: it reports whether that of a region is one.
var ImpliedTerminator = NewCap[func(r Region) bool]("implied-terminator")

// UsesLocation marks operations whose location is part of what they do: it is in the message that they print, say.
// Text without locations loses it.
var UsesLocation = NewCap[struct{}]("uses-location")

// RegionExitOp is the capability of terminators that do not lead to the operation directly around them, such as a
// break inside an if. It returns the operation whose regions they branch between or leave; a zero Op if that is
// unknown.
var RegionExitOp = NewCap[func(term Op) Op]("region-exit")

// InLoop reports whether an operation stands in a loop, at any depth.
func InLoop(op Op) bool { return !LoopAround(op, false).IsNil() }

// LoopAround returns the innermost loop around an operation, or with self the operation itself if it is one; a zero Op
// if there is none.
func LoopAround(op Op, self bool) Op {
	if !self && !op.IsNil() {
		op = op.ParentOp()
	}
	for ; !op.IsNil() && !op.HasTrait(IsolatedFromAbove); op = op.ParentOp() {
		if _, ok := LoopLike.Of(op); ok {
			return op
		}
	}
	return Op{}
}

// ExitTarget returns the operation that a terminator without successors branches in: the one around it, unless it has
// the capability RegionExitOp.
func ExitTarget(term Op) Op {
	if target, ok := RegionExitOp.Of(term); ok {
		return target(term)
	}
	return term.ParentOp()
}

// Exits returns the terminators in an operation that leave it or begin its next iteration.
func Exits(op Op) []Op {
	return op.Collect(func(term Op) bool { return term != op && term.HasTrait(Terminator) && ExitTarget(term) == op })
}

// MayLeave reports whether control may leave the block of an operation from inside the operation.
func MayLeave(op Op) bool {
	return op.NumRegions() > 0 && op.Contains(func(term Op) bool {
		if _, exits := RegionExitOp.Of(term); !exits {
			return false
		}
		to := ExitTarget(term)
		return to.IsNil() || !op.IsAncestorOf(to)
	})
}

// RegionEdges calls add for the ways that control can take from op. If op has the capability RegionBranch, they lead
// into its regions or past it. If op is a terminator inside such an operation, they lead from op. It reports whether
// it could tell.
func RegionEdges(op Op, add func(RegionEdge)) bool {
	if s, ok := RegionBranch.Of(op); ok {
		s(op, Op{}, add)
		return true
	}
	if !op.HasTrait(Terminator) {
		return false
	}
	target := ExitTarget(op)
	if target.IsNil() {
		return false
	}
	s, ok := RegionBranch.Of(target)
	if ok {
		s(target, op, add)
	}
	return ok
}

// A Loop describes an operation that is a loop. Loop-carried value i starts as operand FirstInit+i, is argument
// FirstIterArg+i of Body's entry block inside, and is result i afterwards.
type Loop struct {
	Op   Op
	Body Region
	// IndVar counts from Lower in steps of Step while it is less than Upper. All are zero Values for a loop that does
	// not count.
	IndVar, Lower, Upper, Step Value
	// Unsigned says that IndVar is compared as an unsigned integer.
	Unsigned bool
	// NumIterArgs loop-carried values.
	NumIterArgs             int
	FirstInit, FirstIterArg int
	// MayNotRun says that Body may run zero times; the results are then the initial values.
	MayNotRun bool
}

// Init returns the initial value of loop-carried value i, IterArg the value inside, Result the final one.
func (l Loop) Init(i int) Value    { return l.Op.Operand(l.FirstInit + i) }
func (l Loop) IterArg(i int) Value { return l.Body.First().Arg(l.FirstIterArg + i) }
func (l Loop) Result(i int) Value  { return l.Op.Result(i) }

// IsInvariant reports whether v is defined outside the loop.
func (l Loop) IsInvariant(v Value) bool { return !l.Body.IsAncestorOf(v.Block().Region()) }

// LoopLike is the capability of operations that are loops. An operation without it must be taken for a loop of which
// nothing is known if it has regions.
var LoopLike = NewCap[func(op Op) Loop]("loop-like")

// ConstantValue returns the constant that v is, or nil.
func ConstantValue(v Value) Attribute {
	if op := v.DefiningOp(); !op.IsNil() {
		return ConstantOf(op)
	}
	return nil
}

// SameValue reports whether two values are one, or equal constants.
func SameValue(a, b Value) bool {
	if a == b || a.IsNil() || b.IsNil() {
		return a == b
	}
	k := ConstantValue(a)
	return k != nil && a.Type() == b.Type() && k == ConstantValue(b)
}

// ConstantOf returns the constant that the result of op is, when op is ConstantLike; else nil.
func ConstantOf(op Op) Attribute {
	def := op.Def()
	if !def.Traits.Has(ConstantLike) {
		return nil
	}
	if slot := def.AttrSlot("value"); slot >= 0 {
		return op.AttrAt(slot)
	}
	if def.Fold != nil {
		if r := def.Fold(op, nil); len(r) == 1 {
			return r[0].Attr
		}
	}
	return nil
}
