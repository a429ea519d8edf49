package contract

import (
	"fmt"
	"slices"
	"strings"
)

// TensorMaps says where kernels have the tensor maps of TMA copies from.
type TensorMaps string

// The ways to have maps.
const (
	AutoTensorMaps   TensorMaps = ""       // as the IR says, or else DefaultTensorMaps
	NoTensorMaps     TensorMaps = "none"   // from nowhere: tiles are transferred in other ways
	TensorMapParams  TensorMaps = "params" // from hidden parameters, which the launcher makes as the launch description says
	TensorMapsDevice TensorMaps = "device" // a warp of each CTA makes them
)

// DefaultTensorMaps is what tools do by default. The drop-in compiler sets another value: its clients launch with the
// program's arguments alone.
const DefaultTensorMaps = TensorMapParams

const autoWord = "auto"

var tensorMapWords = []string{string(TensorMapParams), string(TensorMapsDevice), string(NoTensorMaps)}

// Known reports whether m is a way that is decided.
func (m TensorMaps) Known() bool { return slices.Contains(tensorMapWords, string(m)) }

// Set reads the value of a flag, which has a word for what is left open: with Type and String it makes m one
// (pflag.Value).
func (m *TensorMaps) Set(text string) error {
	to := TensorMaps(text)
	if text == autoWord {
		to = AutoTensorMaps
	} else if !to.Known() {
		return fmt.Errorf("unknown way to make tensor maps '%s': there are %s and %s", text, strings.Join(tensorMapWords, ", "), autoWord)
	}
	*m = to
	return nil
}

func (m *TensorMaps) String() string {
	if *m == AutoTensorMaps {
		return autoWord
	}
	return string(*m)
}

// Type names the kind of the value in a tool's help.
func (m *TensorMaps) Type() string {
	return strings.Join(append(slices.Clone(tensorMapWords), autoWord), "|")
}

// TensorMapsUsage is what the flag of all tools says in its help.
const TensorMapsUsage = "who makes tensor maps, on targets with TMA: the launcher, as hidden parameters, the device, or nobody; auto: as the input says, else "
