package runtool

import (
	"context"
	"fmt"

	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/report"
	"github.com/tilewright/tilewright/target/engine/emulate"
)

// writeReports writes the pages of --report: what became of the kernel of a task on each target, whatever engine ran it.
func (c *config) writeReports(ctx context.Context, t *task) error {
	if c.report.Path == "" {
		return nil
	}
	if emulate.IsPTX(t.program.data) {
		return fmt.Errorf("--report shows how a kernel is compiled, but '%s' is PTX", t.program.name)
	}
	for _, gpu := range c.gpus {
		if c.reported++; c.reported > 1 && !c.report.Many() {
			return fmt.Errorf("--report names one page, but there are several kernels or targets: name a folder")
		}
		opts := compile.Options{GPU: c.asked(gpu), OptLevel: c.optLevel, AnyOptLevel: !c.flags.Changed("opt-level"), TensorMaps: c.tensorMaps}
		if err := c.report.Write(ctx, report.Kernel(t.program.name, t.program.data, opts), name, c.given, ""); err != nil {
			return err
		}
	}
	return nil
}
