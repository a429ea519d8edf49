package bytecode

import (
	"sync"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
)

// An opPlan is what the row of an operation says about its records in one version. Reader and writer follow it step by
// step:
//
//	opcode, [result count], result types, [flags], attributes, operands, [region count, regions]
//
// Older versions are older plans. A field that came later is not read, and its default is what the row says. A result
// that came later is made with its only type (a token). So the rest of the compiler sees one shape of each operation.
type opPlan struct {
	def   *ir.OpDef
	since ir.Version

	countsResults bool
	minResults    int // on the wire
	maxResults    int // on the wire; -1: no bound
	// newResults makes the types of the results that are newer than the version; they are the last ones.
	newResults []func(*ir.Context) ir.Type

	hasFlags   bool
	knownFlags uint64
	attrs      []attrStep
	newAttrs   []int // slots of those that are newer than the version

	countsOperands bool
	minOperands    int
	operands       []operandStep
	segSlot        int // attribute that says how operands are divided; -1: none
}

// An attrStep is an attribute that a record holds.
type attrStep struct {
	slot int
	wire wire.Form
	enum int // position in cudatile.Enums, for an enum of the dialect; else -1
	flag uint64
	// unit attributes are no more than their flag.
	unit bool
}

// An operandStep is an operand field of an operation that says how its operands are divided.
type operandStep struct {
	arity ir.Arity
	flag  uint64
	// stored is false for a field that is newer than the version.
	stored bool
}

// A planKey is a version of a format.
type planKey struct {
	format  *wire.Format
	version ir.Version
}

// allPlans has the plans of each version, a func() []*opPlan by opcode.
var allPlans sync.Map

func plansFor(f *wire.Format, v ir.Version) []*opPlan {
	key := planKey{f, v}
	plans, ok := allPlans.Load(key)
	if !ok {
		plans, _ = allPlans.LoadOrStore(key, sync.OnceValue(func() []*opPlan { return makePlans(f, v) }))
	}
	return plans.(func() []*opPlan)()
}

// Opcodes are small and dense, so that the plans are a slice.
func makePlans(f *wire.Format, v ir.Version) []*opPlan {
	var plans []*opPlan
	for _, def := range f.StoredOps() {
		for len(plans) <= int(def.Opcode) {
			plans = append(plans, nil)
		}
		plans[def.Opcode] = makePlan(def, v)
	}
	return plans
}

func makePlan(def *ir.OpDef, v ir.Version) *opPlan {
	p := &opPlan{def: def, since: def.Since, countsResults: wire.CountsResults(def), segSlot: def.AttrSlot(ir.OperandSegmentSizes)}
	in := func(f *ir.Field) bool { return !v.Less(wire.SinceOf(def, f)) }
	p.planResults(in)

	bits := wire.FlagBits(def)
	p.hasFlags = wire.HasFlags(bits, v)
	attrFlag, operandFlag := make(map[int]uint64), make(map[int]uint64)
	for i, b := range bits {
		if v.Less(b.Since) {
			continue
		}
		p.knownFlags |= 1 << i
		if b.Operand {
			operandFlag[b.Field] = 1 << i
		} else {
			attrFlag[b.Field] = 1 << i
		}
	}
	for i := range def.Attrs {
		f := &def.Attrs[i]
		if wire.ImplicitSegments(f) {
			continue
		}
		if !in(f) {
			p.newAttrs = append(p.newAttrs, i)
			continue
		}
		w := wire.Of(f)
		p.attrs = append(p.attrs, attrStep{slot: i, wire: w, enum: enumNumber(w.Enum), flag: attrFlag[i], unit: w.Enc == wire.EncNone})
	}
	p.countsOperands = wire.CountsOperands(def)
	for i := range def.Operands {
		f := &def.Operands[i]
		if f.Arity == ir.One {
			p.minOperands++
		}
		p.operands = append(p.operands, operandStep{arity: f.Arity, flag: operandFlag[i], stored: in(f)})
	}
	return p
}

func (p *opPlan) planResults(in func(*ir.Field) bool) {
	bounded := true
	for i := range p.def.Results {
		f := &p.def.Results[i]
		if !in(f) {
			p.newResults = append(p.newResults, f.Type.Only)
			continue
		}
		if f.Arity == ir.One {
			p.minResults++
		}
		p.maxResults++
		bounded = bounded && f.Arity != ir.Variadic
	}
	if !bounded {
		p.maxResults = -1
	}
}

func enumNumber(e *cudatile.Enum) int {
	for i, x := range cudatile.Enums {
		if x == e {
			return i
		}
	}
	return -1
}

// enumAttrs makes the attributes of all enum values.
func enumAttrs(c *ir.Context) [][]ir.Attribute {
	out := make([][]ir.Attribute, len(cudatile.Enums))
	for i, e := range cudatile.Enums {
		for v := range e.Cases {
			out[i] = append(out[i], e.Attr(c, uint32(v)))
		}
	}
	return out
}
