package confirm

import (
	"context"
	"fmt"

	"github.com/tilewright/tilewright/target/engine/emulate"
)

// steps bounds what a probe executes in the emulator, in warp instructions.
const steps = 1 << 24

// Expected is the answer of the emulator.
func Expected(ctx context.Context, l *Launch) ([]byte, error) {
	e, err := emulate.New("probe", l.PTX)
	if err != nil {
		return nil, err
	}
	e.Block, e.DynamicShared, e.TensorMaps, e.MaxSteps, e.AllowUninitialized = l.Block, l.Shared, l.Maps, steps, true
	req := l.Request.Clone()
	if err := e.Run(ctx, req); err != nil {
		return nil, fmt.Errorf("in the emulator: %w", err)
	}
	return l.Answer(req), nil
}
