package cudatile

import (
	"fmt"
	"slices"
	"sort"

	"github.com/tilewright/tilewright/ir"
)

// DefaultHints is the architecture whose hints hold where an architecture has none of its own.
const DefaultHints = "default"

// hintArchs are the architectures that hints may be given for, apart from DefaultHints.
var hintArchs = []string{"sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90", "sm_100", "sm_103", "sm_110", "sm_120", "sm_121"}

// A hint is a piece of advice: which operations it is for, and which values it has.
type hint struct {
	ops   []*ir.OpDef
	check func(arch string, a ir.Attribute) string // what is wrong; "" if nothing
}

var (
	viewAccess  = []*ir.OpDef{LoadView, StoreView}
	allAccesses = append(viewAccess[:2:2], LoadPtr, StorePtr)

	hints = map[string]hint{
		"num_cta_in_cga": {[]*ir.OpDef{Entry}, func(arch string, a ir.Attribute) string {
			n, ok := intHint(a)
			switch {
			case !ok:
				return "integer value expected for %s"
			case slices.Contains(hintArchs[:5], arch) && n != 1: // before clusters
				return "expected 1 for %s"
			case n < 1 || n > 16 || n&(n-1) != 0:
				return "expected power-of-two ≤ 16 for %s"
			}
			return ""
		}},
		"num_worker_warps_per_cta": {[]*ir.OpDef{Entry}, func(_ string, a ir.Attribute) string {
			n, ok := intHint(a)
			switch {
			case !ok:
				return "integer value expected for %s"
			case n < 1 || n > 32 || n&(n-1) != 0:
				return "expected power-of-two ≤ 32 for %s"
			}
			return ""
		}},
		"occupancy": {[]*ir.OpDef{Entry}, rangeHint(32)},
		"latency":   {allAccesses, rangeHint(10)},
		"allow_tma": {viewAccess, func(_ string, a ir.Attribute) string {
			if !ir.BoolKind.Check(a) {
				return "boolean value expected for %s"
			}
			return ""
		}},
	}
)

// intHint returns the value of an integer that is no boolean.
func intHint(a ir.Attribute) (int64, bool) {
	i, ok := a.(*ir.IntegerAttr)
	if !ok || ir.BoolKind.Check(a) {
		return 0, false
	}
	return i.Value, true
}

func rangeHint(most int64) func(string, ir.Attribute) string {
	return func(_ string, a ir.Attribute) string {
		n, ok := intHint(a)
		switch {
		case !ok:
			return "integer value expected for %s"
		case n < 1 || n > most:
			return fmt.Sprintf("integer value in the range [1, %d] is expected for ", most) + "%s"
		}
		return ""
	}
}

// HintProblems returns what is wrong with the optimization hints of an operation. Hints are advice, so the verifier
// does not look at them; a tool may warn about them or reject them.
func HintProblems(op ir.Op) []string {
	a, ok := op.Attr("optimization_hints").(*HintsAttr)
	if !ok {
		return nil
	}
	var out []string
	for _, arch := range a.Dict.Entries {
		d, ok := arch.Value.(*ir.DictAttr)
		if !ok {
			continue // the verifier rejects it
		}
		if arch.Name != DefaultHints && !slices.Contains(hintArchs, arch.Name) {
			out = append(out, "unknown hint key "+arch.Name)
			continue
		}
		for _, e := range d.Entries {
			h, known := hints[e.Name]
			if !known || !slices.Contains(h.ops, op.Def()) {
				out = append(out, e.Name+" is not known hint for current Operation")
			} else if problem := h.check(arch.Name, e.Value); problem != "" {
				out = append(out, fmt.Sprintf(problem, arch.Name+"."+e.Name))
			}
		}
	}
	return out
}

// HintKeys returns the hints that operations of a row may have, in order.
func HintKeys(def *ir.OpDef) []string {
	var out []string
	for key, h := range hints {
		if slices.Contains(h.ops, def) {
			out = append(out, key)
		}
	}
	sort.Strings(out)
	return out
}

// Hint returns the hint of an operation for an architecture ("sm_90"): its own or else the default one; nil when
// there is none or its value is not valid there.
func Hint(op ir.Op, arch, key string) ir.Attribute {
	a, ok := op.Attr("optimization_hints").(*HintsAttr)
	if !ok {
		return nil
	}
	for _, name := range []string{arch, DefaultHints} {
		d, ok := a.Dict.Get(name).(*ir.DictAttr)
		if !ok {
			continue
		}
		if v := d.Get(key); v != nil {
			if h, known := hints[key]; known && h.check(arch, v) != "" {
				return nil
			}
			return v
		}
	}
	return nil
}

// An UnfitHint is a hint for an architecture that has no meaning there.
type UnfitHint struct {
	Name  string
	Value ir.Attribute
	Why   string // nothing is known of hints of that name if it is empty
}

// UnfitHints returns the hints of an operation that Hint does not return for an architecture.
func UnfitHints(op ir.Op, arch string) []UnfitHint {
	a, ok := op.Attr("optimization_hints").(*HintsAttr)
	if !ok {
		return nil
	}
	var out []UnfitHint
	seen := make(map[string]bool)
	for _, name := range []string{arch, DefaultHints} {
		d, ok := a.Dict.Get(name).(*ir.DictAttr)
		if !ok {
			continue
		}
		for _, e := range d.Entries {
			h, known := hints[e.Name]
			switch {
			case seen[e.Name]:
			case !known || !slices.Contains(h.ops, op.Def()):
				out = append(out, UnfitHint{e.Name, e.Value, ""})
			default:
				if problem := h.check(arch, e.Value); problem != "" {
					out = append(out, UnfitHint{e.Name, e.Value, fmt.Sprintf(problem, arch)})
				}
			}
			seen[e.Name] = true
		}
	}
	return out
}

// SameHints reports whether two optimization hints give the same advice. The text leaves out the types of integers,
// which advice does not depend on.
func SameHints(a, b ir.Attribute) bool {
	x, ok := a.(*HintsAttr)
	y, also := b.(*HintsAttr)
	return ok && also && sameHint(x.Dict, y.Dict)
}

func sameHint(a, b ir.Attribute) bool {
	if a == b {
		return true
	}
	if x, ok := a.(*ir.DictAttr); ok {
		y, ok := b.(*ir.DictAttr)
		return ok && slices.EqualFunc(x.Entries, y.Entries, func(x, y ir.NamedAttr) bool { return x.Name == y.Name && sameHint(x.Value, y.Value) })
	}
	x, ok := intHint(a)
	y, also := intHint(b)
	return ok && also && x == y
}

// IntHint returns an integer hint of an operation for an architecture.
func IntHint(op ir.Op, arch, key string) (int64, bool) { return intHint(Hint(op, arch, key)) }
