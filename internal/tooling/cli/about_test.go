package cli

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func describe() (*Tool, *About) {
	fs := NewFlags("tool-x", nil)
	fs.StringP("output", "o", "", "write to `FILE`")
	fs.String("emit", "ptx", "what to write: `ptx|cubin`")
	fs.Bool("quiet", false, "it's quiet")
	fs.Bool("hidden", false, "is not shown")
	fs.Lookup("hidden").Hidden = true
	a := new(About)
	a.Define(fs)
	return &Tool{Name: "tool-x", Summary: "do x", Flags: fs, Usage: []Line{{" FILE", "does x"}}, Examples: []Line{{" a.x", "does a"}},
		Groups: []Group{{"What", []string{"emit", "output", "nothing"}}}}, a
}

// TestHelp has each visible flag once, groups in their order, and the flags about the tool last.
func TestGroupedHelp(t *testing.T) {
	t.Parallel()
	tool, _ := describe()
	var out bytes.Buffer
	tool.WriteHelp(&out)
	last := 0
	for _, want := range []string{"tool-x: do x", "Usage:", "tool-x FILE", "Examples:", "What:", "--emit", "-o, --output", "Other:", "--quiet", "Help:", "--version", "--completion", "--man"} {
		i := strings.Index(out.String()[last:], want)
		if i < 0 {
			t.Fatalf("no %q behind byte %d in\n%s", want, last, &out)
		}
		last += i
	}
	tool.Flags.VisitAll(func(f *pflag.Flag) {
		if n := strings.Count(out.String(), "--"+f.Name); (n != 0) == f.Hidden {
			t.Errorf("--%s is there %d times", f.Name, n)
		}
	})
	for line := range strings.Lines(out.String()) {
		if len(line) > helpWidth+1 {
			t.Errorf("a line has %d characters: %s", len(line), line)
		}
	}
}

// TestCompletion lets bash complete, and zsh and fish read what is for them, where they are installed.
func TestCompletion(t *testing.T) {
	t.Parallel()
	tool, a := describe()
	for shell, check := range map[string][]string{"bash": {"bash", "-n"}, "zsh": {"zsh", "-n"}, "fish": {"fish", "--no-execute"}} {
		a.completion = shell
		var script bytes.Buffer
		if err := a.Answer(&script, tool); err != nil {
			t.Fatal(err)
		}
		if _, err := exec.LookPath(check[0]); err != nil {
			continue
		}
		cmd := exec.Command(check[0], check[1:]...)
		cmd.Stdin = &script
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
	a.completion = "bash"
	var script bytes.Buffer
	if err := a.Answer(&script, tool); err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]string{"tool-x --em": "--emit", "tool-x --emit cu": "cubin", "tool-x --emit = p": "ptx", "tool-x --hid": "--hidden"} {
		parts := strings.Fields(words)
		text := script.String() + "COMP_WORDS=(" + words + "); COMP_CWORD=" + string(rune('0'+len(parts)-1)) + "; _tool_x; echo \"${COMPREPLY[*]}\""
		out, err := exec.Command("bash", "-c", text).CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != want {
			t.Errorf("%s: %q, %v, want %s", words, out, err, want)
		}
	}
	a.completion = "csh"
	if err := a.Answer(&script, tool); err == nil || !strings.Contains(err.Error(), "must be one of bash, zsh, fish") {
		t.Errorf("csh: %v", err)
	}
}
