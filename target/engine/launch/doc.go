// Package launch says what a kernel launch is, whoever executes it: an entry, a grid and arguments that are scalars or
// buffers of device memory. An [Engine] runs a [Request] and changes its buffers in place, as a device would; the tile
// interpreter, the PTX emulator and the GPU are engines.
//
// A [Case] is a launch with its expected outputs, described by a case.json file beside .npy files. Loading one is strict:
// unknown, missing and repeated keys are errors that name the file and the field, and files are only opened below
// the folder of the case. [Compare] is the rule by which an output is right, and [Report] says how far off it is.
// [ParseArg], [ParseOut] and [ParseCheck] read the same things from a command line.
//
// docs/cases.md describes the format of case.json.
package launch
