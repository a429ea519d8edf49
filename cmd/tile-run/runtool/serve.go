package runtool

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/cmd/tile-run/serve"
)

// checkServe rejects flags that --serve would not follow: its client says how to launch, for each launch.
func (c *config) checkServe() (err error) {
	switch {
	case !c.serve:
		return fmt.Errorf("--shm-fd is for --serve")
	case c.flags.Changed("shm-fd") && c.shmFD <= lastStandardFD:
		return fmt.Errorf("--shm-fd must be %d or more, but got %d: lower numbers are the standard streams", lastStandardFD+1, c.shmFD)
	case len(c.inputs) > 0:
		return fmt.Errorf("--serve takes no input, but got '%s'", c.inputs[0])
	}
	c.flags.Visit(func(f *pflag.Flag) {
		if f.Name != "serve" && f.Name != "shm-fd" && err == nil {
			err = fmt.Errorf("--%s is not for --serve, whose client says how to launch", f.Name)
		}
	})
	return err
}

// lastStandardFD is the descriptor of standard error. Package os owns the standard streams.
const lastStandardFD = 2

// runServe answers a client until it is gone. An interrupt ends it too.
func (c *config) runServe(ctx context.Context, stdin io.Reader, stdout io.Writer) error {
	var memory *os.File
	if c.flags.Changed("shm-fd") {
		// The process inherited the descriptor and owns it; the server borrows the file.
		memory = os.NewFile(uintptr(c.shmFD), fmt.Sprintf("descriptor %d", c.shmFD))
		defer memory.Close()
	}
	s, err := serve.New(memory)
	if err != nil {
		return err
	}
	return s.Serve(ctx, bufio.NewReaderSize(stdin, 1<<16), stdout)
}
