package nvvmtoptx

import (
	"math"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptx"
)

func init() {
	add(map[*ir.OpDef]rule{
		nvvm.SharedBase: func(e *emitter, o ir.Op) error {
			e.body.Mov(e.def(o.Result(0)), ptx.SymAddr(e.shared(), 0))
			return nil
		},
		nvvm.PtrAdd: (*emitter).ptrAdd,
	})
}

// shared returns the symbol of the kernel's shared memory.
func (e *emitter) shared() ptx.Sym {
	e.usesShared = true
	return e.body.Sym(e.sharedName())
}

// ptrAdd adds bytes to an address. The sum in 32 bits of an address of shared memory cannot leave the window,
// which is smaller than 2^32 bytes.
func (e *emitter) ptrAdd(o ir.Op) error {
	k, bytes := kindOf(o.Result(0).Type()), o.Operand(1)
	d := e.def(o.Result(0))
	by := kindOf(bytes.Type())
	step := e.use(bytes)
	// add takes operands of one width; addresses of shared memory have 32 bits, all others 64. The offset is signed.
	if constant(bytes) == nil && by != k {
		wide := e.tmp(k)
		e.emit(ptx.OpCvt, mods(k.s, by.s), ptx.R(wide), step)
		step = ptx.R(wide)
	}
	base := ptx.R(e.reg(o.Operand(0)))
	e.emit(ptx.OpAdd, mods(k.s), ptx.R(d), base, step)
	return nil
}

// address returns the operand of an access to memory some bytes after a pointer.
//
// For example nvvm.ld (ptr_add (shared_base, 1024)) {offset = 16} is [kernel_shared+1040], and the ptr_add is
// written for nobody: ptxas drops it.
func (e *emitter) address(p ir.Value, offset int64) ptx.Operand {
	if off, ok := sharedAddress(p); ok {
		// Shared memory is one symbol, and symbol + immediate is an address: no register, no addition.
		if sum := off + offset; int64(int32(sum)) == sum {
			return ptx.AtSym(e.shared(), int32(sum))
		}
	}
	base := e.reg(p)
	// Immediate offsets are signed numbers of 32 bits (PTX ISA, addresses as operands).
	if offset >= math.MinInt32 && offset <= math.MaxInt32 {
		return ptx.At(base, int32(offset))
	}
	k := kindOf(p.Type())
	far := e.tmp(k)
	e.emit(ptx.OpAdd, mods(k.s), ptx.R(far), ptx.R(base), ptx.Int(offset))
	return ptx.At(far, 0)
}

// spaces gives each address space its modifier; a generic address has none.
//
// Without a state space, ld and st find out at run time which window an address is in (PTX ISA, "Generic
// Addressing"). So the modifier is given if the type says which.
var spaces = map[nvvm.Space]ptx.Mod{
	nvvm.Global: ptx.Global, nvvm.Shared: ptx.Shared, nvvm.Const: ptx.Const, nvvm.Local: ptx.LocalSpace, nvvm.Cluster: ptx.SharedCluster,
}

func spaceOf(p ir.Value) nvvm.Space { return p.Type().(*nvvm.PtrType).Space }
