package cuda

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/tensormap"
)

// Engine runs the entries of one PTX module or cubin on the first device. It runs one launch at a time.
type Engine struct {
	// Block is the shape of the thread block. All zero: as many threads in a row as the entry takes at most, which is
	// what it demands if it has the directive .reqntid.
	Block [3]uint32
	// DynamicShared is the dynamic shared memory of a launch, in bytes.
	DynamicShared uint32
	// TensorMaps are what the hidden parameters of the entry are made of, after those that a launch gives.
	TensorMaps []tensormap.Map
	// Repeat is how many further launches are timed.
	Repeat int
	// Times are the durations of the timed launches of the last Run, in order.
	Times []time.Duration

	driver *driver
	device int32
	ctx    uintptr
	image  []byte

	mu sync.Mutex
}

// A Library is a driver: NVIDIA's, or a StandIn.
type Library struct {
	driver *driver
	blas   func() (*blas, error) // nil: there is none
}

// Open loads NVIDIA's driver library. It fails with ErrNoDriver where there is none.
func Open() (*Library, error) {
	d, err := open()
	if err != nil {
		return nil, err
	}
	return &Library{d, openBLAS}, nil
}

// New prepares PTX or a cubin for launches on the first device. Close releases the device, which engines share.
func (l *Library) New(image []byte) (*Engine, error) { return newEngine(l.driver, image) }

// New is Open followed by Library.New.
func New(image []byte) (*Engine, error) {
	l, err := Open()
	if err != nil {
		return nil, err
	}
	return l.New(image)
}

func newEngine(d *driver, image []byte) (*Engine, error) {
	// The driver reads PTX up to a zero.
	e := &Engine{driver: d, image: append(bytes.Clone(image), 0)}
	if err := d.check("initialising CUDA", d.init(0)); err != nil {
		return nil, err
	}
	if err := d.check("finding a CUDA device", d.deviceGet(&e.device, 0)); err != nil {
		return nil, err
	}
	if err := d.check("opening the CUDA device", d.primaryRetain(&e.ctx, e.device)); err != nil {
		return nil, err
	}
	return e, nil
}

// Close releases the device.
func (e *Engine) Close() error {
	return e.driver.check("releasing the CUDA device", e.driver.primaryRelease(e.device))
}

// A Device is what the driver says about the device and itself.
type Device struct {
	Name         string
	Major, Minor int // the compute capability: 9, 0 for sm_90
	SMs          int
	ClockKHz     int // the highest clock of an SM; 0 where the driver no longer says it
	Driver       int // the version of CUDA that the driver supports: 12080 for 12.8
}

// String names the device and its architecture.
func (d *Device) String() string { return fmt.Sprintf("%s (%s)", d.Name, d.Arch()) }

// Arch is the name of its architecture: sm_90.
func (d *Device) Arch() string { return fmt.Sprintf("sm_%d%d", d.Major, d.Minor) }

// Device asks the driver about the device.
func (e *Engine) Device() (*Device, error) {
	var text [256]byte
	var numbers [4]int32
	var version int32
	d := e.driver
	err := errors.Join(
		d.check("naming the CUDA device", d.deviceName(&text[0], int32(len(text)), e.device)),
		d.check("reading the compute capability", d.deviceAttribute(&numbers[0], computeCapabilityMajor, e.device)),
		d.check("reading the compute capability", d.deviceAttribute(&numbers[1], computeCapabilityMinor, e.device)),
		d.check("reading the number of SMs", d.deviceAttribute(&numbers[2], multiprocessors, e.device)),
		d.check("reading the version of the driver", d.driverVersion(&version)),
	)
	if err != nil {
		return nil, err
	}
	if d.deviceAttribute(&numbers[3], clockRate, e.device) != 0 {
		numbers[3] = 0
	}
	end := bytes.IndexByte(text[:], 0)
	if end < 0 {
		end = len(text)
	}
	return &Device{string(text[:end]), int(numbers[0]), int(numbers[1]), int(numbers[2]), int(numbers[3]), int(version)}, nil
}

// Run implements launch.Engine. A launch cannot be stopped: ctx is looked at between launches. After a fault the
// device's context is lost, and every later call fails.
func (e *Engine) Run(ctx context.Context, req *launch.Request) error {
	if err := errors.Join(req.Validate(), req.OwnAddresses()); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := e.driver.check("using the CUDA device", e.driver.ctxSetCurrent(e.ctx)); err != nil {
		return err
	}
	module, err := e.load()
	if err != nil {
		return err
	}
	defer e.driver.moduleUnload(module) // its error would hide that of the launch
	k, err := e.kernel(module, req)
	if err != nil {
		return err
	}
	return e.run(ctx, k, req)
}

