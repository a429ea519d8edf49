package tile

import "github.com/tilewright/tilewright/ir"

// Products is the capability of products of matrices: operand 2 is what they add to, and all others are factors, or scales of these.
var Products = ir.NewCap[struct{}]("product")

// Cheap is the capability of operations that cost nothing worth counting: their result is made again where it is wanted.
var Cheap = ir.NewCap[struct{}]("cheap-to-repeat")

func (l *Level) attachCosts() {
	for _, def := range []*ir.OpDef{l.Dot, l.DotScaled} {
		def.Attach(Products.Is(struct{}{}))
	}
	for _, def := range []*ir.OpDef{l.Splat, l.Range, l.Broadcast, l.Reshape, l.Permute} {
		def.Attach(Cheap.Is(struct{}{}))
	}
}
