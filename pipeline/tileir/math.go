package tileir

import "github.com/tilewright/tilewright/passes/nvvm/expandmath"

// MathUsage is what the flag --math of all tools says in its help.
const MathUsage = "errors of log, tanh and other functions of f32: `cuda|exact`; within CUDA's bounds, the default, or nearly always rounded correctly, by up to four times the instructions"

// Expanding is the pass that --math is for.
const Expanding = "nvvm-expand-math"

// CheckMath returns an error unless accuracy is a value of --math, or empty.
func CheckMath(accuracy string) error {
	if accuracy == "" {
		return nil
	}
	return new(expandmath.Accuracy).UnmarshalText([]byte(accuracy))
}

// Math adds to options of passes the one that --math stands for; none where it was not given.
func Math(to map[string]string, accuracy string) {
	if accuracy != "" {
		to[Expanding] = "accuracy=" + accuracy
	}
}
