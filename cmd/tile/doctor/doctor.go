// Package doctor says what a user of the tools has installed, what of it will be used, and why. It covers the PTX
// assembler, the driver, the clients that look for a compiler, and environment variables. It changes nothing.
package doctor

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/rs/zerolog"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/target/engine/cuda"
	"github.com/tilewright/tilewright/target/ptxas"
)

const name = "tile doctor"

// Main runs the command and returns its exit status. args are those behind its name.
func Main(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	return cli.Checked(name, stdout, stderr, func(stdout io.Writer) int { return run(ctx, args, stdout, stderr) })
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fs := cli.NewFlags(name, nil)
	var log, interpreter string
	fs.StringVar(&interpreter, "python", "python3", "look at the packages of this `PROGRAM`")
	cli.DefineLog(fs, &log, "programs answer")
	fail := func(status int, err error) int {
		cli.Complain(stderr, name, err)
		return status
	}
	t := &cli.Tool{Name: name, Summary: "say what is installed, what will be used, and why", Flags: fs, Usage: []cli.Line{{Command: "", Does: "look around"}}}
	if status, done := t.Begin(args, nil, stdout, fail); done {
		return status
	}
	if fs.NArg() > 0 {
		return fail(cli.Usage, fmt.Errorf("it takes no argument, but got '%s'", strings.Join(fs.Args(), " ")))
	}
	ctx, err := cli.WithLog(ctx, stderr, log)
	if err != nil {
		return fail(cli.Usage, err)
	}
	examine(ctx, stdout, interpreter)
	return cli.OK
}

// patience bounds each question to another program.
const patience = 10 * time.Second

// examine writes a line for each thing that there is to know.
func examine(ctx context.Context, w io.Writer, interpreter string) {
	if err := cli.WriteVersion(w, "tile"); err != nil {
		fmt.Fprintf(w, "%v\n", err)
	}
	fmt.Fprintf(w, "System %s/%s, %d processors\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(what, found, meaning string) { fmt.Fprintf(t, "%s\t%s\t%s\n", what, found, meaning) }
	row("interpreter, emulator", "built in", "tile-run needs nothing else")
	assembler(ctx, row)
	driver(row)
	compiler(ctx, row)
	python(ctx, row, interpreter)
	for _, v := range []string{ptxas.EnvVar, "TILEWRIGHT_FLAGS", "TILEWRIGHT_DUMP_DIR", "TILEWRIGHT_DELEGATE", "TILEWRIGHT_REPORT", "TILEWRIGHT_CACHE", "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUTILE_TILEIRAS_PATH", "NO_COLOR"} {
		if value := os.Getenv(v); value != "" {
			row(v, value, "is set")
		}
	}
	_ = t.Flush() // the writer of standard output keeps the error
}

type rower func(what, found, meaning string)

func assembler(ctx context.Context, row rower) {
	tool, err := ptxas.Find("")
	if err != nil {
		row("ptxas", "none", err.Error())
		return
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	version, err := tool.Version(ctx)
	if err != nil {
		row("ptxas", tool.Path, fmt.Sprintf("cannot be used: %v", err))
		return
	}
	row("ptxas", tool.Path, version+"; makes cubins")
}

// empty is a module that every driver takes.
const empty = ".version 7.0\n.target sm_80\n.address_size 64\n"

func driver(row rower) {
	e, err := cuda.New([]byte(empty))
	if err != nil {
		row("CUDA driver", "none", err.Error())
		return
	}
	defer e.Close()
	device, err := e.Device()
	if err != nil {
		row("CUDA driver", "there", fmt.Sprintf("no device: %v", err))
		return
	}
	row("CUDA driver", device.String(), "tile-run --engine=cuda runs there")
}

// compiler finds which compiler clients would find on PATH.
func compiler(ctx context.Context, row rower) {
	for _, tool := range []string{"tileiras", "tileirdisasm"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			row(tool+" on PATH", "none", "clients look for it there; a hard link of this name to "+map[string]string{"tileiras": "tilec", "tileirdisasm": "tile-translate"}[tool]+" serves")
			continue
		}
		out, err := ask(ctx, path, "--version")
		switch {
		case err != nil:
			row(tool+" on PATH", path, fmt.Sprintf("cannot be run: %v", err))
		case strings.Contains(out, "Tilewright"):
			row(tool+" on PATH", path, "is Tilewright")
		default:
			row(tool+" on PATH", path, "is NVIDIA's")
		}
	}
}

// probe says which packages a Python has that matter to cuTile's search for a compiler.
const probe = `import importlib.metadata as m
for p in ("cuda-tile","tilewright","nvidia-cuda-tileiras","nvidia-cuda-nvcc","nvidia-nvvm"):
    try: print(p, m.version(p))
    except m.PackageNotFoundError: pass
`

// probeAssembler says where its packages have an assembler.
const probeAssembler = `import glob, os, sys
for d in sys.path:
    for p in glob.glob(os.path.join(glob.escape(d or "."), "nvidia", "*", "bin", "ptxas")): print("ptxas", p)
`

func python(ctx context.Context, row rower, interpreter string) {
	path, err := exec.LookPath(interpreter)
	if err != nil {
		row("Python", "none", "cuTile Python needs one")
		return
	}
	out, err := ask(ctx, path, "-c", probe+probeAssembler)
	if err != nil {
		row("Python", path, fmt.Sprintf("cannot be asked: %v", err))
		return
	}
	versions := make(map[string]string)
	for line := range strings.Lines(out) {
		if p, v, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			versions[p] = v
		}
	}
	if found := versions["ptxas"]; found != "" {
		used, err := ptxas.Find("")
		switch {
		case err != nil:
			row("ptxas of this Python", found, fmt.Sprintf("programs of the package tilewright use it; for the other tools, set %s to it", ptxas.EnvVar))
		case used.Path != found:
			row("ptxas of this Python", found, "is there too")
		}
	}
	if versions["cuda-tile"] == "" {
		row("cuTile Python", "none", "'pip install cuda-tile' installs it for "+filepath.Clean(path))
		return
	}
	meaning := "takes tileiras from PATH"
	if a, b, c := release(versions["nvidia-cuda-tileiras"]), release(versions["nvidia-cuda-nvcc"]), release(versions["nvidia-nvvm"]); a != "" && a == b && b == c {
		meaning = "takes NVIDIA's compiler of the packages nvidia-cuda-tileiras, nvidia-cuda-nvcc and nvidia-nvvm, whatever PATH says"
	}
	row("cuTile Python", versions["cuda-tile"], meaning)
	if v := versions["tilewright"]; v != "" {
		row("package tilewright", v, "runs cuTile programs without a GPU")
	}
}

// release is the first two numbers of a version.
func release(version string) string {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return ""
	}
	return parts[0] + "." + parts[1]
}

func ask(ctx context.Context, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = time.Second
	start := time.Now()
	out, err := cmd.Output()
	zerolog.Ctx(ctx).Debug().Str("program", program).Strs("arguments", args).Dur("elapsed", time.Since(start)).Err(err).Msg("asked")
	return string(out), err
}
