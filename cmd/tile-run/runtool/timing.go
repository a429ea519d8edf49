package runtool

import (
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/target/engine/cuda"
)

// A timing says how long a kernel takes on a GPU. The rates are there when the case says what a launch moves and
// computes.
type timing struct {
	Device   string  `json:"device"`
	Launches int     `json:"launches"`
	Median   float64 `json:"median_s"`
	Least    float64 `json:"min_s"`
	GBs      float64 `json:"gb_per_s,omitempty"`
	TFLOPs   float64 `json:"tflop_per_s,omitempty"`
}

// timingOf returns the timing of an engine's last run; nil when none was asked for.
func timingOf(e *cuda.Engine, t *task) *timing {
	median := e.Median().Seconds()
	if median == 0 {
		return nil
	}
	out := &timing{Launches: len(e.Times), Median: median, Least: median, GBs: t.bytes / median * 1e-9, TFLOPs: t.flops / median * 1e-12}
	for _, d := range e.Times {
		out.Least = min(out.Least, d.Seconds())
	}
	if d, err := e.Device(); err == nil {
		out.Device = d.String()
	}
	return out
}

func (t *timing) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: median %.1f us of %d launches, least %.1f us", t.Device, t.Median*1e6, t.Launches, t.Least*1e6)
	if t.GBs > 0 {
		fmt.Fprintf(&b, ", %.1f GB/s", t.GBs)
	}
	if t.TFLOPs > 0 {
		fmt.Fprintf(&b, ", %.2f TFLOP/s", t.TFLOPs)
	}
	return b.String()
}
