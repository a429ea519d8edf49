package ptx

// Op is an opcode with the parts that it always has; the rest are modifiers.
type Op uint16

const (
	invalidOp Op = iota
	OpAbs
	OpAdd
	OpAddC
	OpSub
	OpSubC
	OpMul
	OpMul24
	OpMad
	OpMadC
	OpDiv
	OpRem
	OpNeg
	OpMin
	OpMax
	OpFma
	OpRcp
	OpSqrt
	OpRsqrt
	OpSin
	OpCos
	OpLg2
	OpEx2
	OpTanh
	OpCopySign
	OpTestP
	OpPopc
	OpClz
	OpBfind
	OpBrev
	OpBfe
	OpBfi
	OpBmsk
	OpSzext
	OpSad
	OpDp4a
	OpDp2a

	OpAnd
	OpOr
	OpXor
	OpNot
	OpCnot
	OpLop3
	OpShl
	OpShr
	OpShf
	OpPrmt

	OpSet
	OpSetP
	OpSelP
	OpSlct

	OpMov
	OpCvt
	OpCvtPack
	OpCvta
	OpLd
	OpLdNc
	OpLdParam
	OpLdMatrix
	OpStMatrix
	OpMovMatrix
	OpSt
	OpStParam
	OpStAsync
	OpStBulk
	OpPrefetch
	OpPrefetchU
	OpPrefetchTensorMap
	OpDiscard
	OpApplyPriority
	OpCreatePolicyFractional
	OpCreatePolicyRange
	OpIsSpaceP
	OpMapa
	OpGetCTARank

	OpAtom
	OpRed
	OpRedAsync
	OpMultimemLdReduce
	OpMultimemRed
	OpMultimemSt

	OpBra
	OpBrxIdx
	OpRet
	OpExit
	OpTrap
	OpBrkpt
	OpNanosleep
	OpPMEvent

	OpBarSync
	OpBarArrive
	OpBarRed
	OpBarWarpSync
	OpBarrierSync
	OpBarrierArrive
	OpBarrierClusterArrive
	OpBarrierClusterWait
	OpMembar
	OpFence
	OpFenceProxy
	OpFenceMbarrierInit

	OpShflSync
	OpVoteSync
	OpMatchSync
	OpActiveMask
	OpReduxSync
	OpElectSync

	OpMbarrierInit
	OpMbarrierInval
	OpMbarrierExpectTx
	OpMbarrierCompleteTx
	OpMbarrierArrive
	OpMbarrierArriveDrop
	OpMbarrierTestWait
	OpMbarrierTryWait
	OpMbarrierPendingCount

	OpCpAsync
	OpCpAsyncCommitGroup
	OpCpAsyncWaitGroup
	OpCpAsyncWaitAll
	OpCpAsyncMbarrierArrive

	OpCpAsyncBulk
	OpCpReduceAsyncBulk
	OpCpAsyncBulkPrefetch
	OpCpAsyncBulkTensor
	OpCpReduceAsyncBulkTensor
	OpCpAsyncBulkPrefetchTensor
	OpCpAsyncBulkCommitGroup
	OpCpAsyncBulkWaitGroup
	OpTensorMapReplace
	OpTensorMapCpFenceProxy

	OpMma
	OpMmaSparse

	OpWgmmaMmaAsync
	OpWgmmaFence
	OpWgmmaCommitGroup
	OpWgmmaWaitGroup

	OpTcgen05Alloc
	OpTcgen05Dealloc
	OpTcgen05RelinquishAllocPermit
	OpTcgen05Ld
	OpTcgen05LdRed
	OpTcgen05St
	OpTcgen05WaitLd
	OpTcgen05WaitSt
	OpTcgen05Cp
	OpTcgen05Shift
	OpTcgen05Commit
	OpTcgen05FenceBefore
	OpTcgen05FenceAfter
	OpTcgen05Mma
	OpTcgen05MmaWS

	OpSetMaxNReg
	OpGridDepWait
	OpGridDepLaunch
	OpClusterLaunchTryCancel
	OpClusterLaunchQuery
	numOps
)

