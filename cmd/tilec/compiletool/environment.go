package compiletool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/tilewright/tilewright/internal/leaf/cleanup"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/target/cubin"
)

// The environment variables that work under front ends, which own the command line.
const (
	flagsVar    = "TILEWRIGHT_FLAGS"    // flags, after those of the command line
	dumpVar     = "TILEWRIGHT_DUMP_DIR" // a folder that gets a folder for each compilation
	reportVar   = "TILEWRIGHT_REPORT"   // a page, or a folder that gets one for each compilation
	delegateVar = "TILEWRIGHT_DELEGATE" // the path of a tileiras that compiles too
)

// addFlags returns arguments with the flags of the environment after them, where they win, and these.
func addFlags(args []string) (all, added []string, err error) {
	added, err = splitWords(os.Getenv(flagsVar))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", flagsVar, err)
	}
	return withFlags(args, added), added, nil
}

// withFlags puts flags after those of a command line, where they win: before "--", after which there are files
// only.
func withFlags(args, added []string) []string {
	end := len(args)
	if i := slices.Index(args, "--"); i >= 0 {
		end = i
	}
	return slices.Concat(args[:end], added, args[end:])
}

// splitWords splits text at spaces, but not between quotes.
func splitWords(text string) (words []string, err error) {
	var word strings.Builder
	var quote rune
	inside := false
	for _, r := range text {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inside = r, true
		case unicode.IsSpace(r):
			if inside {
				words = append(words, word.String())
			}
			inside = false
			word.Reset()
		default:
			word.WriteRune(r)
			inside = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quotation has no end: %q", text)
	}
	if inside {
		words = append(words, word.String())
	}
	return words, nil
}

// A dump is what a compilation leaves in a folder: the command line, the input, the IR as each level ends, the code,
// and how the run ended.
type dump struct {
	print func(w io.Writer, op ir.Op) error
	files map[string][]byte
}

// Serial implements pipeline.Serial: the entire IR is printed.
func (d *dump) Serial() bool { return true }

// BeforePass implements pipeline.Instrument. Before a pass that lowers, a level is as it will be lowered.
func (d *dump) BeforePass(ev *pipeline.Event) {
	level := pipeline.LevelOf(ev.Root)
	if ev.Item.Pass.TargetLevel() == nil || level == nil {
		return
	}
	var text bytes.Buffer
	if err := d.print(&text, ev.Root); err == nil {
		d.files[level.Level()+".mlir"] = text.Bytes()
	}
}

// AfterPass implements pipeline.Instrument.
func (d *dump) AfterPass(*pipeline.Event) {}

// write writes the folder, which has its name once it is complete. Runs of the same kernel get folders of their own.
func (d *dump) write(dir, kernel string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(dir, ".dump-*.tmp")
	if err != nil {
		return err
	}
	defer cleanup.Add(temp)()
	defer os.RemoveAll(temp) // it has been renamed once it is complete
	for name, data := range d.files {
		if err := os.WriteFile(filepath.Join(temp, name), data, 0o666); err != nil {
			return err
		}
	}
	if err := os.Chmod(temp, 0o755); err != nil {
		return err
	}
	for n := 1; ; n++ {
		err := os.Rename(temp, filepath.Join(dir, fmt.Sprintf("%s.%d", kernel, n)))
		if err == nil {
			return nil
		}
		if !errors.Is(err, os.ErrExist) || n == maxDumps {
			return err
		}
	}
}

const maxDumps = 1 << 16

// delegate lets another compiler compile the input with the arguments of the front end. It says on standard error
// where its result differs in what can be compared: whether it compiles, the kernels, and their parameters. It returns
// a report.
func (s *session) delegate(ctx context.Context, program string, args []string, status int, ours []byte) string {
	dir, remove, err := cleanup.TempDir("tilewright-delegate-")
	if err != nil {
		return s.differ("%v", err)
	}
	defer remove()
	out := filepath.Join(dir, "theirs.cubin")
	added := []string{"-o", out}
	if s.remarks.asked() {
		added = append(added, "--remarks-output-file="+filepath.Join(dir, "remarks.yaml"))
	}
	cmd := exec.CommandContext(ctx, program, withFlags(args, added)...)
	cmd.Env = append(os.Environ(), delegateVar+"=", flagsVar+"=", dumpVar+"=", reportVar+"=")
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); cmd.ProcessState == nil {
		return s.differ("cannot run '%s': %v", program, err)
	}
	theirs := cmd.ProcessState.ExitCode()
	if (theirs == 0) != (status == 0) {
		return s.differ("%s ends with status %d, this compiler with %d: %s", program, theirs, status, strings.TrimSpace(said.String()))
	}
	if theirs != 0 {
		return fmt.Sprintf("both fail, with status %d and %d\n", theirs, status)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		return s.differ("%s leaves no cubin: %v", program, err)
	}
	return s.compareCubins(data, ours)
}

func (s *session) differ(format string, args ...any) string {
	text := fmt.Sprintf(format, args...)
	cli.Warn(s.stderr, "%s: %s", delegateVar, text)
	return text + "\n"
}

// compareCubins compares what a launcher sees, and lists what kernels use.
func (s *session) compareCubins(theirs, ours []byte) string {
	a, err := cubin.Read(theirs)
	if err != nil {
		return s.differ("theirs: %v", err)
	}
	b, err := cubin.Read(ours)
	if err != nil {
		return s.differ("ours: %v", err)
	}
	var report strings.Builder
	if names := func(ks []*cubin.Kernel) (out []string) {
		for _, k := range ks {
			out = append(out, k.Name)
		}
		return out
	}; !slices.Equal(names(a), names(b)) {
		return s.differ("kernels %v there, %v here", names(a), names(b))
	}
	for i, k := range a {
		o := b[i]
		fmt.Fprintf(&report, "%s: threads %v there, %v here; registers %d, %d; static shared memory %d, %d\n", k.Name, k.Block, o.Block, k.Registers, o.Registers, k.StaticShared, o.StaticShared)
		if k.Language != o.Language && s.persona == tileiras { // tilec's own cubins have another launcher
			report.WriteString(s.differ("%s: language %d there, %d here", k.Name, k.Language, o.Language))
		}
		// Theirs may have parameters of the driver's after those of the kernel.
		if len(o.Params) > len(k.Params) || !slices.Equal(k.Params[:len(o.Params)], o.Params) {
			report.WriteString(s.differ("%s: parameters %v there, %v here", k.Name, k.Params, o.Params))
		}
	}
	return report.String()
}
