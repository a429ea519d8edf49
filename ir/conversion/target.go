package conversion

import "github.com/tilewright/tilewright/ir"

// Legality says what is to become of an operation.
type Legality uint8

// The legalities.
const (
	// Unknown operations are converted if a pattern applies; else a partial conversion keeps them, and a full one fails.
	Unknown Legality = iota
	// Legal operations are kept.
	Legal
	// Illegal operations must be converted.
	Illegal
)

// A Target says which operations may remain. What is said about an operation counts before what is said about its dialect.
type Target struct {
	ops      map[*ir.OpDef]func(ir.Op) Legality
	dialects map[*ir.Dialect]func(ir.Op) Legality
}

// NewTarget returns a target that knows nothing.
func NewTarget() *Target {
	return &Target{ops: make(map[*ir.OpDef]func(ir.Op) Legality), dialects: make(map[*ir.Dialect]func(ir.Op) Legality)}
}

func always(l Legality) func(ir.Op) Legality { return func(ir.Op) Legality { return l } }

func legalIf(f func(ir.Op) bool) func(ir.Op) Legality {
	return func(op ir.Op) Legality {
		if f(op) {
			return Legal
		}
		return Illegal
	}
}

// LegalDialects and IllegalDialects declare all operations of dialects.
func (t *Target) LegalDialects(ds ...*ir.Dialect) *Target   { return t.setDialects(Legal, ds) }
func (t *Target) IllegalDialects(ds ...*ir.Dialect) *Target { return t.setDialects(Illegal, ds) }

func (t *Target) setDialects(l Legality, ds []*ir.Dialect) *Target {
	for _, d := range ds {
		t.dialects[d] = always(l)
	}
	return t
}

// LegalOps and IllegalOps declare operations.
func (t *Target) LegalOps(defs ...*ir.OpDef) *Target   { return t.setOps(Legal, defs) }
func (t *Target) IllegalOps(defs ...*ir.OpDef) *Target { return t.setOps(Illegal, defs) }

func (t *Target) setOps(l Legality, defs []*ir.OpDef) *Target {
	for _, def := range defs {
		t.ops[def] = always(l)
	}
	return t
}

// DynamicOps and DynamicDialect declare operations legal if the function says so of the single operation, and illegal otherwise.
func (t *Target) DynamicOps(legal func(ir.Op) bool, defs ...*ir.OpDef) *Target {
	for _, def := range defs {
		t.ops[def] = legalIf(legal)
	}
	return t
}
func (t *Target) DynamicDialect(legal func(ir.Op) bool, d *ir.Dialect) *Target {
	t.dialects[d] = legalIf(legal)
	return t
}

// Legality returns what was declared of an operation.
func (t *Target) Legality(op ir.Op) Legality {
	def := op.Def()
	if f, ok := t.ops[def]; ok {
		return f(op)
	}
	if f, ok := t.dialects[def.Dialect]; ok && def.Dialect != nil {
		return f(op)
	}
	return Unknown
}
