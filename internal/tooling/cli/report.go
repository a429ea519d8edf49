package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/internal/tooling/report"
	"github.com/tilewright/tilewright/target/ptxas"
)

// Report is the flag --report, the same in each tool that compiles.
type Report struct{ Path string }

// Define adds the flag.
func (r *Report) Define(fs *pflag.FlagSet) {
	fs.StringVar(&r.Path, "report", "", "also write what became of the kernel to `FILE`.html, one page from source to machine code; a folder gets a page for each run")
}

// Check rejects what is neither a folder nor the name of a page.
func (r *Report) Check() error {
	switch {
	case r.Path == "" || isPage(r.Path) || isFolder(r.Path):
		return nil
	case r.Path == "-":
		return errors.New("--report writes to a file, not to standard output")
	}
	return fmt.Errorf("--report must name a file that ends in .html, or a folder, but got '%s'", r.Path)
}

func isPage(path string) bool { return strings.EqualFold(filepath.Ext(path), ".html") }

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() || strings.HasSuffix(path, "/")
}

// Many reports whether there is a page for each run, in a folder.
func (r *Report) Many() bool { return !isPage(r.Path) || isFolder(r.Path) }

// maxPages bounds the numbers of pages for one kernel in a folder.
const maxPages = 1 << 16

// Write makes the report of an input and writes it. tool and args are what repeats it; an assembler is looked for
// where tools look for one.
func (r *Report) Write(ctx context.Context, in *report.Input, tool string, args []string, assembler string) error {
	in.Title, in.Tool, in.Command = filepath.Base(in.Name), tool+" of Tilewright", commandLine(tool, args)
	if found, err := ptxas.Find(assembler); err == nil {
		in.Assembler = found
	}
	page, err := report.Make(ctx, in)
	if err != nil {
		return fmt.Errorf("there is no report: %w", err)
	}
	var buf bytes.Buffer
	if err := page.Write(&buf); err != nil {
		return fmt.Errorf("cannot write the report: %w", err)
	}
	if !r.Many() {
		return Write(r.Path, buf.Bytes(), nil)
	}
	if err := os.MkdirAll(r.Path, 0o777); err != nil {
		return err
	}
	stem := strings.TrimSuffix(in.Title, filepath.Ext(in.Title))
	for n := 1; n <= maxPages; n++ {
		name := filepath.Join(r.Path, fmt.Sprintf("%s.%d.html", stem, n))
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL, 0o666) // whoever makes the name has it: compilers run side by side
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		f.Close()
		return Write(name, buf.Bytes(), nil)
	}
	return fmt.Errorf("'%s' is full of reports of '%s'", r.Path, stem)
}

// commandLine quotes arguments so that a shell takes them.
func commandLine(tool string, args []string) string {
	var sb strings.Builder
	sb.WriteString(tool)
	for _, a := range args {
		if a == "" || strings.ContainsFunc(a, func(r rune) bool {
			return !strings.ContainsRune("-_./=:,+@%", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
		}) {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		sb.WriteString(" " + a)
	}
	return sb.String()
}
