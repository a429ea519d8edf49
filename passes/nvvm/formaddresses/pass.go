package formaddresses

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/dominance"
	"github.com/tilewright/tilewright/passes/analysis/integers"
	"github.com/tilewright/tilewright/passes/analysis/loops"
	"github.com/tilewright/tilewright/passes/property"
)

var numFormed = passes.NewStatistic("formed", "addresses that products of 32 bits are added to")

// Pass is nvvm-form-addresses.
var Pass = passes.Register(&passes.Pass{
	Name:     "nvvm-form-addresses",
	Summary:  "add products of 32 bits to addresses",
	Doc:      "Multiplies scales into coordinates of 32 bits where ranges leave room, and counts elements where they do not, so that an address takes one instruction for each dimension.",
	Requires: []*passes.Property{property.NVVM},
	Destroys: []*passes.Property{property.Canonical},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "nvvm-reduce-strength", Reason: "it looks for multiplications by strides"},
		{Pass: "licm#nvvm", Reason: "what does not change in a loop is outside of it"},
		{Pass: "nvvm-share-terms", Reason: "what several addresses share stays one value"},
	},
	Before: []passes.Edge{
		{Pass: "nvvm-fuse-multiplies", Reason: "products of extensions become single instructions"},
		{Pass: "nvvm-sink", Reason: "what only addresses need goes down with them"},
	},
	Creates:    []string{"arith", "nvvm"},
	Statistics: []*passes.Statistic{numFormed},
	Uses:       []*passes.Analysis{integers.Ranges.Analysis, dominance.Analysis.Analysis},
	Preserves:  []*passes.Analysis{dominance.Analysis.Analysis},
	Run:        run,
})

func run(r *passes.Run) error {
	ranges := integers.Ranges.Get(r)
	dom := dominance.Analysis.Get(r)
	region := r.Op.Region(0)
	f := &former{in: ranges, dom: dom, nest: loops.Find(region, dom), may: r.May, made: make(map[made]ir.Value)}
	for _, b := range dom.Order(region) {
		for op := b.First(); !op.IsNil(); op = op.Next() {
			switch {
			case op.Is(arith.MulI):
				f.note(op)
			case op.Is(nvvm.PtrAdd) && ir.BitWidth(op.Operand(1).Type()) == 64 && !inner(op):
				f.form(op)
			}
		}
	}
	// Ranges are known by value, and a new operation may get the number of one that is gone: nothing is erased before.
	f.sweep()
	r.Add(numFormed, f.formed)
	return nil
}

type former struct {
	in     *intrange.Ranges
	dom    *ir.Dominance
	nest   *loops.Nest
	may    func(what string, op ir.Op) bool
	made   map[made]ir.Value
	gone   []ir.Op
	formed int
}

// made names a value that several addresses share.
type made struct {
	what     *ir.OpDef
	of, with ir.Value
	by       int64
	signed   bool
}

// note keeps the multiple of an extended number for later addresses.
func (f *former) note(op ir.Op) {
	x, ok := f.factorOf(op.Result(0))
	if !ok {
		return
	}
	for signed, is := range map[bool]bool{true: x.signed, false: x.unsigned} {
		key := made{what: nvvm.MulWide, of: x.x, by: x.k, signed: signed}
		if old := f.made[key]; is && (old.IsNil() || !f.dom.BlockDominates(old.Block(), op.Block())) {
			f.made[key] = op.Result(0)
		}
	}
}

// inner reports whether an address is only a step on the way to another one of its block.
func inner(op ir.Op) bool {
	if !op.Result(0).HasOneUse() {
		return false
	}
	for u := range op.Result(0).Uses() {
		user := u.Owner()
		return user.Is(nvvm.PtrAdd) && u.Index() == 0 && user.Block() == op.Block() && ir.BitWidth(user.Operand(1).Type()) == 64
	}
	return false
}

// sweep erases what nothing uses any more.
func (f *former) sweep() {
	for len(f.gone) > 0 {
		op := f.gone[len(f.gone)-1]
		f.gone = f.gone[:len(f.gone)-1]
		if op.Erased() || !ir.IsTriviallyDead(op) {
			continue
		}
		for _, v := range op.Operands() {
			if def := v.DefiningOp(); !def.IsNil() {
				f.gone = append(f.gone, def)
			}
		}
		op.Erase()
	}
}
