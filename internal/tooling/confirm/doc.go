// Package confirm is the kit that asks a GPU whether the PTX emulator and the model of the machine are right.
//
//	run := &confirm.Run{Path: "a.json", Command: ...}
//	file, err := run.Do(ctx)                          // on the machine with the GPU
//	c, err := confirm.Compare(ctx, file, source)      // on any machine
//
// A Probe is one question: PTX, inputs, and how near an answer must be. It follows from the architecture alone. So a
// file keeps the bytes that the device answered, and not a verdict: a later emulator is judged by an old file.
//
//	forms.go       what an instruction computes: every form of the emulator's list, on edge values
//	matrix.go      where elements of matrices are in registers
//	descriptor.go  where they are in shared memory and TMEM; tma.go where TMA puts them, bulk.go where bulk copies do
//	litmus.go      outcomes that the memory model forbids
//	numeric.go     kernels compiled from Tile IR
//	timing.go      rows of the model of the machine
//	kernels.go     times of kernels, of a folder of cases, and of cuBLAS
//	claims.go      what rests on documents, and which probes would confirm it
//	judge.go       how near an answer must be
//	worker.go      asks the device; runs in a process of its own, which may crash
//	run.go         starts such processes, with a time limit for each probe, and writes the file after each
//	file.go        the file: JSON, replaced at once, read with bounds
//	compare.go     what a file says about the emulator and the model
//
// After a fault the driver's context is lost for the process. So a process ends after the first launch that fails, and
// the run goes on in another one.
//
// Nothing here changes a setting of the device.
package confirm
