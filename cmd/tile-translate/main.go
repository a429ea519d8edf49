// Command tile-translate converts between Tile IR bytecode and text, and shows what a bytecode file holds; tile-translate --help lists
// what it can do.
package main

import (
	"os"

	"github.com/tilewright/tilewright/cmd/tile-translate/translatetool"
)

func main() {
	os.Exit(translatetool.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
