package pairproducts

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
	"github.com/tilewright/tilewright/passes/tileas/sameness"
)

// Options are the options of the pass.
type Options struct {
	Pairs bool `opt:"pairs" help:"let two CTAs multiply together where they can"`
}

var numPairs = passes.NewStatistic("pairs", "products that two CTAs do together")

// Pass is tileas-pair-products.
var Pass = passes.Register(&passes.Pass{
	Name:    "tileas-pair-products",
	Title:   "TileASPairProducts",
	Summary: "let two CTAs of a cluster multiply by a factor of which each has half",
	Doc: "Where the CTAs that share a tile block multiply by the same factor, and the target has an instruction of two CTAs, each of a pair loads half of its columns, and one instruction multiplies the rows of both. All products of a kernel " +
		"whose sums are in tensor memory become such, or none.",
	On:       "nv_tileas.func",
	Options:  func() any { return &Options{Pairs: true} },
	Requires: []*passes.Property{property.TileAS},
	Destroys: []*passes.Property{property.Canonical},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "tileas-legalize-dot", Reason: "which products there are, and of what types, decides which instructions there are"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-halve-depth", Reason: "of half a factor more fits"},
		{Pass: "tileas-assign-layouts", Reason: "tiles have no layouts yet"},
	},
	Statistics: []*passes.Statistic{numPairs},
	Run:        run,
})

func run(r *passes.Run) error {
	var products []ir.Op
	if contract.CTAsOf(r.Op)%2 == 0 && passes.OptionsOf[Options](r).Pairs {
		r.Op.Walk(func(op ir.Op) ir.WalkResult {
			if tileas.IsProduct(op) && tileas.MMAOf(op) == nil {
				products = append(products, op)
			}
			return ir.Advance
		})
	}
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	p := &pairing{fn: r.Op, attrs: make(map[ir.Op]*tileas.MMAAttr), cut: make(map[ir.Op]int)}
	warps := contract.KernelSpecOf(r.Op).NumWarps
	for _, op := range products {
		if !matrix.SumsInTensorMemory(arch, op, warps) {
			continue
		}
		if p.same == nil {
			p.same = sameness.Of(r.Op)
		}
		attr, why := matrix.ChoosePair(arch, op, warps)
		if why == "" {
			why = p.add(op, attr)
		}
		if why != "" {
			remark.Unpaired.At(r, op.Loc(), "each CTA multiplies for itself: %s", why).Arg(remark.ReasonKey, why).Report()
			p.refused = true
		}
	}
	if len(p.products) > 0 && !p.refused {
		if op, why := p.others(); why != "" {
			remark.Unpaired.At(r, op.Loc(), "each CTA multiplies for itself: %s", why).Arg(remark.ReasonKey, why).Report()
			p.refused = true
		}
	}
	if len(p.products) == 0 || p.refused || !r.May("pair", r.Op) {
		r.MarkUnchanged()
		return nil
	}
	p.write()
	for _, op := range p.products {
		by := ir.AttrString(tileas.MMAOf(op))
		remark.Paired.At(r, op.Loc(), "two CTAs multiply together by %s", by).Arg(remark.InstructionKey, by).Report()
	}
	r.Add(numPairs, len(p.products))
	return nil
}

// A pairing is what becomes of a kernel.
type pairing struct {
	fn       ir.Op
	same     *sameness.Sameness
	products []ir.Op
	attrs    map[ir.Op]*tileas.MMAAttr
	cut      map[ir.Op]int // operations whose result is halved, and along which dimension
	order    []ir.Op
	columns  int
	refused  bool
}

// add adds a product, or says why it cannot be done by two CTAs.
func (p *pairing) add(op ir.Op, attr *tileas.MMAAttr) string {
	b := op.Operand(1)
	if p.same.Differs(b) {
		return "they multiply by different factors"
	}
	if why := p.same.Comes(op); why != "" {
		return why
	}
	if why := p.halve(b, len(tile.Shape(b.Type()))-1); why != "" {
		return why
	}
	p.products = append(p.products, op)
	p.attrs[op] = attr
	if p.columns += matrix.Columns(op); p.columns > tileas.TensorColumns {
		return "the sums of all products do not fit tensor memory"
	}
	return ""
}
