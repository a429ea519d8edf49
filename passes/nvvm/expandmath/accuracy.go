package expandmath

import (
	"fmt"
	"slices"
)

// Options are the options of the pass.
type Options struct {
	Accuracy Accuracy `opt:"accuracy" help:"errors of functions of f32: cuda, within CUDA's bounds, or exact, nearly always rounded correctly"`
}

// An Accuracy says how large the errors of functions of f32 may be.
type Accuracy int

// Both keep special values: infinities, NaN, signed zeros and subnormal numbers.
const (
	CUDA  Accuracy = iota // within the bounds that CUDA publishes: 1 to 4 ulp
	Exact                 // rounded correctly but for some ten results in a million, where there is such a method
)

var accuracyNames = []string{CUDA: "cuda", Exact: "exact"}

func (a Accuracy) String() string { return accuracyNames[a] }

// MarshalText and UnmarshalText make it the type of an option.
func (a Accuracy) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

func (a *Accuracy) UnmarshalText(text []byte) error {
	i := slices.Index(accuracyNames, string(text))
	if i < 0 {
		return fmt.Errorf("'%s' is none of %v", text, accuracyNames)
	}
	*a = Accuracy(i)
	return nil
}