// load loads the image, and passes on what the compiler in the driver says if it rejects it.
func (e *Engine) load() (module uintptr, err error) {
	log := make([]byte, 8192)
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&log[0])
	keys := []int32{jitErrorLogBuffer, jitErrorLogBufferSize}
	values := []uintptr{addressOf(&log[0]), uintptr(len(log))}
	err = e.driver.check("loading the module", e.driver.moduleLoad(&module, &e.image[0], uint32(len(keys)), &keys[0], &values[0]))
	if end := bytes.IndexByte(log, 0); err != nil && end > 0 {
		err = fmt.Errorf("%w\n%s", err, bytes.TrimSpace(log[:end]))
	}
	if err != nil {
		err = &Rejection{err}
	}
	return module, err
}

// A Rejection is the error of a module that the driver does not take. The device is as before.
type Rejection struct{ err error }

// Error implements error.
func (r *Rejection) Error() string { return r.err.Error() }

// Unwrap returns the driver's error.
func (r *Rejection) Unwrap() error { return r.err }

// A kernel is an entry with its launch shape.
type kernel struct {
	function uintptr
	block    [3]uint32
}

func (e *Engine) kernel(module uintptr, req *launch.Request) (*kernel, error) {
	k := &kernel{block: e.Block}
	name := append([]byte(req.Entry), 0)
	if err := e.driver.check("finding entry '"+req.Entry+"'", e.driver.moduleFunction(&k.function, module, &name[0])); err != nil {
		return nil, err
	}
	if k.block == [3]uint32{} {
		var threads int32
		if err := e.driver.check("reading the block size", e.driver.functionAttribute(&threads, maxThreadsPerBlock, k.function)); err != nil {
			return nil, err
		}
		k.block = [3]uint32{uint32(threads), 1, 1}
	}
	if e.clusterOf(k.function) > portableCluster {
		if err := e.driver.check("allowing clusters of that size", e.driver.functionSet(k.function, nonPortableCluster, 1)); err != nil {
			return nil, err
		}
	}
	if e.DynamicShared > 0 {
		if err := e.driver.check("reserving shared memory", e.driver.functionSet(k.function, maxDynamicSharedMemory, int32(e.DynamicShared))); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// portableCluster is the most CTAs of a cluster that a launch may have without asking (CUDA C++ Programming Guide,
// "Thread Block Clusters").
const portableCluster = 8

// clusterOf returns the CTAs of a cluster that a kernel requires; 1 for one that requires none, and where the driver
// is older than clusters.
func (e *Engine) clusterOf(function uintptr) int {
	n := 1
	for _, extent := range []int32{requiredClusterWidth, requiredClusterHeight, requiredClusterDepth} {
		var value int32
		if e.driver.functionAttribute(&value, extent, function) == 0 {
			n *= max(1, int(value))
		}
	}
	return n
}

func (e *Engine) run(ctx context.Context, k *kernel, req *launch.Request) (err error) {
	p := &params{driver: e.driver, placed: make(map[*launch.Buffer]uint64)}
	defer func() { err = errors.Join(err, p.free()) }()
	for i, a := range req.Args {
		if err := p.add(a); err != nil {
			return fmt.Errorf("argument %d: %w", i, err)
		}
	}
	for i := range e.TensorMaps {
		if err := p.addMap(&e.TensorMaps[i]); err != nil {
			return fmt.Errorf("entry '%s': %w", req.Entry, err)
		}
	}
	if err := p.upload(req); err != nil {
		return err
	}
	if err := e.launch(k, p, req.Grid); err != nil {
		return err
	}
	if err := e.driver.check("running '"+req.Entry+"'", e.driver.ctxSynchronize()); err != nil {
		return err
	}
	results := make([][]byte, len(req.Args))
	for i, a := range req.Args {
		if a.Buffer != nil && p.buffers[i] != 0 {
			results[i] = make([]byte, len(a.Buffer.Data))
			if err := e.driver.check("copying results", e.driver.copyFromDevice(&results[i][0], p.buffers[i], uint64(len(results[i])))); err != nil {
				return err
			}
		}
	}
	if err := e.time(ctx, k, p, req); err != nil {
		return err
	}
	for i, r := range results {
		if r != nil {
			copy(req.Args[i].Buffer.Data, r)
		}
	}
	return nil
}

func (e *Engine) launch(k *kernel, p *params, grid [3]uint32) error {
	var pin runtime.Pinner
	defer pin.Unpin()
	pointers := p.pointers(&pin)
	b := k.block
	return e.driver.check("launching", e.driver.launch(k.function, grid[0], grid[1], grid[2], b[0], b[1], b[2], e.DynamicShared, 0, pointers, 0))
}

// time launches the kernel again, Repeat times, each time on the initial buffers.
func (e *Engine) time(ctx context.Context, k *kernel, p *params, req *launch.Request) error {
	e.Times = nil
	for range e.Repeat {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.upload(req); err != nil {
			return err
		}
		elapsed, err := e.elapsed("running '"+req.Entry+"'", func() error { return e.launch(k, p, req.Grid) })
		if err != nil {
			return err
		}
		e.Times = append(e.Times, elapsed)
	}
	return nil
}

// elapsed is the time of what a function launches, by the device's clock.
func (e *Engine) elapsed(what string, launch func() error) (time.Duration, error) {
	d := e.driver
	var events [2]uintptr
	for i := range events {
		if err := d.check("creating an event", d.eventCreate(&events[i], 0)); err != nil {
			return 0, err
		}
		defer d.eventDestroy(events[i])
	}
	if err := d.check("recording an event", d.eventRecord(events[0], 0)); err != nil {
		return 0, err
	}
	if err := launch(); err != nil {
		return 0, err
	}
	if err := d.check("recording an event", d.eventRecord(events[1], 0)); err != nil {
		return 0, err
	}
	if err := d.check(what, d.eventSynchronize(events[1])); err != nil {
		return 0, err
	}
	var ms float32
	if err := d.check("reading the clock", d.eventElapsed(&ms, events[0], events[1])); err != nil {
		return 0, err
	}
	return time.Duration(float64(ms) * float64(time.Millisecond)), nil
}

// Median returns the median of Times; 0 without any.
func (e *Engine) Median() time.Duration {
	if len(e.Times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(e.Times))
	mid := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[mid]
	}
	return (sorted[mid-1] + sorted[mid]) / 2
}

// params are the parameters of a launch.
type params struct {
	driver  *driver
	buffers []uint64 // device addresses; 0 for scalars, empty buffers, and those that an earlier argument placed
	placed  map[*launch.Buffer]uint64
	values  [][8]byte // little-endian
	maps    []*byte   // of tensor maps, after them
}

func (p *params) add(a launch.Arg) error {
	var address uint64
	bits := a.Scalar.Bits
	if b := a.Buffer; b != nil {
		if first, ok := p.placed[b]; ok { // several arguments are one memory, which the first of them owns
			bits = first + a.Offset
		} else if len(b.Data) > 0 {
			if err := p.driver.check("reserving device memory", p.driver.memAlloc(&address, uint64(len(b.Data)))); err != nil {
				return err
			}
		}
		if _, ok := p.placed[b]; !ok {
			p.placed[b] = address
			bits = address + a.Offset
		}
	}
	var value [8]byte
	binary.LittleEndian.PutUint64(value[:], bits)
	p.buffers, p.values = append(p.buffers, address), append(p.values, value)
	return nil
}

// upload copies the initial contents of the buffers to the device.
func (p *params) upload(req *launch.Request) error {
	for i, a := range req.Args {
		if p.buffers[i] == 0 {
			continue
		}
		if err := p.driver.check("copying arguments", p.driver.copyToDevice(p.buffers[i], &a.Buffer.Data[0], uint64(len(a.Buffer.Data)))); err != nil {
			return err
		}
	}
	return nil
}

// pointers returns the array of pointers to the values that cuLaunchKernel takes; nil without parameters.
func (p *params) pointers(pin *runtime.Pinner) *uintptr {
	var list []uintptr
	for i := range p.values {
		pin.Pin(&p.values[i][0])
		list = append(list, addressOf(&p.values[i][0]))
	}
	for _, m := range p.maps {
		pin.Pin(m)
		list = append(list, addressOf(m))
	}
	if list == nil {
		return nil
	}
	return &list[0]
}

func (p *params) free() error {
	var errs []error
	for _, b := range p.buffers {
		if b != 0 {
			errs = append(errs, p.driver.check("releasing device memory", p.driver.memFree(b)))
		}
	}
	return errors.Join(errs...)
}
