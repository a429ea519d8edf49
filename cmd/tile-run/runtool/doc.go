// Package runtool is the tool tile-run as a library: it runs kernels on an engine and compares what they compute with
// what is expected.
//
// # What is run
//
// It runs numeric cases: case.json files, their folders, or folders of such folders, in the format that package launch
// documents. Or it runs one launch of a module that the command line describes (--entry, --grid, --arg). In both cases
// the arguments are first checked against the parameters of the entry. So a mistake is one message and not a fault
// somewhere in the kernel.
//
// # On what
//
// The interpreter executes the tiles of the input itself; the emulator executes the PTX that the compiler makes for a
// GPU. Several engines may run one after the other on the same arguments (--diff-engines), and are then compared with
// each other as well.
//
// The demonstration (--demo) shows the way of an embedded kernel through the compiler.
package runtool
