package sm

import (
	"fmt"
	"strings"
)

// Suffix is the kind of a target's spelling, weakest first: a stronger one includes what a weaker one offers.
type Suffix uint8

const (
	Plain    Suffix = iota // sm_100: runs on later architectures too
	Family                 // sm_100f: runs within the family
	Specific               // sm_100a: runs on this architecture only
	numSuffixes
)

// String returns the letter that the spelling ends in.
func (s Suffix) String() string { return [numSuffixes]string{"", "f", "a"}[s] }

// Arch is one architecture. All memory sizes are in bytes.
type Arch struct {
	Name  string               // as users write it: sm_90
	Major int                  // compute capability, before the dot
	Minor int                  // compute capability, after the dot
	PTX   [numSuffixes]Version // first PTX ISA version with this spelling; zero when there is no such spelling

	Shared    Shared
	Registers Registers
	Warps     int // resident warps per SM
	CTAs      int // resident CTAs per SM
	Threads   int // per CTA
	TMEM      TMEM
	Cluster   Cluster

	index int // row of the table; indexes the availability of features
}

// Shared describes the shared memory of an SM. Invariant: PerCTA + Reserved <= PerSM.
type Shared struct {
	PerSM          int // capacity
	PerCTA         int // most that one CTA can have, which takes the launch attribute for dynamic shared memory above Static
	Static         int // most that a module can declare statically under the plain and family spellings
	StaticSpecific int // the same under the specific spelling; zero when there is no such spelling
	Reserved       int // taken by the system from every resident CTA
}

// Registers describes the register file, in 32-bit registers.
type Registers struct {
	PerSM     int
	PerThread int // most that one thread can have
	Least     int // fewest that a kernel can be limited to: ptxas raises a lower limit, with a warning
	Unit      int // allocation granule of a warp
}

// TMEM describes tensor memory, in 32-bit cells. All zero where there is none.
type TMEM struct {
	Lanes   int
	Columns int
	Unit    int // smallest allocation, in columns; allocations are powers of two
}

// Cluster describes thread block clusters, in CTAs. Both are 1 where there are no clusters.
type Cluster struct {
	Portable int // guaranteed to be launchable
	Max      int // with the launch attribute for non-portable sizes
}

// WarpSize is the number of threads of a warp on every architecture.
const WarpSize = 32

// Predicates is how many predicates a thread has beside the one that is always true (P0 to P6 of the CUDA binary
// utilities' SASS).
const Predicates = 7

// RegistersPerThread returns how many registers a thread may have so that an SM holds that many CTAs of so many warps,
// or as many as it has warps for. The registers of an SM belong to its four partitions, over which the warps of a CTA
// are spread, and are given to a warp in granules.
func (a *Arch) RegistersPerThread(warps, ctas int) int {
	ctas = max(1, min(ctas, a.Warps/warps))
	warps = (warps + Subpartitions - 1) / Subpartitions * Subpartitions
	n := a.Registers.PerSM / (WarpSize * warps * ctas)
	granule := a.Registers.Unit / WarpSize
	return min(max(n/granule*granule, a.Registers.Least), a.Registers.PerThread)
}

// SharedPerCTA returns the bytes of shared memory that a CTA may have so that an SM holds ctas CTAs.
func (a *Arch) SharedPerCTA(ctas int) int {
	if ctas > 1 {
		return min(a.Shared.PerCTA, a.Shared.PerSM/ctas-a.Shared.Reserved)
	}
	return a.Shared.PerCTA
}

// Capability returns the compute capability as it stands in the name: 90 for sm_90.
func (a *Arch) Capability() int { return a.Major*10 + a.Minor }

// String returns the architecture's name.
func (a *Arch) String() string { return a.Name }

// All returns every architecture, in ascending order. The caller must not change them.
func All() []*Arch { return archs }

// Names returns the names of all architectures, in ascending order.
func Names() []string {
	names := make([]string, len(archs))
	for i, a := range archs {
		names[i] = a.Name
	}
	return names
}

// Lookup finds the architecture of that exact name. The error is an [*UnknownError].
func Lookup(name string) (*Arch, error) {
	for _, a := range archs {
		if a.Name == name {
			return a, nil
		}
	}
	return nil, &UnknownError{Name: name}
}

// UnknownError says that a name is not in the table.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("unknown architecture '%s', expected one of %s", e.Name, strings.Join(Names(), ", "))
}

// OptionError words the error for a tool whose command line must answer as tileiras does; flag is the option's
// spelling with its dashes, such as --gpu-name. The tool puts its own name in front.
func (e *UnknownError) OptionError(flag string) string {
	return fmt.Sprintf("for the %s option: Cannot find option named '%s'!", flag, e.Name)
}
