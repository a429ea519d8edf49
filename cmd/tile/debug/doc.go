// Package debug is the command tile debug: a debugger of kernels in the interpreter, for clients of the Debug Adapter
// Protocol. It loads what is debugged; internal/tooling/debug does the rest.
package debug
