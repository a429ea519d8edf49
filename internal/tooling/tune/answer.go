package tune

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/internal/leaf/cache"
	"github.com/tilewright/tilewright/passes/convert/nvvmtoptx"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
)

// A Device is what configurations are timed on.
type Device struct {
	Chip   *sm.Chip
	Arch   *sm.Arch
	MHz    float64 // of the SMs; 0: the clock of the chip's peaks
	Warm   bool    // the L2 cache holds what an earlier launch left there
	Events bool    // events around a launch take the time
	// PTXAS takes registers from ptxas, which must be there.
	PTXAS bool
	// Version stands for the program and, with PTXAS, for ptxas, in keys of the cache.
	Version string
}

func (d *Device) key() string {
	return fmt.Sprintf("%s %s %g %t %t %t %s", d.Chip.Name, d.Arch.Name, d.MHz, d.Warm, d.Events, d.PTXAS, d.Version)
}

// The kinds of questions.
const (
	Screen   = "screen"
	Estimate = "estimate"
	Class    = "class"
)

// A Question is about one configuration.
type Question struct {
	Kind          string `json:"kind"`
	Configuration int    `json:"configuration"`
}

// String spells a question as ParseQuestion reads it.
func (q Question) String() string { return fmt.Sprintf("%s:%d", q.Kind, q.Configuration) }

// An Answer is what is known of a configuration. Times are estimates, in microseconds without the launch.
type Answer struct {
	// Wrong says why the configuration cannot be used.
	Wrong string `json:"wrong,omitempty"`

	Microseconds float64 `json:"microseconds,omitempty"` // the least ones, of a screen
	Launch       float64 `json:"launch_microseconds,omitempty"`
	Bound        string  `json:"bound,omitempty"` // "memory" or "compute"
	Registers    int     `json:"registers,omitempty"`
	Spills       bool    `json:"may_spill,omitempty"`
	Shared       int     `json:"shared_bytes,omitempty"`
	Warps        int     `json:"warps,omitempty"`
	Resident     int     `json:"resident,omitempty"`

	// Class is the numerics class: configurations of one class make the same sums in the same order, see classOf.
	// Unordered says that float atomics decide the order of sums, so that
	// two launches of the same code may differ.
	Class string `json:"class,omitempty"`
}

// What stands in the place of a class.
const (
	Unordered = "unordered" // float atomics decide the order of sums
	Unknown   = "unknown"   // a tile block does not run alone
)

// An Oracle answers questions on this machine.
type Oracle struct {
	Device  *Device
	Configs []*Config
	// Cache keeps answers and compiled code; nil: nothing does.
	Cache *cache.Cache

	codes []code // of the configurations
}

// NewOracle returns what answers questions about configurations.
func NewOracle(d *Device, configs []*Config, kept *cache.Cache) *Oracle {
	o := &Oracle{Device: d, Configs: configs, Cache: kept, codes: make([]code, len(configs))}
	for i := range o.codes {
		o.codes[i].held = make(chan struct{}, 1)
	}
	return o
}

// Key stands for a question and everything that its answer depends on.
func (o *Oracle) Key(q Question) cache.Key {
	c := o.Configs[q.Configuration]
	device := o.Device.key()
	if q.Kind == Class {
		device = o.Device.Arch.Name + " " + o.Device.Version
	}
	return cache.KeyOf("tune", q.Kind, device, string(c.Module), c.Entry, fmt.Sprint(c.Grid), strings.Join(c.Args, "\x00"), c.data, c.Plan)
}

const answerFile = "answer"

// Answer answers a question by so many workers. An error says that nothing is known: that the search was canceled.
func (o *Oracle) Answer(ctx context.Context, q Question, workers int) (*Answer, error) {
	var key cache.Key
	if o.Cache != nil {
		key = o.Key(q)
		if r := o.Cache.Get(key); r != nil {
			if a := new(Answer); json.Unmarshal(r.Files[answerFile], a) == nil {
				return a, nil
			}
		}
	}
	a := o.answer(ctx, q, workers)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if o.Cache != nil {
		if text, err := json.Marshal(a); err == nil {
			o.Cache.Put(key, &cache.Result{Files: map[string][]byte{answerFile: text}})
		}
	}
	return a, nil
}

