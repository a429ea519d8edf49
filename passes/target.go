package passes

// A Target is what passes compile for. It is fixed while a pipeline runs and shared by parallel workers.
type Target struct {
	// GPU is the architecture, as in "sm_90"; empty when none was chosen.
	GPU string
	// OptLevel is the optimisation level, 0 to 3.
	OptLevel int

	values map[any]any
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
