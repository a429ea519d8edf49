// Package remark is the table of what passes say of their decisions: the kinds of remarks, with what each tells and which question it answers.
//
// What tileiras says too has its names, fields and words, so that scripts that read its remarks read ours. The rest is ours: which fact is missing, what to change in the program, and what bounds a loop. A kind is
// reported through its row,
//
//	remark.TmaLoadFailed.At(r, op.Loc(), "Failed to select TMA load instruction").Arg("Reason", "stride not 16-byte aligned").Missing(facts...).Report()
//
// and dropped unless somebody asked for decisions, so that a compilation is silent about what goes as it should. The page of reference on remarks is made from the table.
//
// Passes see no promise of the program any more when they choose instructions. They say which operand was not known to be divisible by what (ir.MissingFact); package pipeline/why looks in the program for where that
// was lost and tries out what it is worth.
package remark
