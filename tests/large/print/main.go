// Command print writes a large module to standard output, for comparing tools on it: print ENTRIES.
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/tilewright/tilewright/tests/large"
)

func main() {
	entries := 200
	if len(os.Args) > 1 {
		n, err := strconv.Atoi(os.Args[1])
		if err != nil {
			fmt.Fprintln(os.Stderr, "usage: print ENTRIES")
			os.Exit(2)
		}
		entries = n
	}
	os.Stdout.Write(large.Text(entries))
}
