package runtool

import (
	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// LaunchFlags describe the launch of a module on a command line.
type LaunchFlags struct {
	entry   string
	grid    string
	args    []argument
	memory  []string // segments
	threads string
	block   [3]uint32 // threads
	shared  uint32
}

// Define adds the flags.
func (c *LaunchFlags) Define(fs *pflag.FlagSet) {
	fs.StringVar(&c.threads, "block", "", "the shape of a thread block as `X,Y,Z`, for PTX whose entry has no .reqntid")
	fs.Uint32Var(&c.shared, "shared-bytes", 0, "the dynamic shared memory of a thread block in `BYTES`, for PTX")
	fs.StringVar(&c.entry, "entry", "", "the `NAME` of the entry to run, for a module that has several")
	fs.StringVar(&c.grid, "grid", "", "the number of tile blocks as `X,Y,Z`, for a module")
	add := func(array bool) cli.Func {
		return cli.Func{Do: func(v string) error { c.args = append(c.args, argument{array, v}); return nil }, TypeName: "argument"}
	}
	fs.Var(add(false), "arg", "the next `ARGUMENT` of the entry: f32:a.npy, f32[1024], f32[4x4]=1.5, f32[64]=random, f32[64]=uninitialized, f32[2@1024] on two devices, @0 for the buffer of argument 0 again, or i32:100")
	fs.Var(add(true), "array", "the next `ARRAY`, which is a pointer, its shape and its strides: [NAME=]f16:a.npy or [NAME=]f16[100x80]=random; --out and --check know its NAME")
	fs.StringArrayVar(&c.memory, "segment", nil, "memory at an address of your own, as `ADDRESS=ARGUMENT`, such as 0x7f0000000000=f32:a.npy, for arguments such as ptr:0x7f0000000010")
}

// check reads the shape of a thread block.
func (c *LaunchFlags) check() (err error) {
	if c.threads != "" {
		c.block, err = parseShape("--block", c.threads)
	}
	return err
}

// request is the launch of a file, which is PTX or a module, and the arrays by name. The status is that of an error.
func (c *LaunchFlags) request(file string, ptx []byte, module ir.Op) (req *launch.Request, names map[string]int, status int, err error) {
	req = &launch.Request{Entry: c.entry}
	if req.Grid, err = parseShape("--grid", c.grid); err != nil {
		return nil, nil, cli.Usage, err
	}
	for _, s := range c.memory {
		g, err := launch.ParseSegment(s, nil)
		if err != nil {
			return nil, nil, cli.Usage, err
		}
		req.Segments = append(req.Segments, g)
	}
	if req.Entry == "" {
		if req.Entry, err = onlyEntry(file, ptx, module); err != nil {
			return nil, nil, cli.Rejected, err
		}
	}
	if names, err = c.arguments(req, module); err != nil {
		return nil, nil, cli.Usage, err
	}
	return req, names, cli.OK, nil
}

// Described reports whether the flags say anything of the launch but its entry.
func (c *LaunchFlags) Described() bool { return c.grid != "" || len(c.args) > 0 || len(c.memory) > 0 }

// Entry is the name of the entry, which may be empty.
func (c *LaunchFlags) Entry() string { return c.entry }

// Module returns the launch of a module that the flags describe.
func (c *LaunchFlags) Module(file string, module ir.Op) (*launch.Request, error) {
	req, _, _, err := c.request(file, nil, module)
	if err == nil {
		err = checkSignature(module, req)
	}
	return req, err
}

// PTX returns the launch of PTX that the flags describe, and tells the engine of the module what else they say.
func (c *LaunchFlags) PTX(file string, e *emulate.Engine) (*launch.Request, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	e.Block, e.DynamicShared = c.block, c.shared
	req, _, _, err := c.request(file, e.Source(), ir.Op{})
	return req, err
}

// Kernel applies to a launch that is described elsewhere what the flags say of the kernel: its entry, its thread block
// and its shared memory.
func (c *LaunchFlags) Kernel(file string, e *emulate.Engine, req *launch.Request) (err error) {
	if err := c.check(); err != nil {
		return err
	}
	e.Block, e.DynamicShared = c.block, c.shared
	if req.Entry = c.entry; req.Entry == "" {
		req.Entry, err = onlyEntry(file, e.Source(), ir.Op{})
	}
	return err
}
