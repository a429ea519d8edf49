package all

import "github.com/tilewright/tilewright/passes"

// Pipelines with names of their own, a row each. Those of the levels follow from the pass graph
// (pipeline.Pipelines).
var _ = []*passes.Named{
	passes.RegisterPipeline(&passes.Named{Name: "cleanup", Summary: "canonical form, without what is computed twice or for nothing", Elements: "canonicalize,cse,dce"}),
	passes.RegisterPipeline(&passes.Named{Name: "cleanup-loops", Summary: "cleanup, and loop-invariant code moved before loops", Elements: "canonicalize,cse,licm,dce"}),
}
