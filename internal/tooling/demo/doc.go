// Package demo holds a numeric case that the tools can show without any file at hand. It is an MMA written in cuTile
// Python, as the bytecode of its compiler front end, with inputs and the expected result. The NOTICE beside it says
// where it comes from.
package demo
