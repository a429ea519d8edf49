// Command print writes kernels of the sweep to standard output: print NUMBER...
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/tilewright/tilewright/tests/sweep"
)

func main() {
	for _, arg := range os.Args[1:] {
		n, err := strconv.ParseUint(arg, 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "usage: print NUMBER...")
			os.Exit(2)
		}
		k := sweep.Draw(n)
		fmt.Printf("// kernel %d: %s\n%s", n, k.Name, k.Text)
	}
}
