package scf

import "github.com/tilewright/tilewright/ir/dataflow/intrange"

func init() { If.Attach(intrange.GuardedRegions) }
