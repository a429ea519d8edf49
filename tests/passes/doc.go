// Package passes tests what must hold for every pass.
//
// A second run of a pass changes nothing. A dump after any pass reads back, and compiling it gives the same PTX. A pass
// that meets the IR of another level reports an error.
package passes
