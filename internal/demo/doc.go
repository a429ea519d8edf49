// Package demo holds a numeric case that the tools can show without any file at hand: a matrix product written in cuTile Python, as the
// bytecode that its compiler front end made, with inputs and the expected result. The NOTICE beside it says where it comes from.
package demo
