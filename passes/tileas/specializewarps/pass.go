package specializewarps

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/remark"
)

// Options are the options of the pass.
type Options struct {
	Roles string `opt:"roles" help:"auto: where it pays by an estimate; always: wherever it can be done; pingpong: so too, and groups of warps that compute take turns; none"`
	Slots int    `opt:"slots" help:"the most slots of a ring; 0: the pass decides"`
	// Together is for comparing the two.
	Together bool `opt:"together" help:"warps that compute start products that sum in tensor memory too, and no warp of their own"`
	Late     bool `opt:"late" help:"start a product that the next iteration takes behind the first one there, beside the arithmetic of the same warps"`
}

// The values of the option roles.
const (
	Auto     = "auto"
	Always   = "always"
	PingPong = "pingpong"
	None     = "none"
)

var numParted = passes.NewStatistic("parted", "kernels whose warps have roles")

// Pass is tileas-specialize-warps.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-specialize-warps",
	Title:    "TileASSpecializeWarps",
	Summary:  "let warps of their own load what others multiply",
	Doc:      "Parts a kernel whose products read what bulk tensor copies bring into a role that loads and one that computes, which meet at mbarriers of rings of slots.",
	On:       "nv_tileas.func",
	Options:  func() any { return &Options{Roles: Auto, Late: true} },
	Requires: []*passes.Property{property.TileAS, property.LayoutsAssigned},
	Destroys: []*passes.Property{property.SharedAllocated, property.Synchronised, property.LoopsScheduled},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "tileas-materialize-copies", Reason: "copies are what the load role does"},
		{Pass: "tileas-defer-waits", Reason: "when a slot is free follows from what waits for products"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-schedule-loops", Reason: "a loop whose copies another role makes has none to run ahead"},
		{Pass: "tileas-use-tensor-memory", Reason: "it looks for products in the loops of the role"},
	},
	Statistics: []*passes.Statistic{numParted},
	Run:        run,
})

func run(r *passes.Run) error {
	opts := passes.OptionsOf[Options](r)
	switch opts.Roles {
	case Auto, Always, PingPong, None:
	default:
		return r.Op.Errorf("option roles must be %s, %s, %s or %s, but is '%s'", Auto, Always, PingPong, None, opts.Roles)
	}
	if opts.Slots < 0 || opts.Slots == 1 || opts.Slots > mostSlots {
		return r.Op.Errorf("option slots must be 0 or from 2 to %d, but is %d", mostSlots, opts.Slots)
	}
	if opts.Roles == None {
		r.MarkUnchanged()
		return nil
	}
	warps, err := contract.NumWarpsOf(r.Op)
	if err != nil {
		return err
	}
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	p, why := planOf(r.Context(), r.Op, arch, warps, opts)
	if p == nil {
		if why != nil {
			remark.NoRoles.At(r, r.Op.Loc(), "warps have no roles: %v", why).Arg(remark.ReasonKey, why.Error()).Report()
		}
		r.MarkUnchanged()
		return nil
	}
	p.part()
	r.Add(numParted, 1)
	remark.Roles.At(r, r.Op.Loc(), "warps have roles: %s", p).Report()
	return nil
}

// String says what a plan makes.
func (p *plan) String() string {
	s := fmt.Sprintf("%d compute, one loads", p.warps)
	if p.chains != nil {
		s += ", one starts products"
	}
	for _, r := range p.rings {
		if r.once {
			s += fmt.Sprintf(", %d bytes once", r.bytes)
		} else {
			s += fmt.Sprintf(", a ring of %d x %d bytes", r.slots, r.bytes)
		}
	}
	for _, r := range p.sums {
		s += fmt.Sprintf(", a ring of %d sums", r.slots)
	}
	if p.turns > 0 {
		s += fmt.Sprintf(", %d groups of warps take turns", p.turns)
	}
	if p.regs != nil {
		s += fmt.Sprintf(", %d and %d registers", p.regs[0], p.regs[1])
	}
	return s
}
