package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// StateAttr is what the pass manager leaves on the outermost module and on kernels. So IR that was printed half way
// says what it takes to go on:
//
//	tilewright.state = {after = "tileas-assign-layouts", from = "cuda_tile", gpu = "sm_90",
//	                    holds = ["layouts-assigned"], opt_level = 3 : i32, tensor_maps = "params"}
//
// with `options = {"tileas-specialize-warps" = "roles=always"}` where passes have options that a user gave. It is on
// each kernel as well as on the module, because a dump may be of one kernel, and because kernels of one module may
// have got to different points.
const StateAttr = "tilewright.state"

// Tilewright is the dialect of StateAttr. It has no operations.
var Tilewright = &ir.Dialect{Name: "tilewright", VerifyAttr: verifyState,
	Doc: "The attribute tilewright.state of the outermost module and of kernels, which says how far the default pipeline got."}

// A State is how far a default pipeline got with a kernel.
type State struct {
	// GPU and OptLevel are what the kernel is compiled for.
	GPU      string
	OptLevel int
	// TensorMaps is where it has its tensor maps from; AutoTensorMaps: the target has none.
	TensorMaps TensorMaps
	// From is the level that the pipeline started from, and After its last step that ran on the kernel; "" when no
	// default pipeline ran.
	From, After string
	// Options are those that passes have from the user, by the name of the pass, as text. They are what a dump needs
	// to end as the run that it is of.
	Options map[string]string
	// Holds names the properties that the kernel has.
	Holds []string
}

// The keys of the dictionary.
const (
	stateAfter = "after"
	stateFrom  = "from"
	stateGPU   = "gpu"
	stateHolds = "holds"
	stateOpt   = "opt_level"
	stateMaps  = "tensor_maps"
	stateOpts  = "options"
)

// SetState says on op how far it got.
func SetState(op ir.Op, s State) {
	c := op.Context()
	entries := []ir.NamedAttr{{Name: stateGPU, Value: c.String(s.GPU)}, {Name: stateOpt, Value: c.IntAttr(c.Int(32), int64(s.OptLevel))}}
	if s.After != "" {
		entries = append(entries, ir.NamedAttr{Name: stateAfter, Value: c.String(s.After)}, ir.NamedAttr{Name: stateFrom, Value: c.String(s.From)})
	}
	if len(s.Holds) > 0 {
		holds := make([]ir.Attribute, len(s.Holds))
		for i, name := range s.Holds {
			holds[i] = c.String(name)
		}
		entries = append(entries, ir.NamedAttr{Name: stateHolds, Value: c.Array(holds...)})
	}
	if s.TensorMaps != AutoTensorMaps {
		entries = append(entries, ir.NamedAttr{Name: stateMaps, Value: c.String(string(s.TensorMaps))})
	}
	if len(s.Options) > 0 {
		var options []ir.NamedAttr
		for _, pass := range slices.Sorted(maps.Keys(s.Options)) {
			options = append(options, ir.NamedAttr{Name: pass, Value: c.String(s.Options[pass])})
		}
		entries = append(entries, ir.NamedAttr{Name: stateOpts, Value: c.Dict(options...)})
	}
	op.SetAttr(StateAttr, c.Dict(entries...))
}

// StateOf returns what op says of itself, and whether it says anything. It must have been verified.
func StateOf(op ir.Op) (State, bool) {
	d, ok := op.DiscardableAttrs().Get(StateAttr).(*ir.DictAttr)
	if !ok {
		return State{}, false
	}
	var s State
	for _, e := range d.Entries {
		switch v := e.Value.(type) {
		case *ir.StringAttr:
			switch e.Name {
			case stateAfter:
				s.After = v.Value
			case stateFrom:
				s.From = v.Value
			case stateGPU:
				s.GPU = v.Value
			case stateMaps:
				s.TensorMaps = TensorMaps(v.Value)
			}
		case *ir.IntegerAttr:
			s.OptLevel = int(v.Value)
		case *ir.DictAttr:
			s.Options = make(map[string]string)
			for _, o := range v.Entries {
				if text, ok := o.Value.(*ir.StringAttr); ok {
					s.Options[o.Name] = text.Value
				}
			}
		case *ir.ArrayAttr:
			for _, name := range v.Elems {
				if name, ok := name.(*ir.StringAttr); ok {
					s.Holds = append(s.Holds, name.Value)
				}
			}
		}
	}
	return s, true
}

// verifyState checks the form. Whether it is true is for those to find out who go by it.
func verifyState(op ir.Op, name string, a ir.Attribute) error {
	if name != StateAttr {
		return nil
	}
	d, ok := a.(*ir.DictAttr)
	if !ok {
		return op.Errorf("attribute '%s' must be a dictionary, but got %s", name, ir.AttrString(a))
	}
	for _, key := range []string{stateGPU, stateOpt} {
		if d.Get(key) == nil {
			return op.Errorf("attribute '%s' has no '%s'", name, key)
		}
	}
	if (d.Get(stateAfter) == nil) != (d.Get(stateFrom) == nil) {
		return op.Errorf("attribute '%s' must have both '%s' and '%s', or neither", name, stateAfter, stateFrom)
	}
	for _, e := range d.Entries {
		if err := stateEntry(e); err != nil {
			return op.Errorf("attribute '%s' %v", name, err)
		}
	}
	return nil
}

func stateEntry(e ir.NamedAttr) error {
	switch e.Name {
	case stateAfter, stateFrom, stateGPU:
		if s, ok := e.Value.(*ir.StringAttr); !ok || s.Value == "" {
			return fmt.Errorf("must have a name as '%s', but has %s", e.Name, ir.AttrString(e.Value))
		}
		return nil
	case stateMaps:
		if s, ok := e.Value.(*ir.StringAttr); !ok || !TensorMaps(s.Value).Known() {
			return fmt.Errorf("must have one of %s as '%s', but has %s", strings.Join(tensorMapWords, ", "), e.Name, ir.AttrString(e.Value))
		}
		return nil
	case stateOpts:
		options, ok := e.Value.(*ir.DictAttr)
		if !ok || slices.ContainsFunc(options.Entries, func(o ir.NamedAttr) bool { _, isString := o.Value.(*ir.StringAttr); return !isString }) {
			return fmt.Errorf("must have a dictionary of texts as '%s', but has %s", e.Name, ir.AttrString(e.Value))
		}
		return nil
	case stateOpt:
		if err := number(0, 3)(e.Value); err != nil {
			return fmt.Errorf("has an '%s' that %v", e.Name, err)
		}
		return nil
	case stateHolds:
		list, ok := e.Value.(*ir.ArrayAttr)
		if !ok || slices.ContainsFunc(list.Elems, func(a ir.Attribute) bool { _, isString := a.(*ir.StringAttr); return !isString }) {
			return fmt.Errorf("must have a list of names as '%s', but has %s", e.Name, ir.AttrString(e.Value))
		}
		return nil
	}
	known := []string{stateAfter, stateFrom, stateGPU, stateHolds, stateOpt, stateOpts, stateMaps}
	return fmt.Errorf("has an entry '%s'; there is %s", e.Name, strings.Join(known, ", "))
}
