package conversion

import (
	"errors"

	"github.com/tilewright/tilewright/ir"
)

// ErrNoMatch is what a pattern returns when it does not apply to an operation, so that the next one is tried. It has created nothing.
var ErrNoMatch = errors.New("pattern does not apply")

// A Pattern converts operations.
type Pattern struct {
	// Name identifies the pattern in messages; kebab case.
	Name string
	// Root is the row of the operations that it converts; nil: any operation.
	Root *ir.OpDef
	// Benefit orders the patterns of an operation: the greatest is tried first, then the one that was added first.
	Benefit int
	// Convert builds what takes the place of the operation. It may add blocks; what follows the operation goes to the block at which it
	// leaves the builder. An error other than ErrNoMatch ends the conversion.
	Convert func(c *Op) error
}

// An Op is what a pattern works with: the operation to convert, its operands in their new types, and a builder that builds the
// output.
type Op struct {
	*ir.Builder
	// Op is the operation of the input, which must not be changed.
	Op ir.Op

	s        *state
	operands [][]ir.Value
	results  [][]ir.Value
	replaced bool
	again    bool // Op is in the output already
}

// Types returns the type converter.
func (c *Op) Types() *TypeConverter { return c.s.conv.Types }

// Operand returns the value that operand i was converted to; it panics when that is not one value.
func (c *Op) Operand(i int) ir.Value { return one(c.operands[i], c.Op, "operand") }

// OperandN returns the values that operand i was converted to.
func (c *Op) OperandN(i int) []ir.Value { return c.operands[i] }

// Operands returns the values that all operands were converted to, one after the other.
func (c *Op) Operands() []ir.Value { return flatten(c.operands) }

// OperandGroup returns the values that the operands of field i of the row were converted to.
func (c *Op) OperandGroup(i int) []ir.Value {
	lo, hi := c.Op.OperandRange(i)
	return flatten(c.operands[lo:hi])
}

// OperandNamed returns the value that the operand of a field was converted to; a zero Value when the operand is absent.
func (c *Op) OperandNamed(name string) ir.Value {
	lo, hi := c.Op.OperandRange(c.field(name))
	if lo == hi {
		return ir.Value{}
	}
	return c.Operand(lo)
}

// OperandsNamed returns the values that the operands of a field were converted to.
func (c *Op) OperandsNamed(name string) []ir.Value { return c.OperandGroup(c.field(name)) }

func (c *Op) field(name string) int {
	i := c.Op.Def().OperandField(name)
	if i < 0 {
		panic("conversion: " + c.Op.Name() + " has no operand named " + name)
	}
	return i
}

// Value returns what any value of the input that dominates the operation was converted to.
func (c *Op) Value(v ir.Value) ([]ir.Value, error) {
	if c.again {
		return []ir.Value{v}, nil
	}
	return c.s.converted(v, c.Op)
}

// Successor returns the block of the output that stands for successor i.
func (c *Op) Successor(i int) ir.Block {
	if c.again {
		return c.Op.Successor(i)
	}
	return c.s.blocks[c.Op.Successor(i)]
}

// ResultTypes returns the types that all results are converted to, one after the other.
func (c *Op) ResultTypes() ([]ir.Type, error) {
	ts, ok := c.Types().ConvertAll(c.Op.ResultTypes())
	if !ok {
		return nil, c.Op.Errorf("has a result whose type cannot be converted")
	}
	return ts, nil
}

// Replace says which values take the place of the results, one for each. Their types need not be those of the type converter.
func (c *Op) Replace(vs ...ir.Value) {
	multi := make([][]ir.Value, len(vs))
	for i, v := range vs {
		multi[i] = []ir.Value{v}
	}
	c.ReplaceN(multi...)
}

// ReplaceN says which values take the place of the results: a list for each result.
func (c *Op) ReplaceN(vs ...[]ir.Value) {
	if len(vs) != c.Op.NumResults() {
		panic("conversion: " + c.Op.Name() + " replaced with a different number of values")
	}
	c.results, c.replaced = vs, true
}

// ReplaceWithNew creates an operation and replaces the converted one with its results.
func (c *Op) ReplaceWithNew(def *ir.OpDef, operands []ir.Value, results []ir.Type, attrs ...ir.NamedAttr) ir.Op {
	n := c.Create(def, operands, results, attrs...)
	c.Replace(n.Results()...)
	return n
}

// Recreate replaces the operation by one of another row, or of the same, that has its attributes, its location and all else converted: operands, types of
// results, successors and regions.
func (c *Op) Recreate(def *ir.OpDef) error {
	types, err := c.ResultTypes()
	if err != nil {
		return err
	}
	st := c.NewState(def, c.Op.Loc())
	st.Operands, st.Types = c.Operands(), types
	st.Attrs = append(c.Op.InherentAttrs(), c.Op.DiscardableAttrs().Entries...)
	for i := range c.Op.NumSuccessors() {
		st.Succs = append(st.Succs, c.Successor(i))
	}
	for range c.Op.NumRegions() {
		st.AddRegion()
	}
	n := c.Insert(st)
	results, rest := make([][]ir.Value, c.Op.NumResults()), n.Results()
	for i := range results {
		ts, _ := c.Types().Convert(c.Op.Result(i).Type())
		results[i], rest = rest[:len(ts):len(ts)], rest[len(ts):]
	}
	c.ReplaceN(results...)
	return c.ConvertRegions(n)
}

// A Signature says what becomes of the arguments of a region's entry block.
type Signature struct {
	// Types of the new arguments for each old one; a nil Signature or entry: as the type converter says.
	Types [][]ir.Type
	// Entry, when set, is called with a builder in the new entry block and the arguments that were made for each old one. It returns the values
	// that stand for the old ones; a nil entry, or nil: those arguments.
	Entry func(b *ir.Builder, args [][]ir.Value) ([][]ir.Value, error)
	// After, when set, is called when the region has been converted, with a builder at the end of the block that the last operation went to.
	//
	// For a region of an isolated operation both run later and in parallel with others, and must not touch what is outside.
	After func(b *ir.Builder) error
}

// ConvertRegion converts the blocks of src, a region of the operation, into dst, an empty region of an operation that the pattern
// creates, or a detached one the blocks of which it moves elsewhere. sig may be nil. If the operation was itself created by a pattern,
// its blocks are moved as they are.
func (c *Op) ConvertRegion(src, dst ir.Region, sig *Signature) error {
	if c.again {
		if sig != nil || src.Arena() != dst.Arena() {
			return c.Op.Errorf("was created by a pattern, so its regions cannot get another signature")
		}
		dst.TakeBlocks(src)
		return nil
	}
	if sig == nil {
		sig = &Signature{}
	}
	return c.s.nested(src, dst, sig)
}

// ConvertRegions converts all regions of the operation into those of n, which has as many.
func (c *Op) ConvertRegions(n ir.Op) error {
	for i := range c.Op.NumRegions() {
		if err := c.ConvertRegion(c.Op.Region(i), n.Region(i), nil); err != nil {
			return err
		}
	}
	return nil
}

func one(vs []ir.Value, op ir.Op, what string) ir.Value {
	if len(vs) != 1 {
		panic("conversion: an " + what + " of " + op.Name() + " was converted to more or fewer than one value")
	}
	return vs[0]
}

func flatten(vss [][]ir.Value) []ir.Value {
	var out []ir.Value
	for _, vs := range vss {
		out = append(out, vs...)
	}
	return out
}
