package all

import "github.com/tilewright/tilewright/passes"

// The pipelines that have names of their own: a row each. Those of the levels follow from the pass graph (pipeline.Pipelines).
var _ = []*passes.Named{
	passes.RegisterPipeline(&passes.Named{Name: "cleanup", Summary: "canonical form, without what is computed twice or for nothing", Elements: "canonicalize,cse,dce"}),
	passes.RegisterPipeline(&passes.Named{Name: "cleanup-loops", Summary: "cleanup, and what loops do not change in front of them", Elements: "canonicalize,cse,licm,dce"}),
}
