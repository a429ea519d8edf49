package cudatiletotileaa

import (
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// A hint is advice of a front end, and what becomes of it. All hints are in the table. A hint that no pass
// follows gets a warning, so users learn of it here and not from a profile.
//
// A hint for the target's architecture is asked before the one under "default" (cudatile.Hint).
type hint struct {
	name string
	on   hintPlace
	// sets writes the value into the kernel spec, which is how the levels below hear of the hint; nil when they do not.
	sets func(s *contract.KernelSpec, a ir.Attribute)
	// follows is what acts on the hint, for readers of the table; "" when nothing does.
	follows string
	// ignored is why nothing does, as the end of a warning; asks reports whether a value asks for more than what
	// happens anyway.
	ignored string
	asks    func(a ir.Attribute) bool
	// unfit is why a value of an attribute that is followed otherwise is not, or "". Hints of operations have
	// cudatile.UnfitHints.
	unfit func(a ir.Attribute) string
}

// A hintPlace is what has a hint. Where two set the same field, the later place wins.
type hintPlace uint8

const (
	onModule hintPlace = iota // an attribute of the outermost module
	onKernel                  // an attribute of a kernel
	onEntry                   // an optimization hint of a kernel
	onAccess                  // an optimization hint of a load or store
)

var hintTable = []hint{
	{name: "num_worker_warps_per_cta", on: onEntry, sets: numWarps, follows: "convert-tileaa-to-tileas"},
	{name: "occupancy", on: onEntry, sets: occupancy, follows: "convert-tileas-to-nvvm"},
	{name: "num_cta_in_cga", on: onEntry, sets: cluster, follows: "tileaa-partition-cluster"},
	{name: "latency", on: onAccess, follows: "tileas-schedule-loops"},
	{name: "allow_tma", on: onAccess, follows: "tileas-plan-copies"},

	{name: contract.Occupancy, on: onKernel, sets: occupancy, follows: "convert-tileas-to-nvvm"},

	{name: contract.NumWarps, on: onModule, sets: numWarps, follows: "convert-tileaa-to-tileas"},
	{name: contract.NumCTAs, on: onModule, sets: cluster, follows: "tileaa-partition-cluster", unfit: noPower},
	{name: contract.ClusterDim, on: onModule, sets: clusterDim, follows: "tileaa-partition-cluster"},
	{name: contract.ClusterSize, on: onModule, sets: clusterDim, follows: "tileaa-partition-cluster"},
	{name: contract.NumStages, on: onModule, sets: numStages, follows: "tileas-schedule-loops"},
	{name: contract.IsPersistent, on: onModule, sets: persistent, ignored: "each tile block is launched for itself", asks: truth},
	// contract.DumpIntermediate is about the producer's own files.
}

// What hints set. Their values have been verified (contract.Verify) or else are none (cudatile.Hint).

func numWarps(s *contract.KernelSpec, a ir.Attribute)   { s.NumWarps = intOf(a) }
func occupancy(s *contract.KernelSpec, a ir.Attribute)  { s.Occupancy = intOf(a) }
func numStages(s *contract.KernelSpec, a ir.Attribute)  { s.NumStages = intOf(a) }
func persistent(s *contract.KernelSpec, a ir.Attribute) { s.Persistent = truth(a) }

// cluster is the CTAs that share a tile block. Layouts split by powers of two, so other numbers, and 1, have no
// effect; tileiras treats them the same way.
func cluster(s *contract.KernelSpec, a ir.Attribute)    { clusterOf(s, int64(intOf(a))) }
func clusterDim(s *contract.KernelSpec, a ir.Attribute) { clusterOf(s, contract.CTAs(a)) }

func clusterOf(s *contract.KernelSpec, n int64) {
	if s.Cluster = 0; n > 1 && n&(n-1) == 0 {
		s.Cluster = int(n)
	}
}

func noPower(a ir.Attribute) string {
	if n := intOf(a); n&(n-1) != 0 {
		return "CTAs share a tile block only if their number is a power of two"
	}
	return ""
}

func intOf(a ir.Attribute) int {
	i, _ := a.(*ir.IntegerAttr)
	if i == nil {
		return 0
	}
	return int(i.Value)
}

// truth reports whether an attribute is a unit attribute, or a boolean that is true.
func truth(a ir.Attribute) bool {
	i, ok := a.(*ir.IntegerAttr)
	return !ok || i.Value != 0
}

// warnIgnored warns of hints that nothing follows, once for each kernel and hint, and for hints of the module once.
//
// A hint that asks for what happens anyway (1 CTA, no overlap) gets no warning, which would be noise; asks
// distinguishes the two.
func warnIgnored(r *passes.Run) {
	for _, h := range hintTable {
		a := r.Op.Attr(h.name)
		if h.on != onModule || a == nil {
			continue
		}
		why := ""
		switch {
		case h.unfit != nil:
			why = h.unfit(a)
		case h.follows == "" && h.asks(a):
			why = h.ignored
		}
		if why != "" {
			r.Warnf(r.Op.Loc(), "hint '%s'%s is not followed: %s", h.name, valueOf(a), why)
		}
	}
	warnUnknown(r, r.Op)
	for m := range r.Op.Body().Ops() {
		if !m.Is(cudatile.Module) {
			continue
		}
		warnUnknown(r, m)
		for entry := range m.Body().Ops() {
			if entry.Is(cudatile.Entry) {
				warnUnknown(r, entry)
				warnOfEntry(r, entry)
			}
		}
	}
}

// warnOfEntry warns of the hints of a kernel, and of its accesses at the first that has them.
func warnOfEntry(r *passes.Run, entry ir.Op) {
	arch, err := r.Target.Arch()
	if err != nil {
		return // whoever needs it says so
	}
	said := make(map[string]bool)
	entry.Walk(func(op ir.Op) ir.WalkResult {
		if op.Attr(hintsAttr) == nil {
			return ir.Advance
		}
		for _, h := range cudatile.UnfitHints(op, arch.Name) {
			if !said[h.Name] {
				said[h.Name] = true
				why := h.Why
				if why == "" {
					why = fmt.Sprintf("'%s' has no such hint%s", op.Name(), suggest.DidYouMean(h.Name, cudatile.HintKeys(op.Def())))
				}
				r.Warnf(op.Loc(), "hint '%s'%s of kernel '%s' is not followed: %s", h.Name, valueOf(h.Value), entry.SymbolName(), why)
			}
		}
		for _, h := range hintTable {
			// Said once for a kernel: a front end that sets latency sets it on every load.
			if h.on == onModule || h.follows != "" || said[h.name] {
				continue
			}
			if a := cudatile.Hint(op, arch.Name, h.name); a != nil && h.asks(a) {
				said[h.name] = true
				r.Warnf(op.Loc(), "hint '%s'%s of kernel '%s' is not followed: %s", h.name, valueOf(a), entry.SymbolName(), h.ignored)
			}
		}
		return ir.Advance
	})
}

// warnUnknown warns of attributes of the contract's namespaces that it does not have: a misspelt one does nothing.
func warnUnknown(r *passes.Run, op ir.Op) {
	for _, a := range op.DiscardableAttrs().Entries {
		if contract.Unknown(a.Name) {
			r.Warnf(op.Loc(), "attribute '%s' is not followed: no such attribute is known%s", a.Name, suggest.DidYouMean(a.Name, contract.Names()))
		}
	}
}

// valueOf spells the value of a hint that is a number or a boolean, without its type.
func valueOf(a ir.Attribute) string {
	if _, ok := a.(*ir.IntegerAttr); !ok {
		return ""
	}
	text, _, _ := strings.Cut(ir.AttrString(a), " : ")
	return " = " + text
}

// hintsAttr is the attribute that has the hints.
const hintsAttr = "optimization_hints"

// kernelSpec returns what the hints of an entry, and for what these leave open its attributes and those of the
// module, ask for. A hint for the architecture beats the default, hint by hint.
func kernelSpec(entry, module ir.Op, gpu string) contract.KernelSpec {
	var spec contract.KernelSpec
	for place := onModule; place <= onEntry; place++ {
		for _, h := range hintTable {
			if h.sets == nil || h.on != place {
				continue
			}
			if a := h.on.value(entry, module, gpu, h.name); a != nil {
				h.sets(&spec, a)
			}
		}
	}
	return spec
}

// value returns what a hint of a kernel says, or nil.
func (p hintPlace) value(entry, module ir.Op, gpu, name string) ir.Attribute {
	switch p {
	case onModule:
		return module.Attr(name)
	case onKernel:
		return entry.Attr(name)
	}
	return cudatile.Hint(entry, gpu, name)
}
