package cuda

import (
	"errors"
	"fmt"
)

// ErrNoDriver is wrapped by the error of New when the driver library cannot be used.
var ErrNoDriver = errors.New("no CUDA driver")

// A driver is the part of the driver's interface that is used. Its functions return a CUresult, 0 for success;
// pointers to handles and numbers are where results go. The names in the comments are those of the symbols.
type driver struct {
	init              func(flags uint32) int32                                                                                            // cuInit
	errorName         func(code int32, name *uintptr) int32                                                                               // cuGetErrorName
	errorString       func(code int32, text *uintptr) int32                                                                               // cuGetErrorString
	driverVersion     func(version *int32) int32                                                                                          // cuDriverGetVersion
	deviceGet         func(device *int32, ordinal int32) int32                                                                            // cuDeviceGet
	deviceName        func(name *byte, size int32, device int32) int32                                                                    // cuDeviceGetName
	deviceAttribute   func(value *int32, attribute int32, dev int32) int32                                                                // cuDeviceGetAttribute
	primaryRetain     func(ctx *uintptr, device int32) int32                                                                              // cuDevicePrimaryCtxRetain
	primaryRelease    func(device int32) int32                                                                                            // cuDevicePrimaryCtxRelease_v2
	ctxSetCurrent     func(ctx uintptr) int32                                                                                             // cuCtxSetCurrent
	ctxSynchronize    func() int32                                                                                                        // cuCtxSynchronize
	moduleLoad        func(module *uintptr, image *byte, options uint32, keys *int32, values *uintptr) int32                              // cuModuleLoadDataEx
	moduleUnload      func(module uintptr) int32                                                                                          // cuModuleUnload
	moduleFunction    func(function *uintptr, module uintptr, name *byte) int32                                                           // cuModuleGetFunction
	functionAttribute func(value *int32, attribute int32, function uintptr) int32                                                         // cuFuncGetAttribute
	functionSet       func(function uintptr, attribute int32, value int32) int32                                                          // cuFuncSetAttribute
	memAlloc          func(address *uint64, size uint64) int32                                                                            // cuMemAlloc_v2
	memFree           func(address uint64) int32                                                                                          // cuMemFree_v2
	copyToDevice      func(to uint64, from *byte, size uint64) int32                                                                      // cuMemcpyHtoD_v2
	copyFromDevice    func(to *byte, from uint64, size uint64) int32                                                                      // cuMemcpyDtoH_v2
	launch            func(function uintptr, gx, gy, gz, bx, by, bz, shared uint32, stream uintptr, params *uintptr, extra uintptr) int32 // cuLaunchKernel
	eventCreate       func(event *uintptr, flags uint32) int32                                                                            // cuEventCreate
	eventDestroy      func(event uintptr) int32                                                                                           // cuEventDestroy_v2
	eventRecord       func(event, stream uintptr) int32                                                                                   // cuEventRecord
	eventSynchronize  func(event uintptr) int32                                                                                           // cuEventSynchronize
	eventElapsed      func(milliseconds *float32, start, end uintptr) int32                                                               // cuEventElapsedTime
	// cuTensorMapEncodeTiled, which came with CUDA 12
	encodeMap func(to *byte, dataType int32, rank uint32, address uintptr, sizes, strides *uint64, box, elementStrides *uint32, interleave, swizzle, promotion, fill int32) int32
	text      func(address uintptr) string // a C string
}

// Values of CUdevice_attribute, CUfunction_attribute and CUjit_option.
const (
	clockRate              = 13
	multiprocessors        = 16
	computeCapabilityMajor = 75
	computeCapabilityMinor = 76

	maxThreadsPerBlock     = 0
	maxDynamicSharedMemory = 8
	requiredClusterWidth   = 11
	requiredClusterHeight  = 12
	requiredClusterDepth   = 13
	nonPortableCluster     = 14

	jitErrorLogBuffer     = 5
	jitErrorLogBufferSize = 6
)

// symbols pairs each function with its symbol in the library.
func (d *driver) symbols() map[string]any {
	return map[string]any{
		"cuInit": &d.init, "cuGetErrorName": &d.errorName, "cuGetErrorString": &d.errorString,
		"cuDriverGetVersion": &d.driverVersion, "cuDeviceGet": &d.deviceGet, "cuDeviceGetName": &d.deviceName, "cuDeviceGetAttribute": &d.deviceAttribute,
		"cuDevicePrimaryCtxRetain": &d.primaryRetain, "cuDevicePrimaryCtxRelease_v2": &d.primaryRelease,
		"cuCtxSetCurrent": &d.ctxSetCurrent, "cuCtxSynchronize": &d.ctxSynchronize,
		"cuModuleLoadDataEx": &d.moduleLoad, "cuModuleUnload": &d.moduleUnload, "cuModuleGetFunction": &d.moduleFunction,
		"cuFuncGetAttribute": &d.functionAttribute, "cuFuncSetAttribute": &d.functionSet,
		"cuMemAlloc_v2": &d.memAlloc, "cuMemFree_v2": &d.memFree, "cuMemcpyHtoD_v2": &d.copyToDevice, "cuMemcpyDtoH_v2": &d.copyFromDevice,
		"cuLaunchKernel": &d.launch, "cuTensorMapEncodeTiled": &d.encodeMap,
		"cuEventCreate": &d.eventCreate, "cuEventDestroy_v2": &d.eventDestroy, "cuEventRecord": &d.eventRecord,
		"cuEventSynchronize": &d.eventSynchronize, "cuEventElapsedTime": &d.eventElapsed,
	}
}

// check turns a CUresult into an error that says what was tried, and the driver's name and words for what went wrong.
func (d *driver) check(what string, code int32) error {
	if code == 0 {
		return nil
	}
	var name, text uintptr
	if d.errorName(code, &name) != 0 || d.errorString(code, &text) != 0 || name == 0 || text == 0 {
		return fmt.Errorf("%s: CUDA error %d", what, code)
	}
	return fmt.Errorf("%s: %s: %s", what, d.text(name), d.text(text))
}
