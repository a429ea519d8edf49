package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "record what the server answers")

// A client is the other end of a server, as a program would be.
type client struct {
	t    *testing.T
	to   io.WriteCloser
	from chan string // messages of the server; closed at its end
	done chan error
}

func start(t *testing.T) *client {
	t.Helper()
	theirs, ours := io.Pipe()
	mine, answers := io.Pipe()
	c := &client{t: t, to: ours, from: make(chan string, 1000), done: make(chan error, 1)}
	go func() {
		c.done <- Serve(context.Background(), theirs, answers, Options{Pause: -1})
		answers.Close()
	}()
	go func() {
		defer close(c.from)
		r := bufio.NewReader(mine)
		for {
			n, err := readHeader(r)
			if err != nil {
				return
			}
			data := make([]byte, n)
			if _, err := io.ReadFull(r, data); err != nil {
				return
			}
			c.from <- string(data)
		}
	}()
	t.Cleanup(func() { ours.Close() })
	return c
}

func (c *client) raw(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.to, text); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) send(message string) {
	c.t.Helper()
	c.raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(message), message))
}

func (c *client) next() string {
	c.t.Helper()
	select {
	case m, ok := <-c.from:
		if !ok {
			c.t.Fatal("the server ended")
		}
		return m
	case <-time.After(20 * time.Second):
		c.t.Fatal("no answer")
	}
	return ""
}

// A session is a text of what a client says and a server answers. Lines begin with --> and <--, with the messages as
// JSON, which may continue in indented lines; others are comments. A message of the client may name a file of the
// session: "text": "@name" stands for the section "== name".
type exchange struct {
	comment, said string
	answers       []string
}

func readSession(t *testing.T, text string) (list []exchange, files map[string]string) {
	t.Helper()
	files = make(map[string]string)
	head, rest, _ := strings.Cut(text, "\n== ")
	for rest != "" {
		var section string
		section, rest, _ = strings.Cut(rest, "\n== ")
		name, body, _ := strings.Cut(section, "\n")
		files[name] = body
	}
	comment := ""
	for line := range strings.Lines(head) {
		switch {
		case strings.HasPrefix(line, "--> "):
			list = append(list, exchange{comment: comment, said: strings.TrimSpace(line[4:])})
			comment = ""
		case strings.HasPrefix(line, "<-- "):
			e := &list[len(list)-1]
			e.answers = append(e.answers, strings.TrimSpace(line[4:]))
		default:
			comment += line
		}
	}
	return list, files
}

// Each session is played; the answers to a message are compared as a set, since the server may give them in any order.
func TestSessions(t *testing.T) {
	names, err := filepath.Glob("testdata/sessions/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal("no sessions", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			list, files := readSession(t, string(text))
			c := start(t)
			for i := range list {
				e := &list[i]
				c.send(withFiles(t, e.said, files))
				if *update {
					e.answers = c.quiet()
					continue
				}
				var got []string
				for range e.answers {
					got = append(got, c.next())
				}
				sort.Strings(got)
				if g, w := strings.Join(got, "\n"), strings.Join(e.answers, "\n"); g != w {
					t.Errorf("to %s\ngot      %s\nexpected %s", e.said, g, w)
				}
			}
			if err := <-c.done; err != nil {
				t.Errorf("the server ended with %v", err)
			}
			if more, ok := <-c.from; ok {
				t.Errorf("nobody expected %s", more)
			}
			if *update {
				record(t, name, list, files, string(text))
			}
		})
	}
}

// withFiles puts files in the place of their names.
func withFiles(t *testing.T, message string, files map[string]string) string {
	t.Helper()
	for name, body := range files {
		quoted, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		message = strings.ReplaceAll(message, `"@`+name+`"`, string(quoted))
	}
	if !json.Valid([]byte(message)) {
		t.Fatalf("no JSON: %s", message)
	}
	return message
}

// quiet returns what comes until nothing comes for a while.
func (c *client) quiet() (list []string) {
	for {
		select {
		case m, ok := <-c.from:
			if !ok {
				return list
			}
			list = append(list, m)
			sort.Strings(list)
		case <-time.After(500 * time.Millisecond):
			return list
		}
	}
}

func record(t *testing.T, name string, list []exchange, files map[string]string, old string) {
	var out bytes.Buffer
	for _, e := range list {
		fmt.Fprintf(&out, "%s--> %s\n", e.comment, e.said)
		for _, a := range e.answers {
			fmt.Fprintf(&out, "<-- %s\n", a)
		}
	}
	_, rest, _ := strings.Cut(old, "\n== ")
	if rest != "" {
		out.WriteString("\n== " + rest)
	}
	if err := os.WriteFile(name, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}
