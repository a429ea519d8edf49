package budget

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/target/sm"
)

// A Registers is a purpose of registers: what it leaves a thread for all else.
type Registers struct{ others int }

// Others returns how many registers of a thread the purpose leaves to all else.
func (r *Registers) Others() int { return r.others }

var (
	// ForLoops is for the tensors of a loop. Addresses, counters, and subtiles of operands on their way into an
	// instruction are the rest. ptxas 13.5 takes as many, or up to 70 fewer (docs/measurements/codegen.md). FlashAttention
	// 3 leaves itself 44 of 240 beside P, O and S of 176 keys.
	ForLoops = &Registers{60}
	// ForWarps is for all tensors that are live at once, when the number of warps is chosen. There are no layouts yet,
	// so copies that layouts make count among the rest.
	ForWarps = &Registers{95}
	// ForCounted is for what is counted thread by thread: values of nvvm, or tiles whose layouts are known. ptxas loads
	// operands early, and has temporary addresses and predicates. Measured with ptxas 13.5 on the kernels of real size.
	ForCounted = &Registers{24}
	// ForAnything is all that a thread has.
	ForAnything = &Registers{0}
)

// Registers returns how many registers a thread may take for a purpose, 1 at least.
func (k Kernel) Registers(p *Registers) int {
	return max(1, k.Arch.RegistersPerThread(k.Warps, max(1, k.Asked))-p.others)
}

// Warpgroup is how many warps setmaxnreg is for, all of which must execute it (PTX ISA, setmaxnreg).
const Warpgroup = 4

// The registers of roles.
const (
	step  = 8   // setmaxnreg takes multiples of it (PTX ISA, setmaxnreg)
	least = 32  // what a thread keeps that starts loads or MMAs: some coordinates, and descriptors
	most  = 240 // what a thread gets at most; ptxas uses 255
)

// AtLaunch returns how many registers a thread has when a kernel begins that moves registers between roles.
func (k Kernel) AtLaunch() int64 {
	return int64(k.Arch.RegistersPerThread(k.Warps, max(1, k.Asked))) / step * step
}

// Roles are the registers of the threads of roles, zeros where all have as many as at launch, and how many idle warps
// complete a warpgroup.
type Roles struct {
	Consumer, Copier, Other int64
	Idle                    int
}

// Move reports whether the kernel moves registers between roles.
func (r Roles) Move() bool { return r.Consumer > 0 }

// Roles returns how registers are divided between consumer warps, warps that copy, and single warps that start loads or
// MMAs. Addresses is how many registers a thread that copies has for these, tensors how many a consumer has for its own:
// where these fit an equal share, nothing moves. What consumers do not need is shared equally with threads that copy.
//
// An SM has its registers in four partitions, each for a quarter of the warps. With four consumer warps, each partition
// then has up to two warps, which costs no consumer registers. With eight, a warp more in one partition would take
// registers from all consumers. So idle warps complete its warpgroup, and setmaxnreg gives back what that group does not
// need.
func (k Kernel) Roles(single, copiers int, addresses int64, tensors int) Roles {
	all := k.WithWarps(k.Warps + copiers + single)
	fewer := all.Registers(ForWarps) < tensors && all.Registers(ForAnything) < k.Registers(ForAnything)
	var idle int
	if single > 0 {
		idle = Warpgroup - single
	}
	together := k.WithWarps(all.Warps + idle)
	if !fewer || !k.Arch.Has(sm.SetMaxNReg) || k.Warps%Warpgroup != 0 || together.Warps > contract.MaxWarps {
		return Roles{}
	}
	left := together.AtLaunch()*int64(together.Warps) - least*int64(single+idle)
	r := Roles{Other: least, Idle: idle}
	copying := min((least+addresses+step-1)/step*step, together.AtLaunch()) * int64(copiers)
	r.Consumer = min((left-copying)/int64(k.Warps)/step*step, most)
	if copiers > 0 { // they take what consumers cannot, and an equal share of what these do not need
		if spare := int(r.Consumer) - tensors - ForLoops.Others(); spare > 0 {
			r.Consumer -= int64(spare*copiers/(k.Warps+copiers)) / step * step
		}
		r.Copier = min((left-r.Consumer*int64(k.Warps))/int64(copiers)/step*step, most)
	}
	return r
}
