package runtool

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/pipeline/serve"
)

// checkServe rejects flags that --serve would not follow: its client says how to launch, for each launch.
func (c *config) checkServe() (err error) {
	switch {
	case !c.serve:
		return fmt.Errorf("--shm-fd is for --serve")
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

// runServe answers a client until it is gone. An interrupt ends it too.
func (c *config) runServe(ctx context.Context, stdin io.Reader, stdout io.Writer) error {
	s, err := serve.New(c.shmFD)
	if err != nil {
		return err
	}
	return s.Serve(ctx, bufio.NewReaderSize(stdin, 1<<16), stdout)
}
