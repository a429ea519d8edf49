// Package cli is what the command-line tools share: LLVM's habits on the command line over spf13/pflag, reading
// input, and writing output completely or not at all.
//
// Every tool accepts -flag and --flag, flags and files in any order, "-" or no file for standard input, and "-o
// FILE". It exits with OK, Rejected or Usage.
package cli

// The exit statuses of the tools.
const (
	OK       = 0
	Rejected = 1 // the input was rejected, or a check failed
	Usage    = 2 // the command line is wrong
)
