package cudatile

import "github.com/tilewright/tilewright/ir"

type (
	verifier = func(ir.Op) error
	parser   = func(ir.AsmParser, *ir.OpState)
	printer  = func(ir.AsmPrinter, ir.Op)
)

var (
	verifyIEEE, verifyDivF, verifyApproxOrFull, verifyFtz, verifySqrt, verifyFPowI, verifyMmaF, verifyMmaFScaled, verifyMmaShapes,
	verifyDivI, verifyNegI, verifyBitcast, verifyExtI, verifyTruncI, verifyFToF, verifyFToI, verifyIToF, verifyBroadcast,
	verifyCat, verifyExtract, verifyInsert, verifyIota, verifyPermute, verifyReshape, verifySelect, verifyPack, verifyReduce,
	verifyReduceRegion, verifyScan, verifyModule, verifyEntry, verifyEntryBody, verifyGlobal, verifyFor, verifyLoop, verifyIf,
	verifyBreak, verifyContinue, verifyReturn, verifyLoad, verifyStore, verifyAlloca, verifyJoinTokens, verifyAtomicCAS,
	verifyAtomicRMW, verifyAtomicRedView, verifyMakeTensorView, verifyMakeView, verifyLoadView, verifyStoreView,
	verifyGetIndexSpaceShape, verifyGetTensorShape, verifyMultimem, verifyAssume, verifyPrint, verifyGetGlobal verifier

	parseConstant, parseExtract, parseInsert, parseReduce, parseScan, parseModule, parseEntry, parseGlobal, parseFor, parseLoop,
	parseIf, parseLoadPtr, parseStorePtr, parseJoinTokens, parseFence, parseAtomicRedView, parseMakeTensorView, parseMakeView,
	parseLoadView, parseStoreView, parseGetShape, parseMultimem parser

	printConstant, printExtract, printInsert, printReduce, printScan, printModule, printEntry, printGlobal, printFor, printLoop,
	printIf, printLoadPtr, printStorePtr, printJoinTokens, printFence, printAtomicRedView, printMakeTensorView, printMakeView,
	printLoadView, printStoreView, printGetShape, printMultimem printer

	inferReduce, inferScan func(*ir.OpState) ([]ir.Type, error)

	forCaps, loopCaps, ifCaps []ir.CapImpl
)

func exitCaps(...string) []ir.CapImpl { return nil }
