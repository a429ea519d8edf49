// Command gen writes the reference pages; go generate runs it.
package main

import (
	"fmt"
	"os"

	"github.com/tilewright/tilewright/internal/tooling/reference"
	_ "github.com/tilewright/tilewright/passes/all"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	root, err := reference.Root()
	if err != nil {
		return err
	}
	pages, err := reference.Generate(root)
	if err != nil {
		return err
	}
	return pages.Write(root)
}
