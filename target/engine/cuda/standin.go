package cuda

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"sync"
	"time"
	"unsafe"

	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/tensormap"
)

// A StandIn is a driver whose device is the PTX emulator. Programs that use a GPU are tried with it where there is none.
// It answers as NVIDIA's driver does: it rejects PTX for another architecture, and after a fault every call fails. Its
// cuBLAS multiplies in f64. Times are those of the host and mean nothing.
type StandIn struct {
	Device Device
	// Edit, if it is set, changes PTX before it is executed, so that a test can plant an error.
	Edit func(ptx []byte) []byte
	// MaxSteps bounds the warp instructions of a launch; 0: the emulator's default.
	MaxSteps uint64

	mu      sync.Mutex
	memory  *emu.Memory
	modules []*emu.Module
	kernels []*standInKernel
	events  []time.Time
	fault   error // of a launch: the context is lost
	texts   []string
}

// A standInKernel is a function of a module. Handles are places in a list, from 1 on.
type standInKernel struct {
	module *emu.Module
	entry  *emu.Entry
	shared uint32
}

// Values of CUresult.
const (
	invalidValue   = 1
	invalidPTX     = 218
	notFound       = 500
	launchFailed   = 719
	wrongTarget    = 209 // CUDA_ERROR_NO_BINARY_FOR_GPU
	notPermitted   = 800
	outOfMemory    = 2
	standInThreads = 1024 // of a block of an entry that demands no shape
)

var resultNames = map[int32]string{invalidValue: "CUDA_ERROR_INVALID_VALUE", invalidPTX: "CUDA_ERROR_INVALID_PTX", notFound: "CUDA_ERROR_NOT_FOUND",
	launchFailed: "CUDA_ERROR_LAUNCH_FAILED", wrongTarget: "CUDA_ERROR_NO_BINARY_FOR_GPU", notPermitted: "CUDA_ERROR_NOT_PERMITTED", outOfMemory: "CUDA_ERROR_OUT_OF_MEMORY"}

// Library returns the driver.
func (s *StandIn) Library() *Library {
	s.memory = emu.NewMemory()
	ok := func(done bool) int32 {
		if done {
			return 0
		}
		return invalidValue
	}
	return &Library{blas: s.blas, driver: &driver{
		init:              func(uint32) int32 { return 0 },
		errorName:         func(code int32, name *uintptr) int32 { return s.say(resultNames[code], name) },
		errorString:       func(code int32, text *uintptr) int32 { return s.say(s.why(code), text) },
		text:              func(at uintptr) string { return s.texts[at-1] },
		driverVersion:     func(version *int32) int32 { *version = int32(s.Device.Driver); return 0 },
		deviceGet:         func(device *int32, ordinal int32) int32 { *device = 0; return ok(ordinal == 0) },
		deviceName:        func(name *byte, size, _ int32) int32 { copy(unsafe.Slice(name, size-1), s.Device.Name); return 0 },
		deviceAttribute:   s.attribute,
		primaryRetain:     func(ctx *uintptr, _ int32) int32 { *ctx = 1; return 0 },
		primaryRelease:    func(int32) int32 { return 0 },
		ctxSetCurrent:     func(ctx uintptr) int32 { return ok(ctx == 1) },
		ctxSynchronize:    s.state,
		moduleLoad:        s.load,
		moduleUnload:      func(uintptr) int32 { return s.state() },
		moduleFunction:    s.function,
		functionAttribute: s.functionAttribute,
		functionSet:       s.functionSet,
		memAlloc: func(address *uint64, size uint64) int32 {
			at, err := s.memory.Alloc("buffer", size, 256)
			if *address = at; err != nil {
				return outOfMemory
			}
			return s.state()
		},
		memFree: func(address uint64) int32 { return ok(s.memory.Free(address) == nil) },
		copyToDevice: func(to uint64, from *byte, size uint64) int32 {
			return ok(s.memory.Write(to, unsafe.Slice(from, size)) == nil)
		},
		copyFromDevice:   func(to *byte, from, size uint64) int32 { return ok(s.memory.Read(from, unsafe.Slice(to, size)) == nil) },
		launch:           s.launch,
		eventCreate:      s.eventCreate,
		eventDestroy:     func(uintptr) int32 { return 0 },
		eventRecord:      func(event, _ uintptr) int32 { s.events[event-1] = time.Now(); return s.state() },
		eventSynchronize: func(uintptr) int32 { return s.state() },
		eventElapsed: func(ms *float32, start, end uintptr) int32 {
			*ms = float32(s.events[end-1].Sub(s.events[start-1]).Seconds() * 1000)
			return 0
		},
		encodeMap: encodeStandInMap,
	}}
}

