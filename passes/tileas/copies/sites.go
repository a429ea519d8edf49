package copies

import (
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// A Site is where a kernel makes a tensor map of what it has computed or loaded: behind the last of the values that the map is made of, in a loop as well, where each iteration has another object (a group of products, whose
// addresses lie in a table).
type Site struct {
	block ir.Block
	after ir.Op // a zero Op: at the start of the block
}

// siteOf returns where the map of an object is made, or says why it does not pay there.
func siteOf(a tile.Access) (s *Site, why string) {
	s = &Site{block: a.Op.Block()}
	for p := a.Op; ; p = p.ParentOp() { // blocks around the access, from the outermost that has all values on
		s.block = p.Block()
		if made, last := madeIn(s.block, a); made {
			s.after = last
			break
		}
	}
	for p := a.Op.ParentOp(); p != s.block.ParentOp(); p = p.ParentOp() {
		if p.Is(scf.For) {
			return s, ""
		}
	}
	return nil, "the object is another one in each iteration"
}

// madeIn reports whether one of the values that a map is made of is made in a block, and returns the last operation there that does.
func madeIn(b ir.Block, a tile.Access) (made bool, last ir.Op) {
	for _, v := range append(parts(a), a.Strides[a.ContiguousDim()]) {
		if def := v.DefiningOp(); def.IsNil() {
			made = made || v.Block() == b
		} else if def.Block() == b {
			if made = true; last.IsNil() || last.IsBeforeInBlock(def) {
				last = def
			}
		}
	}
	return made, last
}

// Builder returns a builder there.
func (s *Site) Builder() *ir.Builder {
	if s.after.IsNil() {
		return ir.BuilderAtStart(s.block)
	}
	b := ir.BuilderBefore(s.after)
	b.SetInsertionPointBefore(s.after.Next())
	return b
}

// Around returns the operation in whose region the site is.
func (s *Site) Around() ir.Op { return s.block.ParentOp() }
