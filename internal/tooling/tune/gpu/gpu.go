// Package gpu times configurations for package tune on a GPU. It is apart, so that programs that read configurations
// alone do not need the CUDA driver's loader, for which a program must be linked dynamically.
package gpu

import (
	"context"
	"time"

	"github.com/tilewright/tilewright/internal/tooling/tune"
	"github.com/tilewright/tilewright/target/engine/cuda"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// Of returns the GPU that a library drives.
func Of(l *cuda.Library) tune.GPU {
	return func(e *emulate.Engine) (tune.Loaded, error) {
		on, err := l.New(e.Source())
		if err != nil {
			return nil, err
		}
		on.Block, on.DynamicShared, on.TensorMaps = e.Block, e.DynamicShared, e.TensorMaps
		return loaded{on}, nil
	}
}

type loaded struct{ *cuda.Engine }

// Device implements tune.Loaded.
func (l loaded) Device() (name, arch string, driver int, err error) {
	d, err := l.Engine.Device()
	if err != nil {
		return "", "", 0, err
	}
	return d.String(), d.Arch(), d.Driver, nil
}

// Time implements tune.Loaded.
func (l loaded) Time(ctx context.Context, req *launch.Request, launches int) (median time.Duration, err error) {
	l.Repeat = launches
	err = l.Run(ctx, req)
	return l.Median(), err
}
