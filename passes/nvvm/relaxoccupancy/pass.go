package relaxoccupancy

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/nvvm/crowd"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/remark"
)

var numRelaxed = passes.NewStatistic("relaxed", "kernels of which an SM holds fewer CTAs than the hint asks for")

// Pass is nvvm-relax-occupancy.
var Pass = passes.Register(&passes.Pass{
	Name:     "nvvm-relax-occupancy",
	Summary:  "let an SM hold fewer CTAs where threads would spill",
	Doc:      "Raises the limit on registers that the hint of occupancy sets, if a block has more values at once than fit. Kernels that move registers between roles keep theirs.",
	Requires: []*passes.Property{property.NVVM},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "nvvm-sink", Reason: "it orders operations so that fewer values live at once"},
	},
	Before:     []passes.Edge{{Pass: "emit-ptx", Reason: "it writes the limit"}},
	Statistics: []*passes.Statistic{numRelaxed},
	Run:        run,
})

// fits is the share of what is live at once in the text that must fit the registers: ptxas orders a block better than the
// text. Measured with ptxas 13.5 on five kernels with more than fits: four need two fifths to seven tenths, one needs
// nearly all, and spills three of 95 words with 80 (docs/measurements/codegen.md, "A seventh set"). Too large a limit
// costs nothing where ptxas needs less.
const fits, of = 7, 8

func run(r *passes.Run) error {
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	kernel := budget.Of(r.Op, arch)
	asked, before := kernel.Asked, kernel.Registers(budget.ForAnything)
	// Another limit is that of the entry's own attribute, or of roles that move registers.
	if limit, _ := r.Op.IntAttr(nvvm.AttrMaxnreg); asked <= 1 || int(limit) != before || r.Op.Contains(nvvm.SetMaxNReg.Is) {
		return nil
	}
	most, count := 0, crowd.New(r.Op)
	for b := range r.Op.Region(0).Blocks() {
		most = max(most, count.Of(b, slices.Collect(b.Ops())))
	}
	alone := kernel
	alone.Asked = 1
	need := min(most*fits/of, alone.Registers(budget.ForAnything)) // more than all that there are gains nothing
	for kernel.Registers(budget.ForAnything) < need {
		kernel.Asked--
	}
	if kernel.Asked == asked {
		return nil
	}
	contract.SetOccupancy(r.Op, kernel.Asked)
	r.Op.SetAttr(nvvm.AttrMaxnreg, r.IR().IntAttr(r.IR().Int(32), int64(kernel.Registers(budget.ForAnything))))
	r.Add(numRelaxed, 1)
	why := fmt.Sprintf("of %d CTAs on an SM, each thread has %d registers for %d words that are live at once", asked, before, most)
	remark.OverruleOccupancy(r, asked, kernel.Asked, why)
	return nil
}
