package passes

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/target/sm"
)

// DefaultGPU is the architecture that is compiled for when neither a user nor the program names one. Every tool has
// this default, since a dump of one is input of another.
const DefaultGPU = "sm_90"

// A Target is what passes compile for. It is fixed while a pipeline runs and shared by parallel workers.
type Target struct {
	// GPU is the architecture, as in "sm_90"; empty stands for DefaultGPU.
	GPU string
	// OptLevel is the optimisation level, 0 to 3.
	OptLevel int
	// TensorMaps says where kernels get the tensor maps of TMA from; Maps resolves the default.
	TensorMaps contract.TensorMaps

	values map[any]any
}

// Arch returns the architecture, or an error if there is none of that name. Tools find that out before anything
// runs; programs that build a Target themselves in the first pass that asks.
func (t *Target) Arch() (*sm.Arch, error) {
	if t.GPU == "" {
		return sm.Lookup(DefaultGPU)
	}
	return sm.Lookup(t.GPU)
}

// HasTensorMaps reports whether the architecture has TMA.
func (t *Target) HasTensorMaps() bool {
	arch, err := t.Arch()
	return err == nil && arch.Has(sm.TMALoad)
}

// Maps returns where kernels get the tensor maps of TMA from: nowhere, on architectures without TMA.
func (t *Target) Maps() contract.TensorMaps {
	// A target without TMA has no maps, whatever an option says.
	switch {
	case !t.HasTensorMaps():
		return contract.NoTensorMaps
	case t.TensorMaps == contract.AutoTensorMaps:
		return contract.DefaultTensorMaps
	}
	return t.TensorMaps
}

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

// OnArch returns Pass.Run of a pass that asks for the target's machine.
func OnArch(run func(r *Run, arch *sm.Arch) error) func(*Run) error {
	return func(r *Run) error {
		arch, err := r.Target.Arch()
		if err != nil {
			return err
		}
		return run(r, arch)
	}
}

// OnMachine returns Pass.Run of a pass on kernels that asks for the machine, and for how many warps a kernel has.
func OnMachine(run func(r *Run, arch *sm.Arch, warps int) error) func(*Run) error {
	return OnArch(func(r *Run, arch *sm.Arch) error {
		warps, err := contract.NumWarpsOf(r.Op)
		if err != nil {
			return err
		}
		return run(r, arch, warps)
	})
}
