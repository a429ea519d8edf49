package values

import (
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// A shapeFold is an operation that makes, moves or chooses elements.
type shapeFold struct {
	name string
	def  *ir.OpDef
	make func(s *shaper) ir.Op
	// large: the result would be a larger constant than folding makes; oneType: only i32 is tried.
	large, oneType bool
}

// A shaper makes operations on tiles of one element type.
type shaper struct {
	*foldBench
	elem ir.Type
	seed int
}

func (s *shaper) tile(shape ...int64) *cudatile.TileType {
	return cudatile.Tile(s.b.Context(), shape, s.elem)
}

// dense makes a constant of edge values, splat one of a single value.
func (s *shaper) dense(shape ...int64) ir.Value {
	t, list := s.tile(shape...), unique(edges(s.elem))
	bits := make([]uint64, t.NumElements())
	for i := range bits {
		s.seed++
		bits[i] = list[s.seed*5%len(list)]
	}
	return s.constant(t, bits...)
}

func (s *shaper) splat(value int, shape ...int64) ir.Value {
	list := unique(edges(s.elem))
	return s.constant(s.tile(shape...), list[value%len(list)])
}

// to makes an operation with a result of the type.
func (s *shaper) to(def *ir.OpDef, t ir.Type, operands []ir.Value, attrs ...ir.NamedAttr) ir.Op {
	return s.b.Create(def, operands, []ir.Type{t}, attrs...)
}

func (s *shaper) indices(values ...uint64) (out []ir.Value) {
	for _, v := range values {
		out = append(out, s.scalar(s.b.Context().Int(32), v))
	}
	return out
}

func (s *shaper) permutation(values ...int64) ir.NamedAttr {
	return ir.NamedAttr{Name: "permutation", Value: s.b.Context().DenseI32(values...)}
}

func (s *shaper) dim(n int64) ir.NamedAttr {
	return ir.NamedAttr{Name: "dim", Value: s.b.Context().IntAttr(s.b.Context().Int(64), n)}
}

func (s *shaper) mask(bits ...uint64) ir.Value {
	return s.constant(cudatile.Tile(s.b.Context(), []int64{8}, s.b.Context().Int(1)), bits...)
}

func vs(values ...ir.Value) []ir.Value { return values }

const beyond = 2 * constfold.Limit

var shapeFolds = []shapeFold{
	{name: "reshape", def: cudatile.Reshape, make: func(s *shaper) ir.Op { return s.to(cudatile.Reshape, s.tile(4, 2), vs(s.dense(2, 4))) }},
	{name: "reshape to scalar", def: cudatile.Reshape, make: func(s *shaper) ir.Op { return s.to(cudatile.Reshape, s.tile(), vs(s.dense(1, 1))) }},
	{name: "reshape of splat", def: cudatile.Reshape, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Reshape, s.tile(4, beyond), vs(s.splat(3, beyond, 4)))
	}},
	{name: "large reshape", def: cudatile.Reshape, large: true, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Reshape, s.tile(4, beyond), vs(s.dense(beyond, 4)))
	}},
	{name: "broadcast", def: cudatile.Broadcast, make: func(s *shaper) ir.Op { return s.to(cudatile.Broadcast, s.tile(4, 2, 8), vs(s.dense(4, 1, 8))) }},
	{name: "broadcast of splat", def: cudatile.Broadcast, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Broadcast, s.tile(64, beyond), vs(s.splat(1, 1, 1)))
	}},
	{name: "large broadcast", def: cudatile.Broadcast, large: true, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Broadcast, s.tile(2, beyond), vs(s.dense(2, 1)))
	}},
	{name: "permute", def: cudatile.Permute, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Permute, s.tile(8, 2, 4), vs(s.dense(2, 4, 8)), s.permutation(2, 0, 1))
	}},
	{name: "permute of splat", def: cudatile.Permute, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Permute, s.tile(beyond, 2), vs(s.splat(2, 2, beyond)), s.permutation(1, 0))
	}},
	{name: "large permute", def: cudatile.Permute, large: true, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Permute, s.tile(beyond, 2), vs(s.dense(2, beyond)), s.permutation(1, 0))
	}},
	{name: "cat", def: cudatile.Cat, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Cat, s.tile(2, 8), vs(s.dense(2, 4), s.dense(2, 4)), s.dim(1))
	}},
	{name: "cat of dense and splat", def: cudatile.Cat, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Cat, s.tile(4, 4), vs(s.dense(2, 4), s.splat(1, 2, 4)), s.dim(0))
	}},
	{name: "cat of splats", def: cudatile.Cat, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Cat, s.tile(4, 4), vs(s.splat(0, 4, 2), s.splat(1, 4, 2)), s.dim(1))
	}},
	{name: "cat of equal splats", def: cudatile.Cat, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Cat, s.tile(2*beyond, 4), vs(s.splat(1, beyond, 4), s.splat(1, beyond, 4)), s.dim(0))
	}},
	{name: "large cat of splats", def: cudatile.Cat, large: true, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Cat, s.tile(2*beyond), vs(s.splat(0, beyond), s.splat(1, beyond)), s.dim(0))
	}},
	{name: "extract", def: cudatile.Extract, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Extract, s.tile(2, 4), append(vs(s.dense(4, 8)), s.indices(1, 1)...))
	}},
	{name: "extract from a large constant", def: cudatile.Extract, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Extract, s.tile(1, 8), append(vs(s.dense(8, beyond)), s.indices(5, 3)...))
	}},
	{name: "extract from splat", def: cudatile.Extract, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Extract, s.tile(beyond), append(vs(s.splat(1, 2*beyond)), s.indices(1)...))
	}},
	{name: "large extract", def: cudatile.Extract, large: true, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Extract, s.tile(beyond), append(vs(s.dense(2*beyond)), s.indices(1)...))
	}},
	{name: "insert", def: cudatile.Insert, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Insert, s.tile(4, 8), append(vs(s.dense(2, 4), s.dense(4, 8)), s.indices(1, 0)...))
	}},
	{name: "insert into splat", def: cudatile.Insert, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Insert, s.tile(8), append(vs(s.splat(1, 2), s.splat(0, 8)), s.indices(3)...))
	}},
	{name: "insert of everything", def: cudatile.Insert, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Insert, s.tile(8), append(vs(s.dense(8), s.splat(0, 8)), s.indices(0)...))
	}},
	{name: "insert of the same", def: cudatile.Insert, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Insert, s.tile(beyond), append(vs(s.splat(1, 2), s.splat(1, beyond)), s.indices(0)...))
	}},
	{name: "large insert", def: cudatile.Insert, large: true, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Insert, s.tile(beyond), append(vs(s.splat(1, 2), s.splat(0, beyond)), s.indices(0)...))
	}},
	{name: "select", def: cudatile.Select, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Select, s.tile(8), vs(s.mask(1, 0, 0, 1, 1, 1, 0, 1), s.dense(8), s.dense(8)))
	}},
	{name: "select of splats", def: cudatile.Select, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Select, s.tile(8), vs(s.mask(1, 0, 0, 1, 1, 1, 0, 1), s.splat(0, 8), s.splat(1, 8)))
	}},
	{name: "select by true", def: cudatile.Select, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Select, s.tile(8), vs(s.mask(1), s.dense(8), s.dense(8)))
	}},
	{name: "select by false", def: cudatile.Select, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Select, s.tile(8), vs(s.mask(0), s.dense(8), s.dense(8)))
	}},
	{name: "pack", def: cudatile.Pack, make: func(s *shaper) ir.Op {
		return s.to(cudatile.Pack, cudatile.Tile(s.b.Context(), []int64{2 * int64(ir.BitWidth(s.elem))}, s.b.Context().Int(8)), vs(s.dense(16)))
	}},
	{name: "unpack", def: cudatile.Unpack, make: func(s *shaper) ir.Op {
		bytes := &shaper{s.foldBench, s.b.Context().Int(8), s.seed}
		return s.to(cudatile.Unpack, s.tile(16), vs(bytes.dense(2*int64(ir.BitWidth(s.elem)))))
	}},
	{name: "iota of one", def: cudatile.Iota, make: func(s *shaper) ir.Op { return s.to(cudatile.Iota, s.tile(1), nil) }},
	{name: "iota", def: cudatile.Iota, large: true, make: func(s *shaper) ir.Op { return s.to(cudatile.Iota, s.tile(2), nil) }},
	{name: "mmai of splats", def: cudatile.MmaI, oneType: true, make: func(s *shaper) ir.Op { return s.mmai(7, 4, 8, 16) }},
	{name: "batched mmai", def: cudatile.MmaI, oneType: true, make: func(s *shaper) ir.Op { return s.mmai(5, 2, 4, 8, 16) }},
	{name: "mmai with zero", def: cudatile.MmaI, oneType: true, make: func(s *shaper) ir.Op { return s.mmai(0, 4, 8, 16) }},
}

