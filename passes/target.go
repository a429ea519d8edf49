package passes

import (
	"fmt"

	"github.com/tilewright/tilewright/target/sm"
)

// DefaultGPU is the architecture that is compiled for when neither a user nor the program names one. Every tool has this default, since a dump of one is
// input of another.
const DefaultGPU = "sm_90"

// A Target is what passes compile for. It is fixed while a pipeline runs and shared by parallel workers.
type Target struct {
	// GPU is the architecture, as in "sm_90"; empty stands for DefaultGPU.
	GPU string
	// OptLevel is the optimisation level, 0 to 3.
	OptLevel int
	// TensorMaps is where kernels have the maps of bulk tensor copies from.
	TensorMaps TensorMaps

	values map[any]any
}

// Arch returns the architecture. The error is that there is none of that name: tools find that out before anything runs, programs that make a Target on their
// own in the first pass that needs to know.
func (t *Target) Arch() (*sm.Arch, error) {
	if t.GPU == "" {
		return sm.Lookup(DefaultGPU)
	}
	return sm.Lookup(t.GPU)
}

// TensorMaps is where kernels have the maps of bulk tensor copies from.
type TensorMaps string

// The ways to have maps.
const (
	NoTensorMaps     TensorMaps = ""       // from nowhere: tiles travel in other ways
	TensorMapParams  TensorMaps = "params" // from hidden parameters, which the launcher makes as the launch description says
	TensorMapsDevice TensorMaps = "device" // a warp of each tile block makes them
)

// Set reads the value of a flag, which has a word for no maps: with Type and String it makes m one (pflag.Value).
func (m *TensorMaps) Set(text string) error {
	switch to := TensorMaps(text); to {
	case "none":
		*m = NoTensorMaps
	case TensorMapParams, TensorMapsDevice:
		*m = to
	default:
		return fmt.Errorf("unknown way to make tensor maps '%s': there are params, device and none", text)
	}
	return nil
}

func (m *TensorMaps) String() string {
	if *m == NoTensorMaps {
		return "none"
	}
	return string(*m)
}

// Type names the kind of the value in a tool's help.
func (m *TensorMaps) Type() string { return "params|device|none" }

// A TargetKey is a typed slot for a value that a tool hands to passes and that this package need not know.
type TargetKey[T any] struct{ name string }

// NewTargetKey declares a slot; call it once per slot, in a package-level variable.
func NewTargetKey[T any](name string) *TargetKey[T] { return &TargetKey[T]{name} }

// Name returns the name of the slot, for messages.
func (k *TargetKey[T]) Name() string { return k.name }

// Set stores the value in the target, before the target is used.
func (k *TargetKey[T]) Set(t *Target, v T) {
	if t.values == nil {
		t.values = make(map[any]any)
	}
	t.values[k] = v
}

// Get returns the value that was set, and whether one was.
func (k *TargetKey[T]) Get(t *Target) (T, bool) {
	v, ok := t.values[k].(T)
	return v, ok
}
