package tileastonvvm

import "github.com/tilewright/tilewright/ir"

// A scope is code that the same warps run, with what is computed once for all of it: constants, functions of the thread's number, addresses that follow from
// those. All of that goes to one block, through which control passes before it comes to anything else of the scope, so that whatever the scope contains may use it.
//
// A kernel that all warps run together is one scope, whose front is the kernel's first block. Hoisting to a block of the kernel would be wrong where warps have roles of
// their own: what the consumers need would sit in the registers of the producers, which have given theirs away, and the number of a warp counts from the
// first of its role, so that equal descriptions stand for different values. A role therefore begins a scope, with the block in which it begins as its front and an empty table; the enclosing
// one is taken up again behind it. Nothing else may keep values across operations: a table that is not in a scope belongs to a single operation.
type scope struct {
	front  *ir.Builder      // appends to the block in front
	warps  int              // that run the code together
	first  int              // of them, counted in the tile block
	values map[any]ir.Value // what front has computed, by a comparable description of what it is
}

// newScope returns a scope of so many warps whose front is at the end of a block, in which control stays until the scope begins.
func newScope(front ir.Block, warps int) *scope {
	return &scope{front: ir.BuilderAtEnd(front), warps: warps, values: make(map[any]ir.Value)}
}

// once returns the value of that description, which it makes in front when it is asked for first.
func (s *scope) once(key any, make func(front *ir.Builder) ir.Value) ir.Value {
	if v, ok := s.values[key]; ok {
		return v
	}
	v := make(s.front)
	s.values[key] = v
	return v
}
