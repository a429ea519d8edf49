package tile

import "github.com/tilewright/tilewright/ir"

// Linear is the capability of operations that make numbers and addresses which are sums: it says of what. An
// operation without it, and without one of the sums of arith, makes something of which an address calculation knows
// only the range.
var Linear = ir.NewCap[LinearRow]("linear")

// A LinearRow is how the elements of a result follow from operands.
type LinearRow uint8

// The kinds of sums.
const (
	SameElements LinearRow = iota // they are those of operand 0, in any order and number
	Counting                      // they count from 0 to the number of elements
	MovedBy                       // each is that of operand 0, as many elements of what it points to further as operand 1 says
)

func (l *Level) attachLinear() {
	for _, def := range []*ir.OpDef{l.Splat, l.Unsplat, l.Reshape, l.Broadcast, l.Permute, l.Extract, l.PtrToPtr, l.PtrToInt, l.IntToPtr} {
		def.Attach(Linear.Is(SameElements))
	}
	l.Range.Attach(Linear.Is(Counting))
	l.AddPtr.Attach(Linear.Is(MovedBy))
}
