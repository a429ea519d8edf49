package debug

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "record what the debugger answers")

// A client is the other end of a debugger, as an editor would be.
type client struct {
	t    *testing.T
	to   io.WriteCloser
	from chan string // messages of the debugger; closed at its end
	done chan int
	errs *bytes.Buffer
	seq  int
}

func start(t *testing.T, args ...string) *client {
	t.Helper()
	theirs, ours := io.Pipe()
	mine, answers := io.Pipe()
	c := &client{t: t, to: ours, from: make(chan string, 1000), done: make(chan int, 1), errs: new(bytes.Buffer)}
	go func() {
		c.done <- Main(t.Context(), args, theirs, answers, c.errs)
		answers.Close()
	}()
	go c.receive(mine)
	t.Cleanup(func() { ours.Close() })
	return c
}

func (c *client) receive(from io.Reader) {
	defer close(c.from)
	r := bufio.NewReader(from)
	for {
		var n int
		if _, err := fmt.Fscanf(r, "Content-Length: %d\r\n\r\n", &n); err != nil {
			return
		}
		data := make([]byte, n)
		if _, err := io.ReadFull(r, data); err != nil {
			return
		}
		c.from <- string(data)
	}
}

// send sends a request: a command, and its arguments as JSON if there are any.
func (c *client) send(command, arguments string) {
	c.t.Helper()
	c.seq++
	text := fmt.Sprintf(`{"seq":%d,"type":"request","command":%q`, c.seq, command)
	if arguments != "" {
		text += `,"arguments":` + arguments
	}
	text += "}"
	if !json.Valid([]byte(text)) {
		c.t.Fatalf("no JSON: %s", text)
	}
	if _, err := fmt.Fprintf(c.to, "Content-Length: %d\r\n\r\n%s", len(text), text); err != nil {
		c.t.Fatal(err)
	}
}

// next returns the next message, without what only counts.
func (c *client) next(patience time.Duration) (string, bool) {
	c.t.Helper()
	select {
	case m, ok := <-c.from:
		if !ok {
			return "", false
		}
		var fields map[string]any
		if err := json.Unmarshal([]byte(m), &fields); err != nil {
			c.t.Fatalf("%v: %s", err, m)
		}
		for _, name := range []string{"seq", "request_seq", "type"} {
			delete(fields, name)
		}
		var out bytes.Buffer
		e := json.NewEncoder(&out)
		e.SetEscapeHTML(false)
		if err := e.Encode(fields); err != nil {
			c.t.Fatal(err)
		}
		return strings.TrimSpace(out.String()), true
	case <-time.After(patience):
		return "", false
	}
}

// An exchange is a request, and what the debugger says until the next one.
type exchange struct {
	comment, command, arguments string
	answers                     []string
}

func readSession(text string) (list []exchange) {
	comment := ""
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "--> "):
			command, arguments, _ := strings.Cut(strings.TrimSpace(line[4:]), " ")
			list = append(list, exchange{comment: comment, command: command, arguments: arguments})
			comment = ""
		case strings.HasPrefix(line, "<-- "):
			e := &list[len(list)-1]
			e.answers = append(e.answers, strings.TrimSpace(line[4:]))
		default:
			comment += line
		}
	}
	return list
}

// TestSessions plays recorded sessions. Sources and cases are where this test is, which is left out of the record.
func TestSessions(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/sessions/*.txt")
	if err != nil || len(names) < 2 {
		t.Fatal("no sessions", err)
	}
	here, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			list := readSession(string(text))
			c := start(t)
			for i := range list {
				e := &list[i]
				c.send(e.command, strings.ReplaceAll(e.arguments, "$DIR", filepath.ToSlash(here)))
				var got []string
				for *update || len(got) < len(e.answers) {
					patience := time.Minute
					if *update {
						patience = 400 * time.Millisecond
					}
					m, ok := c.next(patience)
					if !ok {
						break
					}
					got = append(got, strings.ReplaceAll(m, here, "$DIR"))
				}
				if *update {
					e.answers = got
				} else if g, w := strings.Join(got, "\n"), strings.Join(e.answers, "\n"); g != w {
					t.Fatalf("to %s %s\ngot\n%s\nexpected\n%s", e.command, e.arguments, g, w)
				}
			}
			if status := <-c.done; status != 0 {
				t.Errorf("the debugger ended with status %d: %s", status, c.errs)
			}
			if *update {
				record(t, name, list)
			}
		})
	}
}

func record(t *testing.T, name string, list []exchange) {
	var out bytes.Buffer
	for _, e := range list {
		fmt.Fprintf(&out, "%s--> %s\n", e.comment, strings.TrimSpace(e.command+" "+e.arguments))
		for _, a := range e.answers {
			fmt.Fprintf(&out, "<-- %s\n", a)
		}
	}
	if err := os.WriteFile(name, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}