// mmai multiplies a splat (batch x M x K) by another, and adds a constant of differing elements.
func (s *shaper) mmai(value int, shape ...int64) ir.Op {
	bytes := &shaper{s.foldBench, s.b.Context().Int(8), s.seed}
	n := len(shape)
	batch, m, k, cols := shape[:n-3:n-3], shape[n-3], shape[n-2], shape[n-1]
	sign := func(name string, v cudatile.Signedness) ir.NamedAttr {
		return ir.NamedAttr{Name: name, Value: v.Attr(s.b.Context())}
	}
	return s.to(cudatile.MmaI, s.tile(append(batch, m, cols)...),
		vs(bytes.splat(value, append(batch, m, k)...), bytes.splat(5, append(batch, k, cols)...), s.dense(append(batch, m, cols)...)),
		sign("signedness_lhs", cudatile.Signed), sign("signedness_rhs", cudatile.Unsigned))
}

// TestShapeFoldsAgree folds operations that make, move and choose elements, and compares with the interpreter.
func TestShapeFoldsAgree(t *testing.T) {
	t.Parallel()
	for _, tt := range shapeFolds {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := tileir.NewContext()
			tried := 0
			for _, elem := range elementTypes(c) {
				if tt.oneType && elem != c.Int(32) {
					continue
				}
				s := &shaper{foldBench: newFoldBench(t, c), elem: elem}
				op := tt.make(s)
				if !legalTypes(op) || !hooksTake(op) {
					continue
				}
				tried++
				_, ok := s.fold(op)
				switch small := ir.BitWidth(elem) > 1 && ir.BitWidth(elem) < 8; {
				case ok == tt.large && !small:
					t.Errorf("%s: folded is %v", describe(op), ok)
				case ok:
					s.run()
				}
			}
			if tried == 0 {
				t.Error("no element type is legal")
			}
		})
	}
}

func legalTypes(op ir.Op) bool {
	def := op.Def()
	for i := range def.Operands {
		for _, v := range op.OperandGroup(i) {
			if !def.Operands[i].Type.Check(v.Type()) {
				return false
			}
		}
	}
	return def.Results[0].Type.Check(op.Result(0).Type())
}