var opNames = [numOps]string{
	OpAbs:                          "abs",
	OpAdd:                          "add",
	OpAddC:                         "addc",
	OpSub:                          "sub",
	OpSubC:                         "subc",
	OpMul:                          "mul",
	OpMul24:                        "mul24",
	OpMad:                          "mad",
	OpMadC:                         "madc",
	OpDiv:                          "div",
	OpRem:                          "rem",
	OpNeg:                          "neg",
	OpMin:                          "min",
	OpMax:                          "max",
	OpFma:                          "fma",
	OpRcp:                          "rcp",
	OpSqrt:                         "sqrt",
	OpRsqrt:                        "rsqrt",
	OpSin:                          "sin",
	OpCos:                          "cos",
	OpLg2:                          "lg2",
	OpEx2:                          "ex2",
	OpTanh:                         "tanh",
	OpCopySign:                     "copysign",
	OpTestP:                        "testp",
	OpPopc:                         "popc",
	OpClz:                          "clz",
	OpBfind:                        "bfind",
	OpBrev:                         "brev",
	OpBfe:                          "bfe",
	OpBfi:                          "bfi",
	OpBmsk:                         "bmsk",
	OpSzext:                        "szext",
	OpSad:                          "sad",
	OpDp4a:                         "dp4a",
	OpDp2a:                         "dp2a",
	OpAnd:                          "and",
	OpOr:                           "or",
	OpXor:                          "xor",
	OpNot:                          "not",
	OpCnot:                         "cnot",
	OpLop3:                         "lop3",
	OpShl:                          "shl",
	OpShr:                          "shr",
	OpShf:                          "shf",
	OpPrmt:                         "prmt",
	OpSet:                          "set",
	OpSetP:                         "setp",
	OpSelP:                         "selp",
	OpSlct:                         "slct",
	OpMov:                          "mov",
	OpCvt:                          "cvt",
	OpCvtPack:                      "cvt.pack",
	OpCvta:                         "cvta",
	OpLd:                           "ld",
	OpLdNc:                         "ld.global.nc",
	OpLdParam:                      "ld.param",
	OpLdMatrix:                     "ldmatrix.sync.aligned",
	OpStMatrix:                     "stmatrix.sync.aligned",
	OpMovMatrix:                    "movmatrix.sync.aligned",
	OpSt:                           "st",
	OpStParam:                      "st.param",
	OpStAsync:                      "st.async",
	OpStBulk:                       "st.bulk",
	OpPrefetch:                     "prefetch",
	OpPrefetchU:                    "prefetchu",
	OpPrefetchTensorMap:            "prefetch.tensormap",
	OpDiscard:                      "discard",
	OpApplyPriority:                "applypriority",
	OpCreatePolicyFractional:       "createpolicy.fractional",
	OpCreatePolicyRange:            "createpolicy.range",
	OpIsSpaceP:                     "isspacep",
	OpMapa:                         "mapa",
	OpGetCTARank:                   "getctarank",
	OpAtom:                         "atom",
	OpRed:                          "red",
	OpRedAsync:                     "red.async",
	OpMultimemLdReduce:             "multimem.ld_reduce",
	OpMultimemRed:                  "multimem.red",
	OpMultimemSt:                   "multimem.st",
	OpBra:                          "bra",
	OpBrxIdx:                       "brx.idx",
	OpRet:                          "ret",
	OpExit:                         "exit",
	OpTrap:                         "trap",
	OpBrkpt:                        "brkpt",
	OpNanosleep:                    "nanosleep",
	OpPMEvent:                      "pmevent",
	OpBarSync:                      "bar.sync",
	OpBarArrive:                    "bar.arrive",
	OpBarRed:                       "bar.red",
	OpBarWarpSync:                  "bar.warp.sync",
	OpBarrierSync:                  "barrier.cta.sync",
	OpBarrierArrive:                "barrier.cta.arrive",
	OpBarrierClusterArrive:         "barrier.cluster.arrive",
	OpBarrierClusterWait:           "barrier.cluster.wait",
	OpMembar:                       "membar",
	OpFence:                        "fence",
	OpFenceProxy:                   "fence.proxy",
	OpFenceMbarrierInit:            "fence.mbarrier_init",
	OpShflSync:                     "shfl.sync",
	OpVoteSync:                     "vote.sync",
	OpMatchSync:                    "match.sync",
	OpActiveMask:                   "activemask",
	OpReduxSync:                    "redux.sync",
	OpElectSync:                    "elect.sync",
	OpMbarrierInit:                 "mbarrier.init",
	OpMbarrierInval:                "mbarrier.inval",
	OpMbarrierExpectTx:             "mbarrier.expect_tx",
	OpMbarrierCompleteTx:           "mbarrier.complete_tx",
	OpMbarrierArrive:               "mbarrier.arrive",
	OpMbarrierArriveDrop:           "mbarrier.arrive_drop",
	OpMbarrierTestWait:             "mbarrier.test_wait",
	OpMbarrierTryWait:              "mbarrier.try_wait",
	OpMbarrierPendingCount:         "mbarrier.pending_count",
	OpCpAsync:                      "cp.async",
	OpCpAsyncCommitGroup:           "cp.async.commit_group",
	OpCpAsyncWaitGroup:             "cp.async.wait_group",
	OpCpAsyncWaitAll:               "cp.async.wait_all",
	OpCpAsyncMbarrierArrive:        "cp.async.mbarrier.arrive",
	OpCpAsyncBulk:                  "cp.async.bulk",
	OpCpReduceAsyncBulk:            "cp.reduce.async.bulk",
	OpCpAsyncBulkPrefetch:          "cp.async.bulk.prefetch",
	OpCpAsyncBulkTensor:            "cp.async.bulk.tensor",
	OpCpReduceAsyncBulkTensor:      "cp.reduce.async.bulk.tensor",
	OpCpAsyncBulkPrefetchTensor:    "cp.async.bulk.prefetch.tensor",
	OpCpAsyncBulkCommitGroup:       "cp.async.bulk.commit_group",
	OpCpAsyncBulkWaitGroup:         "cp.async.bulk.wait_group",
	OpTensorMapReplace:             "tensormap.replace",
	OpTensorMapCpFenceProxy:        "tensormap.cp_fenceproxy",
	OpMma:                          "mma.sync.aligned",
	OpMmaSparse:                    "mma.sp::ordered_metadata.sync.aligned",
	OpWgmmaMmaAsync:                "wgmma.mma_async.sync.aligned",
	OpWgmmaFence:                   "wgmma.fence.sync.aligned",
	OpWgmmaCommitGroup:             "wgmma.commit_group.sync.aligned",
	OpWgmmaWaitGroup:               "wgmma.wait_group.sync.aligned",
	OpTcgen05Alloc:                 "tcgen05.alloc",
	OpTcgen05Dealloc:               "tcgen05.dealloc",
	OpTcgen05RelinquishAllocPermit: "tcgen05.relinquish_alloc_permit",
	OpTcgen05Ld:                    "tcgen05.ld",
	OpTcgen05LdRed:                 "tcgen05.ld.red",
	OpTcgen05St:                    "tcgen05.st",
	OpTcgen05WaitLd:                "tcgen05.wait::ld.sync.aligned",
	OpTcgen05WaitSt:                "tcgen05.wait::st.sync.aligned",
	OpTcgen05Cp:                    "tcgen05.cp",
	OpTcgen05Shift:                 "tcgen05.shift",
	OpTcgen05Commit:                "tcgen05.commit",
	OpTcgen05FenceBefore:           "tcgen05.fence::before_thread_sync",
	OpTcgen05FenceAfter:            "tcgen05.fence::after_thread_sync",
	OpTcgen05Mma:                   "tcgen05.mma",
	OpTcgen05MmaWS:                 "tcgen05.mma.ws",
	OpSetMaxNReg:                   "setmaxnreg",
	OpGridDepWait:                  "griddepcontrol.wait",
	OpGridDepLaunch:                "griddepcontrol.launch_dependents",
	OpClusterLaunchTryCancel:       "clusterlaunchcontrol.try_cancel.async",
	OpClusterLaunchQuery:           "clusterlaunchcontrol.query_cancel",
}

// String returns the opcode as it is printed.
func (o Op) String() string { return opNames[o] }
