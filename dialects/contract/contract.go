package contract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/builtin"
	"github.com/tilewright/tilewright/ir"
)

// Names of the attributes of a module.
const (
	ComputeCapability = "nv_tileaa.compute_capability" // i32: ten times the major number plus the minor one
	TargetSpec        = "nv_tileaa.target_spec"        // string: the architecture, "sm_90"
	NumWarps          = "tt.num_warps"                 // i32: warps of a CTA
	NumCTAs           = "tt.num_ctas"                  // i32: CTAs of a cluster
	ClusterDim        = "tt.cluster_dim"               // three integers: the same along each axis
	ClusterSize       = "tt.cluster_size"              // three integers: stands for ClusterDim and NumCTAs
	NumStages         = "tt.num_stages"                // i32: advice about the depth of software pipelines
	IsPersistent      = "tt.is_persistent"             // unit or i1
	DumpIntermediate  = "tt.dump_intermediate"         // anything
)

// Names of the attributes of an entry.
const (
	Occupancy         = "nv_tileaa.occupancy"    // i32: CTAs that should fit an SM
	MaxNReg           = "nvvm.maxnreg"           // i32: registers of a thread
	MinCTASM          = "nvvm.minctasm"          // i32: blocks that an SM should hold
	MaxClusterRank    = "nvvm.maxclusterrank"    // i32: the largest cluster that the kernel may be launched in
	BlocksAreClusters = "nvvm.blocksareclusters" // unit
	Kernel            = "nvvm.kernel"            // of the lowering alone, as is AttrKernelSpec
)

// LoopVersion is a discardable attribute of loops that are versions of one loop: which iterations it is for, in words.
const LoopVersion = "nv_tileaa.version"

// LoopTrips is a discardable i64 of such versions: how many iterations all of them have together, where that is known.
const LoopTrips = "nv_tileaa.trips"

// LoopRest is a discardable unit attribute of all such versions but the first: they run what that one leaves, such as
// masked edges, or nothing.
const LoopRest = "nv_tileaa.rest"

// TT is the dialect of the attributes of launches. It has no operations.
var TT = &ir.Dialect{Name: "tt", VerifyAttr: Verify,
	Doc: "Attributes of the outermost module that say how kernels are launched: tt.num_warps, tt.num_ctas, " +
		"tt.cluster_dim, tt.cluster_size, tt.num_stages, tt.is_persistent and tt.dump_intermediate."}

// A carrier is what an attribute stands on.
type carrier uint8

const (
	onModule carrier = iota
	onEntry
	nowhere
)

// A rule says what an attribute must be.
type rule struct {
	on    carrier
	check func(a ir.Attribute) error // completes "attribute 'name' "
}

var rules = map[string]rule{
	ComputeCapability: {onModule, number(10, 999)},
	TargetSpec:        {onModule, architecture},
	NumWarps:          {onModule, powerOfTwo(MaxWarps)},
	NumCTAs:           {onModule, number(1, maxCluster)},
	ClusterDim:        {onModule, extents},
	ClusterSize:       {onModule, extents},
	NumStages:         {onModule, specNumStages.given},
	IsPersistent:      {onModule, specPersistent.given},
	DumpIntermediate:  {onModule, func(ir.Attribute) error { return nil }},

	Occupancy:         {onEntry, specOccupancy.given},
	MaxNReg:           {onEntry, number(1, 255)},
	MinCTASM:          {onEntry, number(1, maxBlocks)},
	MaxClusterRank:    {onEntry, number(1, maxCluster)},
	BlocksAreClusters: {onEntry, unit},
	Kernel:            {nowhere, nil},
	AttrKernelSpec:    {nowhere, nil},
}

// Limits that hold on every target.
const (
	MaxWarps   = 32 // of a CTA: 1024 threads
	maxCluster = 16
	maxBlocks  = 32 // resident on an SM
)

// Verify is ir.Dialect.VerifyAttr of the dialects that the attributes are named after.
func Verify(op ir.Op, name string, a ir.Attribute) error {
	r, ok := rules[name]
	if !ok {
		return nil
	}
	if r.on == nowhere {
		if isEntry(op) && op.Name() != "cuda_tile.entry" {
			return nil
		}
		return op.Errorf("attribute '%s' is attached by the lowering, and must not be given", name)
	}
	if is := isEntry(op); r.on == onModule && !op.Is(builtin.Module) || r.on == onEntry && !is {
		return op.Errorf("attribute '%s' must stand on %s", name, [...]string{onModule: "the outermost 'builtin.module'", onEntry: "a kernel"}[r.on])
	}
	if err := r.check(a); err != nil {
		return op.Errorf("attribute '%s' %v", name, err)
	}
	if err := agree(op, name); err != nil {
		return op.Errorf("attribute '%s' %v", name, err)
	}
	return nil
}