func (o *Oracle) answer(ctx context.Context, q Question, workers int) *Answer {
	code := &o.codes[q.Configuration]
	code.held <- struct{}{} // one question about a configuration at a time: they share its engine
	defer func() { <-code.held }()
	c := o.Configs[q.Configuration]
	e, err := code.engine(ctx, o, c)
	if err != nil {
		return &Answer{Wrong: err.Error()}
	}
	if q.Kind == Class {
		class, err := classOf(ctx, e, c, c.request(code.entry))
		if err != nil {
			return &Answer{Wrong: err.Error()}
		}
		return &Answer{Class: class}
	}
	where := emulate.Where{Chip: o.Device.Chip, Arch: o.Device.Arch, MHz: o.Device.MHz, Warm: o.Device.Warm, Events: o.Device.Events, Kept: &code.kept, Workers: workers}
	spills := false
	if o.Device.PTXAS {
		where.Code = ptxas.Machine(ctx, e.Source(), e.Target(), code.entry)
		if spills = where.Code.Spills > 0; where.Code.Registers == 0 {
			return &Answer{Wrong: "ptxas does not take it"}
		}
	}
	time := e.Sample
	if q.Kind == Screen {
		time = e.Least
	}
	t, err := time(ctx, c.request(code.entry), where)
	if err != nil {
		return &Answer{Wrong: err.Error()}
	}
	if n, _ := o.Device.Arch.ResidentCTAs(t.Warps, t.Registers, t.SharedBytes); n == 0 || t.SharedBytes > o.Device.Arch.Shared.PerCTA {
		return &Answer{Wrong: fmt.Sprintf("an SM of %s does not hold a tile block with %d registers a thread and %d bytes of shared memory", o.Device.Arch, t.Registers, t.SharedBytes)}
	}
	return &Answer{Microseconds: t.Microseconds, Launch: t.LaunchMicroseconds, Bound: t.Roofline.Bound, Registers: t.Registers, Spills: spills || t.MaySpill, Shared: t.SharedBytes,
		Warps: t.Warps, Resident: t.Resident}
}

// Launches reads the launches that a list or a folder has (Read), for those who estimate them in their own way. Nobody
// may change their buffers.
func Launches(path string) (list []*launch.Request, err error) {
	configs, err := Read(path)
	for _, c := range configs {
		list = append(list, c.request(c.Entry))
	}
	return list, err
}

// request is a launch of the configuration, whose buffers nobody may change.
func (c *Config) request(entry string) *launch.Request {
	return &launch.Request{Entry: entry, Grid: c.Grid, Args: c.args}
}

// A code is a configuration, compiled when it is first asked about.
type code struct {
	held  chan struct{}
	e     *emulate.Engine
	entry string
	err   error
	made  bool
	kept  emulate.Kept
}

func (k *code) engine(ctx context.Context, o *Oracle, c *Config) (*emulate.Engine, error) {
	if !k.made {
		k.e, k.entry, k.err = o.compile(ctx, c)
		k.made = ctx.Err() == nil
	}
	return k.e, k.err
}

// The files of a module that was compiled.
const (
	ptxFile    = "ptx"
	launchFile = "launch"
)

// compile compiles the module of a configuration, and names the entry. PTX stays as it is.
func (o *Oracle) compile(ctx context.Context, c *Config) (*emulate.Engine, string, error) {
	result, err := o.code(ctx, c)
	if err != nil {
		return nil, "", err
	}
	e, err := emulate.New("<PTX of "+c.File+">", result.PTX)
	if err != nil {
		return nil, "", err
	}
	entry := c.Entry
	if list := e.Entries(); entry == "" && len(list) == 1 {
		entry = list[0].Name
	} else if entry == "" {
		return nil, "", fmt.Errorf("'%s' has %d entries, expected the name of one", c.File, len(list))
	}
	result.Describe(e, entry)
	e.MaxSteps = maxSteps
	return e, entry, nil
}

// maxSteps bounds the warp instructions of a tile block: some hundred times those of the longest GEMMs, and seconds of a
// kernel that does not end.
const maxSteps = 1 << 24

// code is the PTX of a configuration, and how it is launched.
func (o *Oracle) code(ctx context.Context, c *Config) (*compile.Result, error) {
	if emulate.IsPTX(c.Module) {
		return &compile.Result{PTX: c.Module}, nil
	}
	key := cache.KeyOf("tune code", o.Device.Arch.Name, o.Device.Version, string(c.Module), c.Plan)
	if o.Cache != nil {
		if r := o.Cache.Get(key); r != nil {
			l := new(nvvmtoptx.Launch)
			if json.Unmarshal(r.Files[launchFile], l) == nil {
				return &compile.Result{PTX: r.Files[ptxFile], Launch: l}, nil
			}
		}
	}
	in := tileir.NewContext()
	var said strings.Builder
	in.Diag.Push(in.Diag.PrintTo(&said))
	module, err := tileir.Read(in, c.File, c.Module)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, strings.TrimSpace(said.String()))
	}
	result, err := compile.To(ctx, module, compile.Options{GPU: o.Device.Arch.Name, OptLevel: 3, Kernels: c.plans, NoVerify: true}) // what is compiled to be used is verified
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, strings.TrimSpace(said.String()))
	}
	if o.Cache != nil {
		if l, err := result.Launch.Bytes(); err == nil {
			o.Cache.Put(key, &cache.Result{Files: map[string][]byte{ptxFile: result.PTX, launchFile: l}})
		}
	}
	return result, nil
}
