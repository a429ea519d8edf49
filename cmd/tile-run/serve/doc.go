// Package serve is a long-lived engine: a process that loads modules once and launches their kernels as often as a
// program asks. The program sends frames on a pipe or socket. Memory is shared with the program or sent in the frames.
//
// docs/serve.md describes the protocol, for those who write a client in another language. [Server.Serve] answers the
// frames of one client, all of whose launches it may run at the same time, and returns when the client is gone.
//
// # Why a process
//
// A library in the client's process would save two copies of each array. But it needs cgo, brings a second runtime
// with its signal handlers and threads into every client, and dies with the client at the first fault. Measured, a
// launch of an empty kernel takes 0.05 ms, where starting tile-run for each launch takes 15 ms
// (docs/measurements/cutile-suite.md).
//
// # Input is hostile
//
// Lengths are bounded before anything is allocated, a payload takes memory only as it arrives, and unknown keys are
// errors. Memory that is shared is mapped only if the client can no longer shrink it: touching what was taken away
// would kill the process. Otherwise it is read and written as a file.
package serve
