package async

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// Rules lower asynchronous copies and what waits for them. One elected thread does what is done once.
//
// All threads wait, rather than one thread with a barrier after it. The completion of a phase makes what was
// copied visible to the threads that observe it (PTX ISA, "mbarrier.test_wait, mbarrier.try_wait", which acquire
// by default). Every thread commits and waits for groups too: for those that started nothing both are empty.
var Rules = map[*ir.OpDef]core.Rule{
	tileas.CopyAsync: copyAsync, tileas.GatherAsync: gatherAsync,
	tileas.CommitGroup: core.Becomes(nvvm.CpAsyncCommit), tileas.WaitGroup: waits(nvvm.CpAsyncWait),

	tileas.MbarrierInit: mbarrierInit, tileas.MbarrierInval: mbarrierInval,
	tileas.MbarrierExpect: mbarrierExpect,
	tileas.MbarrierArrive: mbarrierArrive, tileas.MbarrierWait: mbarrierWait, tileas.ClusterBarrier: clusterBarrier,
	tileas.BulkLoad: bulkLoad, tileas.BulkStore: bulkStore,
	tileas.BulkCommit: core.Becomes(nvvm.BulkCommit), tileas.BulkWait: bulkWait,
	tileas.FenceAsync:  core.Becomes(nvvm.FenceAsync),
	tileas.FenceGlobal: func(l *core.Lowering, op ir.Op) error { return acts(l, nvvm.FenceGlobal, nil) },

	tileas.MakeTensorMap: tensorMap, tileas.BuildTensorMap: tensorMap,
	tileas.TMALoad: tmaLoad, tileas.TMAStore: tmaStore, tileas.TMAReduce: tmaStore,
}
