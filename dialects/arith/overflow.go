package arith

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// The promises about overflow, as the attribute spells them.
const (
	noSignedWrap   = "no_signed_wrap"
	noUnsignedWrap = "no_unsigned_wrap"
	noWrap         = "no_wrap"
)

// Promises returns in which senses an operation promises that its result does not wrap.
func Promises(op ir.Op) numeric.Wraps {
	switch op.StringAttr(AttrOverflow) {
	case noSignedWrap:
		return numeric.Wraps{Signed: true}
	case noUnsignedWrap:
		return numeric.Wraps{Unsigned: true}
	case noWrap:
		return numeric.Wraps{Signed: true, Unsigned: true}
	}
	return numeric.Wraps{}
}

// Promise returns the attributes of an operation that promises so: one, or none.
func Promise(c *ir.Context, p numeric.Wraps) []ir.NamedAttr {
	word := ""
	switch {
	case p.Signed && p.Unsigned:
		word = noWrap
	case p.Signed:
		word = noSignedWrap
	case p.Unsigned:
		word = noUnsignedWrap
	default:
		return nil
	}
	return []ir.NamedAttr{{Name: AttrOverflow, Value: c.String(word)}}
}
