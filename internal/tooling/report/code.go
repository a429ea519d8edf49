package report

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/tilewright/tilewright/internal/leaf/lazy"
	"github.com/tilewright/tilewright/target/ptxas"
)

var (
	fileLine = lazy.Regexp(`^\s*\.file\s+(\d+)\s+"([^"]*)"`)
	locLine  = lazy.Regexp(`^\s*\.loc\s+(\d+)\s+(\d+)\s+\d+`)
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
		if f := fileLine().FindStringSubmatch(line); f != nil && f[2] == labelFile {
			ours = f[1]
		}
	}
	var now []int
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if f := fileLine().FindStringSubmatch(line); f != nil && f[2] == labelFile {
			continue
		}
		if l := locLine().FindStringSubmatch(line); l != nil {
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

// assembleTime is how long the assembler may take.
const assembleTime = 2 * time.Minute

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
	assembling, cancel := context.WithTimeout(ctx, assembleTime)
	defer cancel()
	result, err := m.in.Assembler.Assemble(assembling, out.PTX, ptxas.Options{Arch: out.Arch, OptLevel: m.target.OptLevel, LineInfo: true, ExtendedShared: true})
	if err != nil {
		m.missing("machine code: %v", err)
		return
	}
	m.assembled = result.Entries
	text, err := m.in.Assembler.Disassemble(ctx, result.Cubin, "--print-line-info")
	if err != nil {
		m.missing("machine code: %v", err)
		return
	}
	m.listing(text)
}

var (
	sassLine = lazy.Regexp(`^\s*//## File "([^"]*)", line (\d+)`)
	sassCode = lazy.Regexp(`^\s*(?:/\*[0-9a-f]{4,}\*/\s+)(.*?)\s*;?\s*(?:/\*.*)?$`)
	sassName = lazy.Regexp(`^\s*\.text\.(.+):\s*$`)
	sassSpot = lazy.Regexp(`^(\.L_\S+):`)
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
		if l := sassLine().FindStringSubmatch(line); l != nil {
			if now = nil; l[1] == labelFile {
				now = m.labelOfLine(l[2])
			}
		} else if c := sassCode().FindStringSubmatch(line); c != nil {
			add("  "+c[1], now)
		} else if n := sassName().FindStringSubmatch(line); n != nil {
			now = nil
			add(n[1]+":", nil)
		} else if s := sassSpot().FindStringSubmatch(line); s != nil {
			add(s[1]+":", nil)
		}
	}
	m.page.Docs = append(m.page.Docs, d)
}
