// Package remark is the table of remarks: the kinds of decisions that passes report, with the fields of each and
// the question that it answers.
//
//	remark.TmaLoadFailed.At(r, op.Loc(), "Failed to select TMA load instruction").
//	Arg("Reason", "stride not 16-byte aligned").Missing(facts...).Report()
//
// Remarks that tileiras reports too have its names, fields and words, so scripts that read its remarks also read
// ours. All other kinds are ours: which fact is missing, what to change in the program, and what bounds a loop.
//
// A remark is dropped unless somebody asked for decisions, so a compilation is silent about what works as
// expected. The reference page of remarks is generated from the table.
//
// When passes choose instructions, they no longer see what the program promises. They report which operand was
// not known to be divisible by what (ir.MissingFact). Package internal/tooling/why then finds where in the
// program that was lost, and tries out what it is worth.
package remark
