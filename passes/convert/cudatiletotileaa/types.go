package cudatiletotileaa

import (
	"errors"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/conversion"
)

// newTypes says what values of cuda_tile become. A tile of rank 0 is its element. A tensor_view is a base, and a
// size and a stride, in elements, for each dimension. A view of its tiles has the same values, since its type
// says how it divides the tensor.
//
// Each part is a value of its own, rather than one value of an aggregate type. So generic passes (cse, licm,
// ranges of integers) see sizes and strides as integers. Loops and ifs carry them as that many more values.
func newTypes(c *ir.Context) conversion.Types {
	return func(t ir.Type) ([]ir.Type, error) {
		switch t := t.(type) {
		case *cudatile.TileType:
			// A scalar and no tensor: it is what branches, bounds and addresses are made of, has to be the same in
			// all threads, and leaves no layout to choose.
			if len(t.Shape) == 0 {
				return []ir.Type{elem(c, t.Elem)}, nil
			}
			return []ir.Type{c.Tensor(t.Shape, elem(c, t.Elem), nil)}, nil
		case *cudatile.TokenType:
			return []ir.Type{tileaa.Level.Token(c)}, nil
		case *cudatile.TensorViewType:
			return partsOf(c, t), nil
		case cudatile.ViewType:
			return partsOf(c, t.View().TensorView), nil
		}
		return nil, errors.New("has no counterpart in nv_tileaa")
	}
}

func partsOf(c *ir.Context, t *cudatile.TensorViewType) []ir.Type {
	out := []ir.Type{tileaa.Level.Ptr(c, t.Elem)}
	for range 2 * len(t.Shape) {
		out = append(out, c.Int(64))
	}
	return out
}

func elem(c *ir.Context, t ir.Type) ir.Type {
	// Elements of tiles are otherwise spelled alike at both levels.
	if p, ok := t.(*cudatile.PtrType); ok {
		return tileaa.Level.Ptr(c, p.Pointee)
	}
	return t
}
