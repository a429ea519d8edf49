// Package cuda is the launch engine that runs a kernel on a GPU, through NVIDIA's driver library.
//
//	engine, err := cuda.New(ptx)   // fails where there is no driver or no device
//	engine.Repeat = 20             // launch 20 more times, on fresh copies of the buffers
//	err = engine.Run(ctx, request)
//	fmt.Println(engine.Median())   // of the repeated launches
//
// New opens the library by the name under which a driver installs it. So nothing needs CUDA to build, and nothing else
// of the project depends on it. New then loads PTX, which the driver compiles for the device, or a cubin, into the
// primary context of the device.
//
// Run copies buffers to the device, launches once, waits, and copies them back. Each repeated launch runs between two
// events of the device's clock.
//
// Every call into the driver comes from one locked thread, since a context is current for a thread.
//
// # Source
//
// CUDA Driver API reference (docs.nvidia.com/cuda/cuda-driver-api): Initialization, Primary Context Management, Module
// Management, Memory Management, Execution Control, Event Management.
package cuda
