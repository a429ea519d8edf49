package cudatile

import "github.com/tilewright/tilewright/ir"

type (
	verifier = func(ir.Op) error
)

var (
	verifyIEEE, verifyDivF, verifyApproxOrFull, verifyFtz, verifySqrt, verifyFPowI, verifyMmaF, verifyMmaFScaled, verifyMmaShapes,
	verifyDivI, verifyNegI, verifyBitcast, verifyExtI, verifyTruncI, verifyFToF, verifyFToI, verifyIToF, verifyBroadcast,
	verifyCat, verifyExtract, verifyInsert, verifyIota, verifyPermute, verifyReshape, verifySelect, verifyPack, verifyReduce,
	verifyReduceRegion, verifyScan, verifyModule, verifyEntry, verifyEntryBody, verifyGlobal, verifyFor, verifyLoop, verifyIf,
	verifyBreak, verifyContinue, verifyReturn, verifyLoad, verifyStore, verifyAlloca, verifyJoinTokens, verifyAtomicCAS,
	verifyAtomicRMW, verifyAtomicRedView, verifyMakeTensorView, verifyMakeView, verifyLoadView, verifyStoreView,
	verifyGetIndexSpaceShape, verifyGetTensorShape, verifyMultimem, verifyAssume, verifyPrint, verifyGetGlobal verifier

	inferReduce, inferScan func(*ir.OpState) ([]ir.Type, error)

	forCaps, loopCaps, ifCaps []ir.CapImpl
)

func exitCaps(...string) []ir.CapImpl { return nil }