// say keeps a text, whose number stands for its address.
func (s *StandIn) say(text string, at *uintptr) int32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts = append(s.texts, text)
	*at = uintptr(len(s.texts))
	return 0
}

func (s *StandIn) why(code int32) string {
	if code == launchFailed && s.fault != nil {
		return s.fault.Error()
	}
	return "the stand-in for a driver says so"
}

// state is what every call returns after a fault.
func (s *StandIn) state() int32 {
	if s.fault != nil {
		return launchFailed
	}
	return 0
}

func (s *StandIn) attribute(value *int32, attribute, _ int32) int32 {
	numbers := map[int32]int{computeCapabilityMajor: s.Device.Major, computeCapabilityMinor: s.Device.Minor, multiprocessors: s.Device.SMs, clockRate: s.Device.ClockKHz}
	n, known := numbers[attribute]
	if *value = int32(n); !known {
		return invalidValue
	}
	return 0
}

var targetName = regexp.MustCompile(`^sm_(\d+)([af]?)$`)

// runsOn reports whether a device takes PTX for a target: that of an earlier architecture, of its own, or of its family.
func (s *StandIn) runsOn(target string) bool {
	m := targetName.FindStringSubmatch(target)
	if m == nil {
		return false
	}
	n, err := strconv.Atoi(m[1])
	own := 10*s.Device.Major + s.Device.Minor
	switch {
	case err != nil:
		return false
	case m[2] == "a":
		return n == own
	case m[2] == "f":
		return n <= own && n/10 == own/10
	}
	return n <= own
}

func (s *StandIn) load(module *uintptr, image *byte, options uint32, keys *int32, values *uintptr) int32 {
	if s.fault != nil {
		return launchFailed
	}
	ptx := []byte(cString(image))
	if s.Edit != nil {
		ptx = s.Edit(ptx)
	}
	m, err := emu.Parse("ptx", ptx)
	if err != nil {
		if options == 2 && unsafe.Slice(keys, 2)[0] == jitErrorLogBuffer {
			v := unsafe.Slice(values, 2)
			log := unsafe.Slice(*(**byte)(unsafe.Pointer(&v[0])), v[1])
			copy(log[:len(log)-1], err.Error())
		}
		return invalidPTX
	}
	if !s.runsOn(m.Target) {
		return wrongTarget
	}
	s.modules = append(s.modules, m)
	*module = uintptr(len(s.modules))
	return 0
}

func (s *StandIn) function(function *uintptr, module uintptr, name *byte) int32 {
	m := s.modules[module-1]
	e := m.Entry(cString(name))
	if e == nil {
		return notFound
	}
	s.kernels = append(s.kernels, &standInKernel{module: m, entry: e})
	*function = uintptr(len(s.kernels))
	return 0
}

func (s *StandIn) functionAttribute(value *int32, attribute int32, function uintptr) int32 {
	e := s.kernels[function-1].entry
	switch attribute {
	case maxThreadsPerBlock:
		*value = standInThreads
		if n := e.ReqNTID[0]; n > 0 {
			*value = int32(n * max(1, e.ReqNTID[1]) * max(1, e.ReqNTID[2]))
		}
	case requiredClusterWidth, requiredClusterHeight, requiredClusterDepth:
		*value = int32(e.Cluster[attribute-requiredClusterWidth])
	default:
		return invalidValue
	}
	return 0
}

func (s *StandIn) functionSet(function uintptr, attribute, value int32) int32 {
	switch attribute {
	case maxDynamicSharedMemory:
		s.kernels[function-1].shared = uint32(value)
	case nonPortableCluster:
	default:
		return invalidValue
	}
	return 0
}

