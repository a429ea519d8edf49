package lit

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/tests/filecheck"
)

// Tool is a command: a program's main with everything it touches passed in. It returns the exit status. Tools run at
// the same time for different files.
type Tool func(args []string, stdin io.Reader, stdout, stderr io.Writer) int

// Exec makes a tool of a program on this machine.
func Exec(path string) Tool {
	return func(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
		cmd := exec.Command(path, args...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
		if err := cmd.Run(); err != nil {
			if status := cmd.ProcessState; status != nil && status.Exited() {
				return status.ExitCode()
			}
			fmt.Fprintf(stderr, "%s: %v\n", path, err)
			return crashed
		}
		return 0
	}
}

const (
	fileCheck = "FileCheck"
	invert    = "not"
	compare   = "golden"
	diff      = "diff"
)

// tempName is the substitution that stands for a path of the test's own.
const tempName = "t"

// crashed is the status of a command that panicked or was killed. No inversion turns it into success.
const crashed = -1

// environment is what the commands of one test file run in.
type environment struct {
	path   string // of the test file
	temp   string // folder for %t
	file   *testFile
	tools  map[string]Tool
	update bool
	values map[string]string // substitutions that the suite adds
}

// runAll runs the RUN lines that need a judge, or those that need none. The error is a message that shows the line and
// what its commands printed.
func (e *environment) runAll(judge string) error {
	for _, r := range e.file.runs {
		if r.judge != judge || r.long && !tier.All() {
			continue
		}
		if err := e.pipeline(r); err != nil {
			return fmt.Errorf("%s:%d: RUN: %s\n%w", e.path, r.line, r.text, err)
		}
	}
	return nil
}

// pipeline runs the commands one after the other, each on the entire output of the one before.
func (e *environment) pipeline(r runLine) error {
	values := map[string]string{
		"s": e.path, "S": filepath.Dir(e.path), "T": e.temp, tempName: filepath.Join(e.temp, filepath.Base(e.path)+".tmp"),
	}
	maps.Copy(values, e.values)
	var output []byte
	for _, c := range r.commands {
		expanded := command{merged: c.merged}
		for _, w := range c.words {
			expanded.words = append(expanded.words, substitute(w, values))
		}
		expanded.stdin, expanded.stdout, expanded.stderr = substitute(c.stdin, values), substitute(c.stdout, values), substitute(c.stderr, values)
		next, err := e.command(expanded, output)
		if err != nil {
			return err
		}
		output = next
	}
	return nil
}

// command runs one command and returns its output.
func (e *environment) command(c command, input []byte) ([]byte, error) {
	if c.stdin != "" {
		text, err := os.ReadFile(c.stdin)
		if err != nil {
			return nil, err
		}
		input = text
	}
	var stdout, stderr bytes.Buffer
	errs := &stderr
	if c.merged {
		errs = &stdout
	}
	status, err := e.call(c.words, bytes.NewReader(input), &stdout, errs)
	if err != nil {
		return nil, err
	}
	for _, out := range []struct {
		name string
		text []byte
	}{{c.stdout, stdout.Bytes()}, {c.stderr, stderr.Bytes()}} {
		if out.name != "" {
			if err := os.WriteFile(out.name, out.text, 0o644); err != nil {
				return nil, err
			}
		}
	}
	if status != 0 {
		return nil, fmt.Errorf("'%s' ended with status %d%s%s", c, status,
			excerpt("errors", stderr.Bytes()), excerpt("output", stdout.Bytes()))
	}
	if c.stdout != "" {
		return nil, nil
	}
	return stdout.Bytes(), nil
}

// call finds and runs what the words name. The error means that there is no such command.
func (e *environment) call(words []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	if words[0] == invert {
		if len(words) == 1 {
			return 0, fmt.Errorf("'%s' needs a command", invert)
		}
		status, err := e.call(words[1:], stdin, stdout, stderr)
		switch {
		case err != nil:
			return 0, err
		case status == crashed:
			return status, nil
		case status == 0:
			fmt.Fprintf(stderr, "'%s' succeeded, and was expected to fail\n", strings.Join(words[1:], " "))
			return 1, nil
		}
		return 0, nil
	}
	switch words[0] {
	case fileCheck:
		return filecheck.Main(words[1:], stdin, stderr, e.file.prefixes...), nil
	case compare:
		return e.golden(words[1:], stdin, stderr), nil
	case diff:
		return Diff(words[1:], stdout, stderr), nil
	}
	tool, ok := e.tools[words[0]]
	if !ok {
		return 0, fmt.Errorf("unknown command '%s'", words[0])
	}
	return guarded(tool, words, stdin, stdout, stderr), nil
}

// guarded turns a panic of a tool into a status, so that one file's panic does not end the tests of the others.
func guarded(tool Tool, words []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(stderr, "%s: panic: %v\n%s", words[0], v, debug.Stack())
			status = crashed
		}
	}()
	return tool(words[1:], stdin, stdout, stderr)
}

// golden compares its input with a file.
func (e *environment) golden(args []string, stdin io.Reader, stderr io.Writer) int {
	if len(args) != 1 {
		fmt.Fprintf(stderr, "%s: expected one file, got %d\n", compare, len(args))
		return 2
	}
	got, err := io.ReadAll(stdin)
	if err == nil && e.update {
		err = os.WriteFile(args[0], got, 0o644)
	}
	var want []byte
	if err == nil {
		want, err = os.ReadFile(args[0])
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", compare, err)
		return 2
	}
	if bytes.Equal(got, want) {
		return 0
	}
	fmt.Fprintf(stderr, "the output differs from %s; -update rewrites it\n%s", args[0], difference(string(want), string(got)))
	return 1
}

// excerptBytes bounds how much of a command's output a message shows.
const excerptBytes = 6000

// excerpt returns the beginning and the end of a text, under a heading.
func excerpt(heading string, text []byte) string {
	text = bytes.TrimRight(text, "\n")
	if len(text) == 0 {
		return ""
	}
	if len(text) > excerptBytes {
		half := excerptBytes / 2
		text = fmt.Appendf(nil, "%s\n[%d bytes left out]\n%s", text[:half], len(text)-2*half, text[len(text)-half:])
	}
	return fmt.Sprintf("\n-- %s:\n%s", heading, text)
}
