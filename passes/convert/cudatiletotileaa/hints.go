package cudatiletotileaa

import (
	"strings"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// A hint is a piece of advice of a front end, and what becomes of it. All there are stand in the table: one that no pass follows is answered by a warning, so
// that whoever relies on it learns of it here and not from a profile.
type hint struct {
	name string
	on   hintPlace
	// follows is what acts on the hint, for readers of the table; "" when nothing does.
	follows string
	// ignored is why nothing does, as the end of a warning; asks reports whether a value asks for more than what happens anyway.
	ignored string
	asks    func(a ir.Attribute) bool
}

// A hintPlace is what a hint stands on.
type hintPlace uint8

const (
	onModule hintPlace = iota // an attribute of the outermost module
	onEntry                   // an optimization hint of a kernel
	onAccess                  // an optimization hint of a load or store
)

var hintTable = []hint{
	{name: "num_worker_warps_per_cta", on: onEntry, follows: "convert-cuda-tile-to-tileaa (num_warps)"},
	{name: "occupancy", on: onEntry, follows: "convert-cuda-tile-to-tileaa (occupancy)"},
	{name: "num_cta_in_cga", on: onEntry, ignored: "a tile block is one CTA", asks: above(1)},
	{name: "latency", on: onAccess, ignored: "loads are not overlapped with arithmetic yet", asks: above(0)},
	{name: "allow_tma", on: onAccess, ignored: "no access goes through a tensor map yet", asks: truth},

	{name: contract.NumWarps, on: onModule, follows: "convert-cuda-tile-to-tileaa (num_warps)"},
	{name: contract.NumCTAs, on: onModule, ignored: "a tile block is one CTA", asks: above(1)},
	{name: contract.ClusterDim, on: onModule, ignored: "a tile block is one CTA", asks: severalCTAs},
	{name: contract.ClusterSize, on: onModule, ignored: "a tile block is one CTA", asks: severalCTAs},
	{name: contract.NumStages, on: onModule, ignored: "loops are not pipelined yet", asks: above(1)},
	{name: contract.IsPersistent, on: onModule, ignored: "each tile block is launched for itself", asks: truth},
	// contract.DumpIntermediate is about the producer's own files.
}

// above asks for more than n of something.
func above(n int64) func(ir.Attribute) bool {
	return func(a ir.Attribute) bool {
		i, ok := a.(*ir.IntegerAttr)
		return ok && i.Value > n
	}
}

// truth asks for something to be so: a unit attribute, or a boolean that is true.
func truth(a ir.Attribute) bool {
	i, ok := a.(*ir.IntegerAttr)
	return !ok || i.Value != 0
}

// severalCTAs asks for clusters of more than one CTA, as extents along three axes.
func severalCTAs(a ir.Attribute) bool { return contract.CTAs(a) > 1 }

// warnIgnored warns of hints that nothing follows, once for each kernel and hint, and for hints of the module once.
func warnIgnored(r *passes.Run) {
	for _, h := range hintTable {
		if a := r.Op.Attr(h.name); h.on == onModule && h.follows == "" && a != nil && h.asks(a) {
			r.Warnf(r.Op.Loc(), "hint '%s'%s is not followed: %s", h.name, valueOf(a), h.ignored)
		}
	}
	for m := range r.Op.Body().Ops() {
		if !m.Is(cudatile.Module) {
			continue
		}
		for entry := range m.Body().Ops() {
			if entry.Is(cudatile.Entry) {
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
		for _, h := range hintTable {
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

// valueOf spells the value of a hint that is a number or a boolean, without its type.
func valueOf(a ir.Attribute) string {
	if _, ok := a.(*ir.IntegerAttr); !ok {
		return ""
	}
	text, _, _ := strings.Cut(ir.AttrString(a), " : ")
	return " = " + text
}

// hintsAttr is the attribute that hints stand in.
const hintsAttr = "optimization_hints"

// launchAttrs returns the attributes of the function that its hints, and for what these leave open the entry and the module, ask for. A hint for the
// architecture beats the default, hint by hint.
func launchAttrs(entry, module ir.Op, gpu string) map[string]int64 {
	out := make(map[string]int64)
	if n, ok := cudatile.IntHint(entry, gpu, "num_worker_warps_per_cta"); ok {
		out[tile.AttrNumWarps] = min(max(n, 4), 8)
	} else if n, ok := module.IntAttr(contract.NumWarps); ok {
		out[tile.AttrNumWarps] = n
	}
	if n, ok := cudatile.IntHint(entry, gpu, "occupancy"); ok {
		out[tile.AttrOccupancy] = n
	} else if n, ok := entry.IntAttr(contract.Occupancy); ok {
		out[tile.AttrOccupancy] = n
	}
	return out
}