// Names returns the attributes that a front end may give.
func Names() []string {
	var names []string
	for name, r := range rules {
		if r.on != nowhere {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Unknown reports whether an attribute is in a namespace of the contract, which does not have it.
func Unknown(name string) bool {
	space, _, ok := strings.Cut(name, ".")
	if _, known := rules[name]; known || !ok {
		return false
	}
	return slices.ContainsFunc(Names(), func(n string) bool { return strings.HasPrefix(n, space+".") })
}

// isEntry reports whether op is a kernel, of any level.
func isEntry(op ir.Op) bool {
	return op.HasTrait(ir.IsolatedFromAbove|ir.Symbol) && !op.HasTrait(ir.SymbolTable)
}

// agree checks what an attribute has to do with others.
func agree(op ir.Op, name string) error {
	switch name {
	case ComputeCapability:
		byNumber, byName := archOf(op.Attr(ComputeCapability)), archOf(op.Attr(TargetSpec))
		if byName != "" && byNumber != byName {
			return fmt.Errorf("contradicts '%s': %s and %s", TargetSpec, byNumber, byName)
		}
	case ClusterDim:
		if s := op.Attr(ClusterSize); s != nil && !slices.Equal(integers(s), integers(op.Attr(ClusterDim))) {
			return fmt.Errorf("contradicts '%s': %s and %s", ClusterSize, ir.AttrString(op.Attr(ClusterDim)), ir.AttrString(s))
		}
	case NumCTAs:
		for _, other := range []string{ClusterDim, ClusterSize} {
			list := integers(op.Attr(other))
			if n, _ := op.IntAttr(NumCTAs); list != nil && product(list) != n {
				return fmt.Errorf("contradicts '%s': %d and %s", other, n, ir.AttrString(op.Attr(other)))
			}
		}
	case BlocksAreClusters:
		if n, known := ClusterCTAs(enclosingModule(op)); known && n != 1 && CTAsOf(op) == 1 {
			return fmt.Errorf("needs clusters of one CTA, but the module asks for %d", n)
		}
	}
	return nil
}

func enclosingModule(op ir.Op) ir.Op {
	for p := op.ParentOp(); !p.IsNil(); p = p.ParentOp() {
		if p.Is(builtin.Module) {
			return p
		}
	}
	return ir.Op{}
}

// number returns the check for a 32-bit integer from lo to hi.
func number(lo, hi int64) func(ir.Attribute) error {
	return func(a ir.Attribute) error {
		i, ok := a.(*ir.IntegerAttr)
		if !ok || ir.BitWidth(i.Type()) != 32 {
			return fmt.Errorf("must be a 32-bit integer, but got %s", ir.AttrString(a))
		}
		if i.Value < lo || i.Value > hi {
			return fmt.Errorf("must be from %d to %d, but got %d", lo, hi, i.Value)
		}
		return nil
	}
}

func powerOfTwo(most int64) func(ir.Attribute) error {
	inRange := number(1, most)
	return func(a ir.Attribute) error {
		if err := inRange(a); err != nil {
			return err
		}
		if n := a.(*ir.IntegerAttr).Value; n&(n-1) != 0 {
			return fmt.Errorf("must be a power of two, but got %d", n)
		}
		return nil
	}
}

func architecture(a ir.Attribute) error {
	s, ok := a.(*ir.StringAttr)
	if !ok || archOf(a) == "" {
		return fmt.Errorf(`must be the name of an architecture, as in "sm_90", but got %s`, ir.AttrString(a))
	}
	if len(s.Value) > 16 {
		return fmt.Errorf("must be the name of an architecture, but has %d letters", len(s.Value))
	}
	return nil
}

func extents(a ir.Attribute) error {
	list := integers(a)
	if len(list) != 3 {
		return fmt.Errorf("must be three integers, but got %s", ir.AttrString(a))
	}
	for _, n := range list {
		if n < 1 || n > maxCluster {
			return fmt.Errorf("must be extents from 1 to %d, but got %s", maxCluster, ir.AttrString(a))
		}
	}
	if n := product(list); n > maxCluster {
		return fmt.Errorf("must be at most %d CTAs, but got %d", maxCluster, n)
	}
	return nil
}

func flag(a ir.Attribute) error {
	if i, ok := a.(*ir.IntegerAttr); ok && ir.BitWidth(i.Type()) == 1 {
		return nil
	}
	return unit(a)
}

func unit(a ir.Attribute) error {
	if _, ok := a.(*ir.UnitAttr); !ok {
		return fmt.Errorf("must be a unit attribute, but got %s", ir.AttrString(a))
	}
	return nil
}

// integers returns the elements of an array of integers, of either kind; nil for anything else.
func integers(a ir.Attribute) []int64 {
	switch a := a.(type) {
	case *ir.DenseArrayAttr:
		if _, ok := a.Elem.(*ir.IntegerType); ok {
			return a.Values
		}
	case *ir.ArrayAttr:
		var out []int64
		for _, e := range a.Elems {
			i, ok := e.(*ir.IntegerAttr)
			if !ok {
				return nil
			}
			out = append(out, i.Value)
		}
		return out
	}
	return nil
}

func product(list []int64) int64 {
	n := int64(1)
	for _, v := range list {
		n *= v
	}
	return n
}

// archOf returns the name of the architecture that an attribute names, without the letter for features of the
// architecture or its family.
func archOf(a ir.Attribute) string {
	switch a := a.(type) {
	case *ir.IntegerAttr:
		return fmt.Sprintf("sm_%d", a.Value)
	case *ir.StringAttr:
		digits, ok := strings.CutPrefix(a.Value, "sm_")
		if n := len(digits); n > 0 && (digits[n-1] == 'a' || digits[n-1] == 'f') {
			digits = digits[:n-1]
		}
		if ok && digits != "" && strings.Trim(digits, "0123456789") == "" {
			return "sm_" + digits
		}
	}
	return ""
}
