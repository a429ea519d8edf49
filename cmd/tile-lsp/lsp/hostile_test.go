package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`

func opened(text string, version int) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"u","version":%d,"text":%s}}}`, version, quoted)
}

// What is no message is passed over with a word, as long as it is known where the next one begins.
func TestBadMessages(t *testing.T) {
	c := start(t)
	c.send(hello)
	c.next()
	for _, m := range []string{"{", "[]x", strings.Repeat("[", 20_000)} {
		c.send(m)
		if got := c.next(); !strings.Contains(got, "passed over") {
			t.Errorf("to %.20q: %s", m, got)
		}
	}
	c.raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", maxMessage+1, strings.Repeat(" ", maxMessage+1)))
	if got := c.next(); !strings.Contains(got, "at most") {
		t.Errorf("to a long message: %s", got)
	}
	// Parameters of the wrong kind.
	c.send(`{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":[1]}`)
	if got := c.next(); !strings.Contains(got, "-32602") {
		t.Errorf("to wrong parameters: %s", got)
	}
	c.send(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"none"},"contentChanges":[{"text":"x"}]}}`)
	c.send(`{"jsonrpc":"2.0","id":3,"method":"shutdown"}`)
	if got := c.next(); !strings.Contains(got, `"id":3`) {
		t.Errorf("after all of it: %s", got)
	}
}

// Headers that make no sense end the connection, and nothing is kept of their sizes.
func TestBadHeaders(t *testing.T) {
	for text, want := range map[string]string{
		"Content-Length: -1\r\n\r\n":             `of at most 268435456 bytes, but got the length "-1"`,
		"Content-Length: 99999999999999\r\n\r\n": `of at most 268435456 bytes, but got the length "99999999999999"`,
		"Content-Length: x\r\n\r\n":              `but got the length "x"`,
		"\r\n\r\n":                               "but got a header without Content-Length",
		"nonsense\r\n\r\n":                       "but got a header without a colon",
		strings.Repeat("a", maxHeader+2):         "but got a header of more than 1024 bytes",
		strings.Repeat("A: b\r\n", maxHeaders+1): "but got more than 16 headers",
		"Content-Length: 5\r\n\r\nab":            ErrNoShutdown.Error(),
	} {
		var out bytes.Buffer
		done := make(chan error, 1)
		go func() {
			done <- Serve(context.Background(), io.NopCloser(strings.NewReader(text)), &out, Options{Pause: -1})
		}()
		select {
		case err := <-done:
			if err == nil || !strings.Contains(err.Error(), want) || out.Len() != 0 {
				t.Errorf("%.30q: %v, %s", text, err, &out)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%.30q: the server does not end", text)
		}
	}
}

// An edit cancels what is computed for the text before, and its requests get an error that says so.
func TestEditsCancel(t *testing.T) {
	var big strings.Builder
	big.WriteString("cuda_tile.module @m {\n  entry @k(%x: tile<i32>) {\n")
	for i := range 60_000 {
		fmt.Fprintf(&big, "    %%v%d = addi %%x, %%x : tile<i32>\n", i)
	}
	big.WriteString("    return\n  }\n}\n")
	c := start(t)
	c.send(hello)
	c.next()
	c.send(opened(big.String(), 1))
	c.send(`{"jsonrpc":"2.0","id":2,"method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"u"}}}`)
	for v := 2; v < 40; v++ {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"u","version":%d},"contentChanges":[{"range":{"start":{"line":2,"character":0},"end":{"line":2,"character":0}},"text":" "}]}}`, v))
	}
	c.send(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"u","version":40},"contentChanges":[{"text":"entry @k() { return }"}]}}`)
	published := 0
	modified := false
	for {
		m := c.next()
		if strings.Contains(m, `"id":2`) {
			modified = strings.Contains(m, fmt.Sprint(codeModified))
			continue
		}
		published++
		if strings.Contains(m, `"version":40`) {
			if !strings.Contains(m, `"diagnostics":[]`) {
				t.Errorf("the last version: %s", m)
			}
			break
		}
	}
	if published > 3 || !modified {
		t.Errorf("%d of 40 versions were analysed to their ends; the request was told: %v", published, modified)
	}
}

// A cancelled request is answered with that.
func TestCancelRequest(t *testing.T) {
	c := start(t)
	c.send(hello)
	c.next()
	c.send(opened("cuda_tile.module @m {\n"+strings.Repeat("entry @k() {\n  return\n}\n", 20_000)+"}", 1))
	c.send(`{"jsonrpc":"2.0","id":"a","method":"textDocument/hover","params":{"textDocument":{"uri":"u"},"position":{"line":1,"character":2}}}`)
	c.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"a"}}`)
	if got := c.next(); !strings.Contains(got, `"id":"a"`) || !strings.Contains(got, fmt.Sprint(codeCancelled)) {
		t.Errorf("got %.200s", got)
	}
}

// A document that is too large is named, and edits of it do no harm.
func TestLargeDocument(t *testing.T) {
	c := start(t)
	c.send(hello)
	c.next()
	c.send(opened(strings.Repeat("x ", maxText), 1))
	if got := c.next(); !strings.Contains(got, "too large") {
		t.Errorf("got %.200s", got)
	}
	c.send(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"u","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":5},"end":{"line":0,"character":9}},"text":"y"}]}}`)
	c.send(`{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"u"},"position":{"line":0,"character":0}}}`)
	if got := c.next(); !strings.Contains(got, `"result":null`) {
		t.Errorf("got %.200s", got)
	}
	c.send(opened("entry @k() { return }", 3))
	if got := c.next(); !strings.Contains(got, `"diagnostics":[]`) {
		t.Errorf("got %.200s", got)
	}
}

// Whatever is typed, every request about every place is answered, and soon.
func FuzzDocument(f *testing.F) {
	f.Add("cuda_tile.module @m {\n entry @k(%x: tile<i32>) {\n %a = addi %x, %x : tile<i32>\n return\n }\n}\n// -----\n#a = loc(\"x\":1:1)\n", uint16(30), uint16(40), "%")
	f.Fuzz(func(t *testing.T, text string, from, to uint16, typed string) {
		text = strings.ToValidUTF8(text, "?")
		start, end := min(int(from), len(text)), min(max(int(from), int(to)), len(text))
		text = strings.ToValidUTF8(text[:start]+typed+text[end:], "?")
		ctx := context.Background()
		s := newSnapshot(ctx, "u", 1, text, utf16Units)
		if !s.analyse(nil, 0) {
			t.Fatal("not analysed")
		}
		for _, d := range s.diagnostics(true) {
			if strings.Contains(d.Message, "bug in the compiler") {
				t.Fatal(d.Message)
			}
		}
		s.outline()
		s.format()
		for at := 0; at <= len(text); at += 1 + len(text)/50 {
			s.hover(ctx, at, true)
			s.definition(at)
			s.references(at, true)
			s.highlights(at)
			s.complete(at)
		}
	})
}
