// Package launch says what a kernel launch is, whoever executes it: an entry, a grid, and arguments that are scalars or
// buffers of device memory.
//
//	request := &launch.Request{Entry: "k", Grid: [3]uint32{4, 1, 1}, Args: []launch.Arg{{Buffer: b}, {Scalar: n}}}
//	err := engine.Run(ctx, request)   // changes b in place, as a device would
//
// An [Engine] runs a [Request]. The tile interpreter, the PTX emulator and the GPU are engines.
//
// A [Case] is a launch with its expected outputs: a case.json file and .npy files. Loading one is strict. Unknown,
// missing and repeated keys are errors that name the file and the field, and only files below the folder of the case
// are opened. [Compare] decides whether an output is right, and [Report] says how far off it is. [ParseArg], [ParseOut]
// and [ParseCheck] read the same from a command line.
//
// docs/cases.md describes the format of case.json.
package launch
