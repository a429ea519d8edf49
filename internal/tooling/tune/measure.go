package tune

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/tilewright/tilewright/internal/leaf/cache"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// launches is how many a GPU times of a configuration; the median counts.
const launches = 20

// A GPU loads the code of an engine. Package tune/gpu has one.
type GPU func(e *emulate.Engine) (Loaded, error)

// Loaded is code on a GPU.
type Loaded interface {
	Device() (name, arch string, driver int, err error)
	// Time launches once, and then as often as it is told to time launches.
	Time(ctx context.Context, req *launch.Request, launches int) (median time.Duration, err error)
	Close() error
}

// A measurement is the time that a GPU takes.
type measurement struct {
	Microseconds float64 `json:"microseconds"`
	Launches     int     `json:"launches"`
}

// Measure has a GPU time the k best of a result, and ranks those anew. Times are kept in the cache by device and
// version of the driver too. A result with measurements differs from run to run, unless they are from a cache.
func (o *Oracle) Measure(ctx context.Context, gpu GPU, r *Result, k int) error {
	n := 0
	for n < min(k, len(r.Ranked)) && r.Ranked[n].State == Estimated {
		n++
	}
	for i := range r.Ranked[:n] {
		row := &r.Ranked[i]
		m, device, err := o.measure(ctx, gpu, row.Configuration)
		if err != nil {
			return fmt.Errorf("measuring '%s': %w", row.Name, err)
		}
		r.MeasuredOn, row.Measured, row.Launches = device, m.Microseconds, m.Launches
	}
	slices.SortStableFunc(r.Ranked[:n], func(a, b Row) int { return cmp.Compare(a.Measured, b.Measured) })
	r.Best = r.Ranked[0].Configuration
	return nil
}

func (o *Oracle) measure(ctx context.Context, gpu GPU, configuration int) (m measurement, device string, err error) {
	c := o.Configs[configuration]
	code := &o.codes[configuration]
	code.held <- struct{}{}
	defer func() { <-code.held }()
	e, err := code.engine(ctx, o, c)
	if err != nil {
		return m, "", err
	}
	on, err := gpu(e)
	if err != nil {
		return m, "", err
	}
	defer on.Close()
	name, arch, driver, err := on.Device()
	if err != nil {
		return m, "", err
	}
	if arch != o.Device.Arch.Name {
		return m, "", fmt.Errorf("the GPU is %s, and the search is for %s (%s)", name, o.Device.Chip.Name, o.Device.Arch)
	}
	device = fmt.Sprintf("%s, driver %d", name, driver)
	key := cache.KeyOf("tune measured", device, o.Key(Question{Estimate, configuration}).String())
	if o.Cache != nil {
		if kept := o.Cache.Get(key); kept != nil && json.Unmarshal(kept.Files[answerFile], &m) == nil {
			return m, device, nil
		}
	}
	median, err := on.Time(ctx, c.own(code.entry), launches)
	if err != nil {
		return m, "", err
	}
	m = measurement{round(float64(median.Nanoseconds()) / 1000), launches}
	if o.Cache != nil {
		if text, err := json.Marshal(m); err == nil {
			o.Cache.Put(key, &cache.Result{Files: map[string][]byte{answerFile: text}})
		}
	}
	return m, device, nil
}

// own is a launch whose buffers may be changed.
func (c *Config) own(entry string) *launch.Request {
	req := c.request(entry)
	req.Args = slices.Clone(req.Args)
	clones := make(map[*launch.Buffer]*launch.Buffer)
	for i, a := range req.Args {
		if b := a.Buffer; b != nil {
			if clones[b] == nil {
				clones[b] = b.Clone()
			}
			req.Args[i].Buffer = clones[b]
		}
	}
	return req
}
