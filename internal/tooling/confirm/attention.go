package confirm

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"math"
	"text/template"

	"github.com/tilewright/tilewright/target/engine/launch"
)

//go:embed kernels/attention.mlir
var attentionText string

var attentionTemplate = template.Must(template.New("attention").Parse(attentionText))

// attentions are those that are timed: heads, the length of a sequence, and the extent of a head, of f16. No library has
// a peer that needs nothing but the driver, so they have times alone.
var attentions = []struct{ heads, length, extent int }{{64, 1024, 64}, {64, 1024, 128}, {32, 4096, 64}, {32, 4096, 128}}

const (
	attentionTile          = 128 // of queries and of keys
	attentionStandInLength = 256
)

func (s Source) attentionProbes() (out []*Probe) {
	for _, x := range attentions {
		id := fmt.Sprintf("attention of f16, %d heads of %d x %d", x.heads, x.length, x.extent)
		if s.StandIn {
			x.heads, x.length = 1, attentionStandInLength
		}
		out = append(out, &Probe{ID: name(Kernels, id), Kind: Kernels, Look: "docs/measurements", judge: judge{figure: true},
			Means: "The time of a compiled attention.",
			flops: 4 * float64(x.heads) * float64(x.length) * float64(x.length) * float64(x.extent),
			make: func(ctx context.Context, t Target) (*Launch, error) {
				var text bytes.Buffer
				if err := attentionTemplate.Execute(&text, map[string]any{"Heads": x.heads, "Length": x.length, "D": x.extent, "B": attentionTile,
					"Blocks": x.length / attentionTile, "Head": x.length * x.extent, "Scale": math.Log2E / math.Sqrt(float64(x.extent))}); err != nil {
					return nil, err
				}
				args := make([]launch.Arg, 4)
				for a := range args {
					data := exactData(launch.F16, x.heads*x.length*x.extent, a)
					args[a].Buffer = &launch.Buffer{DType: launch.F16, Shape: []int{x.heads, x.length, x.extent}, Data: data}
				}
				req := &launch.Request{Entry: "attention", Grid: [3]uint32{uint32(x.length / attentionTile), uint32(x.heads), 1}, Args: args}
				return timedLaunch(ctx, text.Bytes(), req, t)
			}})
	}
	return out
}
