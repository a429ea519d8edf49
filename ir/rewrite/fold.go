package rewrite

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// KeepsConstants is the capability of operations whose regions have constants of their own, although values from
// outside may be used there: constants are not hoisted out of them. Isolated operations need not say so.
var KeepsConstants = ir.NewCap[func(op ir.Op) bool]("keeps-constants")

// A constants holds the one operation for each constant of each region that has its own.
type constants struct {
	root  ir.Op // constants do not leave it
	known map[constKey]ir.Op
	most  int                 // entries that known had since it was made
	last  map[ir.Region]ir.Op // of the constants at the start of the region
}

// Numbers and not the objects: an interface is slower to hash, and there is a look-up for every constant.
type constKey struct {
	region     ir.Region
	dialect    *ir.Dialect
	value, typ int // numbers of the attribute and the type
}

// reset forgets all constants, of which those of root are to follow. To empty a map costs as much as it ever held, so
// one that is too large for what it is used for is dropped.
func (c *constants) reset(root ir.Op) {
	const small = 64
	c.most = max(c.most, len(c.known))
	if c.known == nil || c.most > 4*len(c.known)+small {
		c.known, c.most = make(map[constKey]ir.Op), 0
	}
	clear(c.known)
	c.root, c.last = root, make(map[ir.Region]ir.Op)
}

// region returns the region at whose start constants for a block are put.
func (c *constants) region(b ir.Block) ir.Region {
	r := b.Region()
	for {
		op := r.Op()
		if op.IsNil() || op == c.root || op.HasTrait(ir.IsolatedFromAbove) || op.Block().IsNil() {
			return r
		}
		if keeps, ok := KeepsConstants.Of(op); ok && keeps(op) {
			return r
		}
		r = op.ParentRegion()
	}
}

func (c *constants) get(key constKey) ir.Op {
	if op := c.known[key]; !op.IsNil() && !op.Erased() {
		return op
	}
	return ir.Op{}
}

// add notes that op is the constant of the key and moves it to the start of the region, after the constants that are
// there. The operation at the very start stays there. It reports whether op moved.
func (c *constants) add(key constKey, op ir.Op) bool {
	c.known[key] = op
	entry := key.region.First()
	last := c.last[key.region]
	if !last.IsNil() && (last.Erased() || last.Block() != entry) {
		last = ir.Op{}
	}
	if entry.First() == op {
		if last.IsNil() {
			c.last[key.region] = op
		}
		return false
	}
	c.last[key.region] = op
	switch {
	case !last.IsNil() && last.Next() == op:
		return false
	case last.IsNil() && entry.Empty():
		op.MoveToEnd(entry)
	case last.IsNil():
		op.MoveBefore(entry.First())
	default:
		op.MoveAfter(last)
	}
	return true
}

// existing handles a constant operation that stands in the IR: it becomes the one for its value, or is replaced with
// that. Only a bare constant can be merged: attributes beyond its value might be lost.
func (d *driver) existing(op ir.Op) string {
	if d.cfg.NoConstantHoisting || op.NumResults() != 1 || op.NumOperands() > 0 || op.NumRegions() > 0 || len(op.DiscardableAttrs().Entries) > 0 {
		return ""
	}
	value := ir.ConstantOf(op)
	if value == nil {
		return ""
	}
	key := constKey{d.constants.region(op.Block()), op.Dialect(), ir.AttrNumber(value), op.Result(0).TypeNumber()}
	known := d.constants.get(key)
	switch {
	case known == op:
		return ""
	case known.IsNil():
		if !d.constants.add(key, op) {
			return ""
		}
		d.rw.changes++
		return "hoist-constant"
	case known.Def() != op.Def():
		return ""
	}
	d.rw.Replace(op, known.Result(0))
	return "merge-constant"
}

// fold folds op, if it can: op is replaced with existing values and constants, or changed in place.
func (d *driver) fold(op ir.Op, def *ir.OpDef) string {
	if def.Traits.Has(ir.ConstantLike) {
		return d.existing(op)
	}
	n := op.NumOperands()
	// Before the folder, so that folders and patterns look for a constant on one side only. Two constants stay, or
	// they would change places for ever.
	if def.Traits.Has(ir.Commutative) && n == 2 && ir.ConstantValue(op.Operand(0)) != nil && ir.ConstantValue(op.Operand(1)) == nil {
		a, b := op.Operand(0), op.Operand(1)
		d.rw.Update(op, func() { op.SetOperand(0, b); op.SetOperand(1, a) })
		return "constant-to-the-right"
	}
	if def.Fold == nil || d.set.unfold[def] {
		return ""
	}
	operands := d.operands[:0]
	for i := range n {
		operands = append(operands, ir.ConstantValue(op.Operand(i)))
	}
	d.operands = operands
	results := def.Fold(op, operands)
	if len(results) == 0 {
		return ""
	}
	if len(results) != op.NumResults() {
		panic("rewrite: folding " + op.Name() + " yields a different number of results")
	}
	// The convention of MLIR's fold: an operation that returns its own result has changed its attributes or operands.
	if results[0].Value == op.Result(0) {
		d.rw.modified(op)
		return "fold-in-place"
	}
	before := d.rw.changes
	d.made = d.made[:0]
	values := slices.Grow(d.values[:0], len(results))[:len(results)]
	d.values = values
	for i, r := range results {
		t := op.Result(i).Type()
		if r.Attr != nil {
			values[i] = d.materialize(op, r.Attr, t)
		} else {
			values[i] = r.Value
		}
		if values[i].IsNil() {
			for _, c := range d.made {
				c.Erase() // it served another result
			}
			d.rw.changes = before
			return ""
		}
		if got := values[i].Type(); got != t {
			panic("rewrite: folding " + op.Name() + " changes the type of a result from " + ir.TypeString(t) + " to " + ir.TypeString(got))
		}
	}
	d.rw.Replace(op, values...)
	return "fold"
}

// materialize returns a constant of the given value for use by op; a zero Value when no dialect can make one.
func (d *driver) materialize(op ir.Op, value ir.Attribute, t ir.Type) ir.Value {
	// The dialect of the operation first, because that of the type may be another level's, or builtin.
	for _, dialect := range []*ir.Dialect{op.Dialect(), ir.TypeDialect(t)} {
		if dialect != nil && dialect.Materialize != nil {
			if v := d.materializeIn(dialect, op, value, t); !v.IsNil() {
				return v
			}
		}
	}
	return ir.Value{}
}

func (d *driver) materializeIn(dialect *ir.Dialect, op ir.Op, value ir.Attribute, t ir.Type) ir.Value {
	region := d.constants.region(op.Block())
	key := constKey{region, dialect, ir.AttrNumber(value), ir.TypeNumber(t)}
	if known := d.constants.get(key); !known.IsNil() {
		return known.Result(0)
	}
	if d.cfg.NoConstantHoisting {
		d.rw.SetInsertionPointBefore(op)
	} else {
		d.rw.SetInsertionPointToStart(region.First())
	}
	d.rw.SetLocOf(op)
	c := dialect.Materialize(d.rw.Builder, value, t, nil)
	if c.IsNil() {
		return ir.Value{}
	}
	d.made = append(d.made, c)
	if !d.cfg.NoConstantHoisting {
		d.constants.add(key, c)
		if key.dialect = c.Dialect(); key.dialect != dialect && d.constants.get(key).IsNil() {
			d.constants.known[key] = c // existing looks it up under its own dialect
		}
	}
	return c.Result(0)
}
