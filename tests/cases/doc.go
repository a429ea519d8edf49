// Package cases runs the numeric cases of the corpus.
//
// A case must give its expected output on every engine and level, with PTX that ptxas assembles without a spill.
// Counters of memory traffic must stay at their ideal, and an error planted in a case's PTX must be found.
package cases
