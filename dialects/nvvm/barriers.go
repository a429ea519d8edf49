package nvvm

import "github.com/tilewright/tilewright/ir"

// Bounds of barriers and of registers (PTX ISA, "bar, barrier" and "setmaxnreg").
const (
	lastBarrier              = 15
	warpThreads, mostThreads = 32, 1024
	leastRegs, mostRegs      = 24, 256
	regsStep                 = 8
)

func required(name string, kind *ir.AttrKind) ir.Field { return ir.Field{Name: name, Kind: kind} }

// namedBarrier is how a barrier of some threads is said.
func namedBarrier(field func(string, *ir.AttrKind) ir.Field) []ir.Field {
	return []ir.Field{field(AttrID, ir.I32Kind), field(AttrThreads, ir.I32Kind)}
}

func verifyBarrier(op ir.Op) error {
	id, named := op.IntAttr(AttrID)
	threads, counted := op.IntAttr(AttrThreads)
	switch {
	case named != counted:
		return op.Errorf("must have both an id and the number of threads that meet there, or neither")
	case !named:
		return nil
	case id < 1 || id > lastBarrier:
		return op.Errorf("id must be from 1 to %d, but got %d", lastBarrier, id)
	case threads < warpThreads || threads > mostThreads || threads%warpThreads != 0:
		return op.Errorf("must be of a multiple of %d threads, at most %d, but got %d", warpThreads, mostThreads, threads)
	}
	return nil
}

func verifySetMaxNReg(op ir.Op) error {
	if n, _ := op.IntAttr(AttrCount); n < leastRegs || n > mostRegs || n%regsStep != 0 {
		return op.Errorf("must ask for a multiple of %d from %d to %d registers, but got %d", regsStep, leastRegs, mostRegs, n)
	}
	return nil
}
