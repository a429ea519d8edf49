package opttool

import (
	"context"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/convert/nvvmtoptx"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/check/expect"
	"github.com/tilewright/tilewright/target/ptxas"
)

// costs collects what comments of --verify-diagnostics say costs of: from the IR after each pass, since loops lose
// their schedules when they are pipelined, and from PTX.
type costs struct {
	kinds   []string
	list    []expect.Cost
	kernels map[string]ir.Location // by name
}

func newCosts(kinds []string) *costs {
	return &costs{kinds: kinds, kernels: make(map[string]ir.Location)}
}

// Serial implements pipeline.Serial.
func (c *costs) Serial() bool { return true }

// BeforePass implements pipeline.Instrument.
func (c *costs) BeforePass(*pipeline.Event) {}

// AfterPass implements pipeline.Instrument.
func (c *costs) AfterPass(ev *pipeline.Event) {
	ev.Root.Walk(func(op ir.Op) ir.WalkResult {
		if name := op.SymbolName(); name != "" {
			c.kernels[name] = op.Loc()
		}
		if a, ok := op.Attr(tileas.AttrSchedule).(*tileas.ScheduleAttr); ok {
			c.list = append(c.list, expect.Cost{Kind: expect.II, Loc: op.Loc(), Value: a.II * a.Unit})
		}
		for _, name := range []string{tileas.AttrSharedBytes, nvvm.AttrSharedBytes} {
			if a, ok := op.Attr(name).(*ir.IntegerAttr); ok {
				c.list = append(c.list, expect.Cost{Kind: expect.Shared, Loc: op.Loc(), Value: int(a.Value)})
			}
		}
		return ir.Advance
	})
}

// assembled asks the assembler, if a comment is about what it does.
func (c *costs) assembled(result *pipeline.Result) error {
	if !slices.Contains(c.kinds, expect.Spills) {
		return nil
	}
	text, ok := result.Artifacts[nvvmtoptx.PTXArtifact].(passes.Text)
	launch, known := result.Artifacts[nvvmtoptx.LaunchArtifact].(*nvvmtoptx.Launch)
	if !ok || !known {
		return fmt.Errorf("expected-spills is for --lower-to=ptx")
	}
	tool, err := ptxas.Find("")
	if err != nil {
		return fmt.Errorf("expected-spills asks the assembler: %w", err)
	}
	cubin, err := tool.Assemble(context.Background(), text, ptxas.Options{Arch: launch.Target, OptLevel: 3})
	if err != nil {
		return err
	}
	for _, e := range cubin.Entries {
		c.list = append(c.list, expect.Cost{Kind: expect.Spills, Loc: c.kernels[e.Entry], Value: e.SpillStores + e.SpillLoads})
	}
	return nil
}
