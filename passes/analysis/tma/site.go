package tma

import (
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// A Site is where a kernel makes a tensor map: after the last of the values that the map is made of. In a loop each
// iteration may have another object, as a grouped GEMM has, whose addresses lie in a table.
type Site struct {
	block ir.Block
	after ir.Op // a zero Op: at the start of the block
}

// SiteOf returns where the map of an object is made. It says why not where each execution would need another map.
func SiteOf(a tile.Access) (_ *Site, why string) {
	s, made := &Site{}, false
	for p := a.Op; !made; p = p.ParentOp() { // from the inside to the first block that makes one of the values
		s.block = p.Block()
		made, s.after = madeIn(s.block, a)
	}
	// A map costs more than one copy gains, so that a loop between the site and the access must reuse it.
	for p := a.Op.ParentOp(); p != s.block.ParentOp(); p = p.ParentOp() {
		if p.Is(scf.For) {
			return s, ""
		}
	}
	return nil, "the memory object differs in each iteration"
}

// madeIn reports whether one of the values that a map is made of is made in a block, and returns the last operation
// there that does.
func madeIn(b ir.Block, a tile.Access) (made bool, last ir.Op) {
	for _, v := range append(parts(a), a.Strides[a.ContiguousDim()]) {
		if def := v.DefiningOp(); def.IsNil() {
			made = made || v.Block() == b
		} else if def.Block() == b {
			made, last = true, ir.Latest(last, def)
		}
	}
	return made, last
}

// Builder returns a builder that inserts at the site.
func (s *Site) Builder() *ir.Builder {
	if s.after.IsNil() {
		return ir.BuilderAtStart(s.block)
	}
	return ir.BuilderAfter(s.after)
}

// Around returns the operation in whose region the site is.
func (s *Site) Around() ir.Op { return s.block.ParentOp() }
