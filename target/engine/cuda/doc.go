// Package cuda is the launch engine that runs a kernel on a GPU, through NVIDIA's driver library.
//
// The library is opened when an engine is made, by the name under which a driver installs it, so that nothing needs CUDA to be built
// and nothing else of the project depends on it. Where there is no driver, or no device, New fails and says so.
//
// # Model
//
// New loads PTX, which the driver compiles for the device, or a cubin, into the primary context of the device. Run copies buffers to the
// device, launches once, waits, and copies them back. With Engine.Repeat, the kernel is launched again that many times on fresh
// copies of the buffers, each launch between two events of the device's clock; Engine.Times holds the durations, of which the median is
// what to report.
//
// Every call into the driver comes from one locked thread, since a context is current for a thread.
//
// # Source
//
// CUDA Driver API reference (docs.nvidia.com/cuda/cuda-driver-api): Initialization, Primary Context Management, Module Management,
// Memory Management, Execution Control, Event Management.
package cuda
