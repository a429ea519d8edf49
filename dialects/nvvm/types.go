package nvvm

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// Space is an address space, numbered as in NVVM.
type Space int

// The address spaces.
const (
	Generic Space = 0
	Global  Space = 1
	Shared  Space = 3
	Const   Space = 4
	Local   Space = 5
	Cluster Space = 7 // the shared memory of all CTAs of a cluster
)

var spaceNames = map[Space]string{Generic: "generic", Global: "global", Shared: "shared", Const: "const", Local: "local", Cluster: "cluster"}

func (s Space) String() string { return spaceNames[s] }

// short reports whether addresses have 32 bits.
func (s Space) short() bool { return s == Shared || s == Cluster }

// PtrType is an address: 64 bits, but 32 in shared memory.
type PtrType struct {
	ir.TypeBase
	Space Space
}

type ptrKey struct{ s Space }

// Ptr returns the pointer type of an address space.
func Ptr(c *ir.Context, s Space) *PtrType {
	return ir.UniqueType(c, Dialect, ptrKey{s}, func() *PtrType { return &PtrType{Space: s} })
}

// PrintType implements ir.Type.
func (t *PtrType) PrintType(p ir.AsmPrinter) {
	p.Str("ptr<")
	p.Int(int64(t.Space))
	p.Str(">")
}

func parseType(p ir.AsmParser, mnemonic string) ir.Type {
	if mnemonic != "ptr" {
		return nil // the parser reports what is unknown
	}
	p.Expect("<")
	pos := p.Pos()
	s := p.Integer()
	p.Expect(">")
	if p.Failed() {
		return nil
	}
	if _, ok := spaceNames[Space(s)]; !ok {
		p.ErrorAt(pos, "unknown address space %d", s)
		return nil
	}
	return Ptr(p.Context(), Space(s))
}

func isPtr(t ir.Type) bool { _, ok := t.(*PtrType); return ok }

func isScalar(t ir.Type) bool {
	switch t.(type) {
	case *ir.IntegerType, *ir.FloatType, *PtrType:
		return true
	}
	return false
}

func isInt(width ...int) func(ir.Type) bool {
	return func(t ir.Type) bool {
		it, ok := t.(*ir.IntegerType)
		if !ok {
			return false
		}
		for _, w := range width {
			if it.Width == w {
				return true
			}
		}
		return len(width) == 0
	}
}

// The constraints of the rows.
var (
	ptr       = ir.TypeConstraint{Desc: "pointer", Check: isPtr}
	sharedPtr = ir.TypeConstraint{Desc: "pointer to shared memory", Check: func(t ir.Type) bool {
		p, ok := t.(*PtrType)
		return ok && p.Space == Shared
	}}
	clusterPtr = ir.TypeConstraint{Desc: "pointer to the shared memory of a cluster", Check: func(t ir.Type) bool {
		p, ok := t.(*PtrType)
		return ok && p.Space == Cluster
	}}
	anySharedPtr = ir.TypeConstraint{Desc: "pointer to shared memory, of this CTA or of the cluster", Check: func(t ir.Type) bool { return sharedPtr.Check(t) || clusterPtr.Check(t) }}
	genericPtr   = ir.TypeConstraint{Desc: "generic pointer", Check: func(t ir.Type) bool {
		p, ok := t.(*PtrType)
		return ok && p.Space == Generic
	}}
	scalar = ir.TypeConstraint{Desc: "number or pointer", Check: isScalar}
	i1     = ir.TypeConstraint{Desc: "i1", Check: isInt(1), Only: func(c *ir.Context) ir.Type { return c.Int(1) }}
	i8     = ir.TypeConstraint{Desc: "i8", Check: isInt(8), Only: func(c *ir.Context) ir.Type { return c.Int(8) }}
	i16    = ir.TypeConstraint{Desc: "i16", Check: isInt(16), Only: func(c *ir.Context) ir.Type { return c.Int(16) }}
	i32    = ir.TypeConstraint{Desc: "i32", Check: isInt(32), Only: func(c *ir.Context) ir.Type { return c.Int(32) }}
	i64    = ir.TypeConstraint{Desc: "i64", Check: isInt(64), Only: func(c *ir.Context) ir.Type { return c.Int(64) }}
	anyInt = ir.TypeConstraint{Desc: "i32 or i64", Check: isInt(32, 64)}
	bits32 = ir.TypeConstraint{Desc: "i32 or f32", Check: func(t ir.Type) bool { return isScalar(t) && !isPtr(t) && ir.BitWidth(t) == 32 }}
	part   = ir.TypeConstraint{Desc: "number of 8 or 16 bits, or i32", Check: func(t ir.Type) bool {
		w := ir.BitWidth(t)
		return w == 8 || w == 16 || isInt(32)(t)
	}}
	f32 = ir.TypeConstraint{Desc: "f32", Check: func(t ir.Type) bool {
		f, ok := t.(*ir.FloatType)
		return ok && f.Format == numeric.F32
	}, Only: func(c *ir.Context) ir.Type { return c.Float(numeric.F32) }}
	float = ir.TypeConstraint{Desc: "f16, bf16, f32 or f64", Check: func(t ir.Type) bool {
		f, ok := t.(*ir.FloatType)
		return ok && slices.Contains([]numeric.Format{numeric.F16, numeric.BF16, numeric.F32, numeric.F64}, f.Format)
	}}
)