func (s *StandIn) launch(function uintptr, gx, gy, gz, bx, by, bz, shared uint32, _ uintptr, params *uintptr, _ uintptr) int32 {
	if s.fault != nil {
		return launchFailed
	}
	k := s.kernels[function-1]
	if shared > max(k.shared, 48<<10) {
		return invalidValue
	}
	grid := [3]uint32{gx, gy, gz}
	if k.entry.BlocksAreClusters { // the grid counts clusters
		for i, n := range k.entry.Cluster {
			grid[i] *= max(1, n)
		}
	}
	l := emu.Launch{Entry: k.entry.Name, Grid: grid, Block: [3]uint32{bx, by, bz}, DynamicShared: shared, MaxSteps: s.MaxSteps, AllowUninitialized: true, Workers: 1}
	if n := len(k.entry.Params); n > 0 {
		for i, at := range unsafe.Slice(params, n) {
			value := unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), k.entry.Params[i].Size)
			l.Params = append(l.Params, append([]byte(nil), value...))
		}
	}
	_, s.fault = k.module.Run(context.Background(), s.memory, l) // which the next call reports
	return 0
}

func (s *StandIn) eventCreate(event *uintptr, _ uint32) int32 {
	s.events = append(s.events, time.Now())
	*event = uintptr(len(s.events))
	return 0
}

// encodeStandInMap makes a map as the emulator has it, of the fields that callFor sets.
func encodeStandInMap(to *byte, dataType int32, rank uint32, address uintptr, sizes, strides *uint64, box, _ *uint32, _, swizzle, _, _ int32) int32 {
	kinds := map[int32]string{dataTypeTF32: "tf32"}
	for size, number := range dataTypes {
		kinds[number] = fmt.Sprintf("u%d", 8*size)
	}
	for float, number := range floatTypes {
		kinds[number] = float
	}
	m := emu.TensorMap{Type: kinds[dataType], Address: uint64(address), Dims: unsafe.Slice(sizes, rank), Strides: unsafe.Slice(strides, rank-1), Box: unsafe.Slice(box, rank)}
	if swizzle > 0 {
		m.Swizzle = swizzleUnit << (swizzle - 1)
	}
	b, err := m.Encode()
	if err != nil {
		return invalidValue
	}
	copy(unsafe.Slice(to, tensormap.Bytes), b)
	return 0
}

// cString copies a string that the driver or the caller of one owns.
func cString(p *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}

// blas is the library that multiplies in the memory of the stand-in.
func (s *StandIn) blas() (*blas, error) {
	return &blas{create: func(*uintptr) int32 { return 0 }, destroy: func(uintptr) int32 { return 0 }, gemm: s.gemm}, nil
}

// gemm multiplies matrices that lie column by column, without padding between columns or matrices.
func (s *StandIn) gemm(x *gemmArguments) int32 {
	var kind launch.DType
	for d, value := range blasTypes {
		if value == x.typeC {
			kind = d
		}
	}
	format, _ := kind.Format() // the types of blasTypes are floats
	read := func(at uint64, count uintptr) []float64 {
		bytes := make([]byte, kind.Bytes(int(count)))
		if s.memory.Read(at, bytes) != nil {
			return nil
		}
		values := make([]float64, count)
		for i := range values {
			values[i] = format.Decode(kind.Load(bytes, i))
		}
		return values
	}
	a, b := read(x.a, x.batch*x.strideA), read(x.b, x.batch*x.strideB)
	if a == nil || b == nil {
		return invalidValue
	}
	out := make([]byte, kind.Bytes(int(x.batch*x.strideC)))
	for p := range x.batch {
		for j := range x.n {
			for i := range x.m {
				sum := 0.0
				for l := range x.k {
					sum += a[p*x.strideA+l*x.lda+i] * b[p*x.strideB+j*x.ldb+l]
				}
				kind.Store(out, int(p*x.strideC+j*x.ldc+i), format.Encode(sum, numeric.Env{}))
			}
		}
	}
	if s.memory.Write(x.c, out) != nil {
		return invalidValue
	}
	return 0
}
