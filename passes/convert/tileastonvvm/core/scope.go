package core

import (
	"github.com/tilewright/tilewright/ir"
)

// A Scope is code that the same warps run, with what is computed once for all of it: constants, functions of the
// thread's number, addresses that follow from those. All of that goes to its entry block, which dominates the rest of
// the scope.
//
// A kernel without warp specialization is one scope, whose entry is the kernel's first block. Each role of a
// warp-specialized kernel is a scope of its own, for two reasons. What consumers need would otherwise take registers
// of the producers, which have given theirs away. And thread numbers count from the first warp of the role, so equal
// keys mean different values. After the roles, the enclosing scope continues.
//
// Nothing else may keep values across operations: a table that is not in a scope belongs to a single operation.
type Scope struct {
	Entry     *ir.Builder      // appends to the entry block
	Warps     int              // that run the code together
	FirstWarp int              // of them, counted in the CTA
	Alone     bool             // one elected lane runs the code; all lanes run the entry block
	values    map[any]ir.Value // what the entry block has computed, by a comparable key that says what it is
}

// NewScope returns a scope of so many warps with that entry block, which appends to the end of the block.
func NewScope(entry ir.Block, warps int) *Scope {
	return &Scope{Entry: ir.BuilderAtEnd(entry), Warps: warps, values: make(map[any]ir.Value)}
}

// once returns the value of that key, which it makes in the entry block when it is first asked for.
func (s *Scope) once(key any, make func(entry *ir.Builder) ir.Value) ir.Value {
	if v, ok := s.values[key]; ok {
		return v
	}
	v := make(s.Entry)
	s.values[key] = v
	return v
}
