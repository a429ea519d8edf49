// Package launch says what a kernel launch is, whoever executes it: an entry, a grid and arguments that are scalars or
// buffers of device memory. An [Engine] runs a [Request] and changes its buffers in place, as a device would; the tile
// interpreter, the PTX emulator and the GPU are engines.
//
// A [Case] is a launch with its expected outputs, described by a case.json file beside .npy files. Loading one is strict:
// unknown, missing and repeated keys are errors that name the file and the field, and files are only opened below
// the folder of the case. [Compare] is the rule by which an output is right, and [Report] says how far off it is.
// [ParseArg], [ParseOut] and [ParseCheck] read the same things from a command line.
//
// The format of case.json is that of the corpus of numeric cases, described in its README, and a little more. Beside a buffer may stand
// "replicas": N, which divides the file into N equal parts, the copies of the memory on the devices of a multicast object; the kernel
// runs on the first one, and an expectation is about all of them. The types f4e2m1, i4 and u4 are elements of four bits, two in each
// byte of a file of u1, the first in the lower half.
package launch
