package report

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/tilewright/tilewright/internal/leaf/cleanup"
	"github.com/tilewright/tilewright/target/ptxas"
)

var (
	fileLine = regexp.MustCompile(`^\s*\.file\s+(\d+)\s+"([^"]*)"`)
	locLine  = regexp.MustCompile(`^\s*\.loc\s+(\d+)\s+(\d+)\s+\d+`)
)

// ptx adds the code. Lines say by the .loc before them where they came from; the .loc themselves are left out,
// since they are of labels.
func (m *making) ptx(code []byte) {
	if code == nil {
		return
	}
	d := &Document{Kind: kindPTX, Title: "PTX", Level: kindPTX, Pass: -1}
	text := string(code)
	ours := ""
	for line := range strings.SplitSeq(text, "\n") {
		if f := fileLine.FindStringSubmatch(line); f != nil && f[2] == labelFile {
			ours = f[1]
		}
	}
	var now []int
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if f := fileLine.FindStringSubmatch(line); f != nil && f[2] == labelFile {
			continue
		}
		if l := locLine.FindStringSubmatch(line); l != nil {
			now = nil
			if l[1] == ours {
				now = m.labelOfLine(l[2])
			}
			continue
		}
		of := now
		switch trimmed := strings.TrimSpace(line); {
		case trimmed == "{" || trimmed == "}":
			of, now = nil, nil
		case !strings.HasSuffix(trimmed, ";") || strings.HasPrefix(trimmed, "."):
			of = nil // labels, directives, comments
		}
		d.Lines = append(d.Lines, m.book.line(line))
		d.Labels = append(d.Labels, of)
	}
	m.page.Docs = append(m.page.Docs, d)
}

func (m *making) labelOfLine(digits string) []int {
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > len(m.labels.all) {
		return nil
	}
	return []int{n - 1}
}

// How long the tools after PTX may take.
const assembleTime, listTime = 2 * time.Minute, time.Minute

// sass adds the machine code, where the assembler and its lister are there.
func (m *making) sass(ctx context.Context, out *Outcome) {
	if len(out.PTX) == 0 {
		return
	}
	if m.in.Assembler == nil {
		m.missing("machine code: there is no ptxas (TILEWRIGHT_PTXAS names one)")
		return
	}
	if !strings.Contains(string(out.PTX), ".entry") {
		return
	}
	lister, err := nvdisasm(m.in.Assembler)
	if err != nil {
		m.missing("machine code: there is no nvdisasm beside %s or on the PATH", m.in.Assembler.Path)
		return
	}
	assembling, cancel := context.WithTimeout(ctx, assembleTime)
	defer cancel()
	result, err := m.in.Assembler.Assemble(assembling, out.PTX, ptxas.Options{Arch: out.Arch, OptLevel: m.target.OptLevel, LineInfo: true, ExtendedShared: true})
	if err != nil {
		m.missing("machine code: %v", err)
		return
	}
	m.assembled = result.Entries
	text, err := list(ctx, lister, result.Cubin)
	if err != nil {
		m.missing("machine code: nvdisasm: %v", err)
		return
	}
	m.listing(text)
}

// nvdisasm looks beside the assembler first: the two understand the same files.
func nvdisasm(t *ptxas.Tool) (string, error) {
	if real, err := filepath.EvalSymlinks(t.Path); err == nil {
		if beside, err := exec.LookPath(filepath.Join(filepath.Dir(real), "nvdisasm")); err == nil {
			return beside, nil
		}
	}
	return exec.LookPath("nvdisasm")
}

func list(ctx context.Context, lister string, cubin []byte) (string, error) {
	dir, err := os.MkdirTemp("", "tilewright-report-")
	if err != nil {
		return "", err
	}
	defer cleanup.Add(dir)()
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "kernel.cubin")
	if err := os.WriteFile(file, cubin, 0o600); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, lister, "--print-line-info", "--print-code", file)
	var said bytes.Buffer
	cmd.Stdout = &said
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	return said.String(), err
}

var (
	sassLine = regexp.MustCompile(`^\s*//## File "([^"]*)", line (\d+)`)
	sassCode = regexp.MustCompile(`^\s*(?:/\*[0-9a-f]{4,}\*/\s+)(.*?)\s*;?\s*(?:/\*.*)?$`)
	sassName = regexp.MustCompile(`^\s*\.text\.(.+):\s*$`)
	sassSpot = regexp.MustCompile(`^(\.L_\S+):`)
)

// listing adds what nvdisasm wrote: instructions, labels of branches and the names of kernels.
func (m *making) listing(text string) {
	d := &Document{Kind: kindSASS, Title: "SASS", Level: kindSASS, Pass: -1}
	add := func(line string, of []int) {
		d.Lines = append(d.Lines, m.book.line(line))
		d.Labels = append(d.Labels, of)
	}
	var now []int
	for line := range strings.SplitSeq(text, "\n") {
		if l := sassLine.FindStringSubmatch(line); l != nil {
			if now = nil; l[1] == labelFile {
				now = m.labelOfLine(l[2])
			}
		} else if c := sassCode.FindStringSubmatch(line); c != nil {
			add("  "+c[1], now)
		} else if n := sassName.FindStringSubmatch(line); n != nil {
			now = nil
			add(n[1]+":", nil)
		} else if s := sassSpot.FindStringSubmatch(line); s != nil {
			add(s[1]+":", nil)
		}
	}
	m.page.Docs = append(m.page.Docs, d)
}
