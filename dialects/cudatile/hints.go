package cudatile

import (
	"fmt"
	"sort"

	"github.com/tilewright/tilewright/ir"
)

// DefaultHints is the architecture whose hints hold where an architecture has none of its own.
const DefaultHints = "default"

// hintArchs are the architectures that hints may be given for, apart from DefaultHints.
var hintArchs = []string{"sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90", "sm_100", "sm_103", "sm_110", "sm_120", "sm_121"}

// A hint is a piece of advice: which operations it is for, and which values it has.
type hint struct {
	ops   []string
	check func(arch string, a ir.Attribute) string // what is wrong; "" if nothing
}

var (
	viewAccess  = []string{"load_view_tko", "store_view_tko"}
	allAccesses = append(viewAccess[:2:2], "load_ptr_tko", "store_ptr_tko")

	hints = map[string]hint{
		"num_cta_in_cga": {[]string{"entry"}, func(arch string, a ir.Attribute) string {
			n, ok := intHint(a)
			switch {
			case !ok:
				return "integer value expected for %s"
			case isOneOf(arch, hintArchs[:5]...) && n != 1: // before clusters
				return "expected 1 for %s"
			case n < 1 || n > 16 || n&(n-1) != 0:
				return "expected power-of-two ≤ 16 for %s"
			}
			return ""
		}},
		"num_worker_warps_per_cta": {[]string{"entry"}, func(_ string, a ir.Attribute) string {
			n, ok := intHint(a)
			switch {
			case !ok:
				return "integer value expected for %s"
			case n < 1 || n > 32 || n&(n-1) != 0:
				return "expected power-of-two ≤ 32 for %s"
			}
			return ""
		}},
		"occupancy": {[]string{"entry"}, rangeHint(32)},
		"latency":   {allAccesses, rangeHint(10)},
		"allow_tma": {viewAccess, func(_ string, a ir.Attribute) string {
			if !isAttr[*ir.IntegerAttr](a) || !isBool(a) {
				return "boolean value expected for %s"
			}
			return ""
		}},
	}
)

// intHint returns the value of an integer that is no boolean.
func intHint(a ir.Attribute) (int64, bool) {
	i, ok := a.(*ir.IntegerAttr)
	if !ok || isBool(a) {
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

// HintProblems returns what is wrong with the optimization hints of an operation. Hints are advice, so the verifier does not look at them;
// a tool may warn about them or reject them.
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
		if arch.Name != DefaultHints && !isOneOf(arch.Name, hintArchs...) {
			out = append(out, "unknown hint key "+arch.Name)
			continue
		}
		for _, e := range d.Entries {
			h, known := hints[e.Name]
			if !known || !isAnyOp(op, h.ops...) {
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
		if isOneOf(def.Name, h.ops...) {
			out = append(out, key)
		}
	}
	sort.Strings(out)
	return out
}

// Hint returns the hint of an operation for an architecture ("sm_90"): its own or else the default one; nil when there is none or its value is
// not valid there.
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

// IntHint returns an integer hint of an operation for an architecture.
func IntHint(op ir.Op, arch, key string) (int64, bool) { return intHint(Hint(op, arch, key)) }

// verifyHintsForm checks that hints are dictionaries by architecture.
func verifyHintsForm(op ir.Op) error {
	a, ok := op.Attr("optimization_hints").(*HintsAttr)
	if !ok {
		return nil
	}
	for _, e := range a.Dict.Entries {
		if _, ok := e.Value.(*ir.DictAttr); !ok {
			return op.Errorf("expected dictionary attribute for optimization_hints entry `%s` got value=%s", e.Name, ir.AttrString(e.Value))
		}
	}
	return nil
}
