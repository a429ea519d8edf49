package view

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tilewright/tilewright/internal/testing/headless"
	_ "github.com/tilewright/tilewright/passes/all"
)

const kernel = `cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %a: tile<i32>) {
    %b = muli %a, %a : tile<i32> loc("SOURCE":2:3)
    %t = store_ptr_tko weak %p, %b : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
`

// started returns a server of a kernel in a folder of its own.
func started(t *testing.T, text string) (s *Server, file string) {
	t.Helper()
	dir := t.TempDir()
	file = filepath.Join(dir, "k.mlir")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := Listen(0, Options{File: file, Flags: Flags{GPU: "sm_90", OptLevel: 3}, Sources: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s, file
}

// ask sends a request to a server, changed by edit, and returns the status and the text.
func ask(t *testing.T, s *Server, method, path, body string, edit func(*http.Request)) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, "http://"+s.hosts[0]+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if method == http.MethodPost {
		r.Header.Set("Origin", "http://"+s.hosts[0])
		r.Header.Set("Content-Type", "application/json")
	}
	if edit != nil {
		edit(r)
	}
	answer, err := (&http.Client{Timeout: time.Minute}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// TestRefusals asks for what nobody may have.
func TestRefusals(t *testing.T) {
	t.Parallel()
	s, _ := started(t, kernel)
	at := "/" + s.token + "/"
	host := func(h string) func(*http.Request) { return func(r *http.Request) { r.Host = h } }
	port := strings.TrimPrefix(s.hosts[0], "127.0.0.1:")
	raw := func(path string) func(*http.Request) {
		return func(r *http.Request) { r.URL = &url.URL{Scheme: "http", Host: s.hosts[0], Opaque: path} }
	}
	for _, tt := range []struct {
		name, method, path, body string
		edit                     func(*http.Request)
		status                   int
	}{
		{"the page", "GET", at, "", nil, 200},
		{"the other name of this machine", "GET", at, "", host("localhost:" + port), 200},
		{"a page that reads itself", "GET", at + "state", "", header("Sec-Fetch-Site", "same-origin"), 200},
		{"an address that was typed", "GET", at, "", header("Sec-Fetch-Site", "none"), 200},

		{"no token", "GET", "/", "", nil, 403},
		{"a token that is none", "GET", "/" + strings.Repeat("A", len(s.token)) + "/", "", nil, 403},
		{"a part of the token", "GET", at[:len(at)-2] + "/", "", nil, 403},
		{"the token elsewhere", "GET", "/x" + at, "", nil, 403},
		{"the token as a question", "GET", "/?token=" + s.token, "", nil, 403},

		{"another host", "GET", at, "", host("evil.example"), 403},
		{"another host that leads here", "GET", at, "", host("evil.example:" + port), 403},
		{"another port", "GET", at, "", host("127.0.0.1:1"), 403},
		{"no port", "GET", at, "", host("127.0.0.1"), 403},
		{"a name that begins right", "GET", at, "", host("localhost.evil.example:" + port), 403},
		{"another address of this machine", "GET", at, "", host("127.0.0.2:" + port), 403},

		{"another origin", "GET", at, "", header("Origin", "http://evil.example"), 403},
		{"another scheme", "GET", at, "", header("Origin", "https://"+s.hosts[0]), 403},
		{"a page of a file", "GET", at, "", header("Origin", "null"), 403},
		{"another server of this machine", "GET", at, "", header("Origin", "http://127.0.0.1:1"), 403},
		{"a link on another page", "GET", at, "", header("Sec-Fetch-Site", "cross-site"), 403},
		{"a page of the same site", "GET", at, "", header("Sec-Fetch-Site", "same-site"), 403},

		{"flags of another origin", "POST", at + "flags", `{"opt":1}`, header("Origin", "http://evil.example"), 403},
		{"flags of no origin", "POST", at + "flags", `{"opt":1}`, func(r *http.Request) { r.Header.Del("Origin") }, 403},
		{"flags of a form", "POST", at + "flags", `{"opt":1}`, header("Content-Type", "text/plain"), 403},
		{"flags that cannot be read", "POST", at + "flags", `{"opt":`, nil, 400},
		{"flags that there are not", "POST", at + "flags", `{"file":"/etc/passwd"}`, nil, 400},
		{"a target that there is not", "POST", at + "flags", `{"gpu":"sm_1; rm"}`, nil, 400},
		{"a level that there is not", "POST", at + "flags", `{"opt":4}`, nil, 400},
		{"stages that there are not", "POST", at + "flags", `{"stages":9}`, nil, 400},
		{"a pass that there is not", "POST", at + "flags", `{"disabled":["x,y{a=b}"]}`, nil, 400},
		{"a pass twice", "POST", at + "flags", `{"disabled":["cse","cse"]}`, nil, 400},
		{"flags that are too long", "POST", at + "flags", `{"gpu":"` + strings.Repeat("x", maxBody) + `"}`, nil, 413},
		{"another method", "DELETE", at, "", nil, 405},
		{"flags that are asked for", "GET", at + "flags", "", nil, 405},

		{"a file", "GET", at + "k.mlir", "", nil, 404},
		{"a file above", "GET", "", "", raw(at + "../../../../etc/passwd"), 404},
		{"a file above, spelled", "GET", "", "", raw(at + "%2e%2e/%2e%2e/etc/passwd"), 404},
		{"a whole path", "GET", "", "", raw(at + "/etc/passwd"), 404},
		{"the page, spelled", "GET", "", "", raw(at + "%73tate"), 404},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, text := ask(t, s, tt.method, tt.path, tt.body, tt.edit)
			if status != tt.status {
				t.Errorf("status %d, expected %d: %.200s", status, tt.status, text)
			}
			if status != 200 && strings.Contains(text, s.token) {
				t.Error("the token is told")
			}
		})
	}
}

// TestLoopback reaches the server by the loopback interface only.
func TestLoopback(t *testing.T) {
	t.Parallel()
	s, _ := started(t, kernel)
	if ip := s.listener.Addr().(*net.TCPAddr).IP; !ip.IsLoopback() {
		t.Errorf("it listens at %v", ip)
	}
	w := &recorder{header: make(http.Header)}
	r, _ := http.NewRequest("GET", s.URL(), nil)
	r.RemoteAddr, r.Host = "192.0.2.1:1234", s.hosts[0]
	if s.ServeHTTP(w, r); w.status != 403 {
		t.Errorf("a request from elsewhere: status %d", w.status)
	}
}

type recorder struct {
	header http.Header
	status int
	bytes.Buffer
}

func (r *recorder) Header() http.Header    { return r.header }
func (r *recorder) WriteHeader(status int) { r.status = status }

// TestSources shows no file from outside of the folders that the server was given, whatever a location or a link says.
func TestSources(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "secret.py")
	if err := os.WriteFile(secret, []byte("top\nsecret = 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, source := range map[string]string{"named": secret, "above": "", "linked": ""} {
		s, file := started(t, "")
		dir := filepath.Dir(file)
		switch name {
		case "above":
			rel, err := filepath.Rel(dir, secret)
			if err != nil {
				t.Fatal(err)
			}
			source = dir + "/" + rel
		case "linked":
			source = filepath.Join(dir, "s.py")
			if err := os.Symlink(secret, source); err != nil {
				t.Fatal(err)
			}
		}
		own := filepath.Join(dir, "own.py")
		if err := os.WriteFile(own, []byte("first\nsecond\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			source string
			shown  bool
		}{{source, false}, {own, true}} {
			if err := os.WriteFile(file, []byte(strings.ReplaceAll(kernel, "SOURCE", tt.source)), 0o666); err != nil {
				t.Fatal(err)
			}
			page, err := s.compiler.make(t.Context(), Flags{GPU: "sm_90"})
			if err != nil {
				t.Fatal(err)
			}
			text := unpacked(t, page)
			if got := strings.Contains(text, "second") || strings.Contains(text, "secret = 1"); got != tt.shown {
				t.Errorf("%s: '%s' is shown: %v", name, tt.source, got)
			}
			if !tt.shown && !strings.Contains(text, "outside of the folders") {
				t.Errorf("%s: the page does not say that '%s' is not shown", name, tt.source)
			}
		}
	}
}

// told returns the state when it is another than the one that is known.
func told(t *testing.T, s *Server, known *answer) *answer {
	t.Helper()
	path := "/" + s.token + "/state"
	if known != nil {
		path += "?known=" + url.QueryEscape(known.key())
	}
	status, text := ask(t, s, "GET", path, "", nil)
	var a answer
	if err := json.Unmarshal([]byte(text), &a); status != 200 || err != nil {
		t.Fatalf("status %d, %v: %s", status, err, text)
	}
	return &a
}

// until waits for a state.
func until(t *testing.T, s *Server, is func(*answer) bool) *answer {
	t.Helper()
	var a *answer
	for range 100 {
		if a = told(t, s, a); is(a) {
			return a
		}
	}
	t.Fatalf("the state is %+v", a.state)
	return nil
}

// TestRecompiles changes the file and the flags, to what compiles and to what does not.
func TestRecompiles(t *testing.T) {
	t.Parallel()
	s, file := started(t, kernel)
	made := func(n int) func(*answer) bool { return func(a *answer) bool { return a.Generation >= n && !a.Busy } }
	until(t, s, made(1))
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(kernel, "muli", "addi")), 0o666); err != nil {
		t.Fatal(err)
	}
	until(t, s, made(2))
	_, page := ask(t, s, "GET", "/"+s.token+"/", "", nil)
	if text := unpacked(t, []byte(page)); !strings.Contains(text, "addi") || strings.Contains(text, "muli") {
		t.Error("the page is not that of the file")
	}
	if status, text := ask(t, s, "POST", "/"+s.token+"/flags", `{"gpu":"sm_80","opt":0,"disabled":["cse"]}`, nil); status != 202 {
		t.Fatal(status, text)
	}
	a := until(t, s, func(a *answer) bool { return a.Generation >= 3 && !a.Busy && a.Flags.GPU == "sm_80" })
	_, page = ask(t, s, "GET", "/"+s.token+"/", "", nil)
	if text := unpacked(t, []byte(page)); !strings.Contains(text, `"target":"sm_80 -O0"`) || strings.Contains(text, `"name":"cse"`) {
		t.Error("the page is not made with the flags")
	}
	if len(a.Passes) < 40 || len(a.Targets) < 10 {
		t.Errorf("%d passes, %d targets", len(a.Passes), len(a.Targets))
	}
	// A pass that others need: the page says so, and the server goes on.
	if status, _ := ask(t, s, "POST", "/"+s.token+"/flags", `{"opt":3,"disabled":["tileas-assign-layouts"]}`, nil); status != 202 {
		t.Fatal(status)
	}
	until(t, s, func(a *answer) bool { return a.Generation >= 4 && !a.Busy })
	_, page = ask(t, s, "GET", "/"+s.token+"/", "", nil)
	if text := unpacked(t, []byte(page)); !strings.Contains(text, "cannot be disabled") {
		t.Error("the page does not say that the pass is needed")
	}
	if err := os.Truncate(file, MaxFile+1); err != nil {
		t.Fatal(err)
	}
	until(t, s, func(a *answer) bool { return !a.Busy && strings.Contains(a.Error, "is larger than 64 MiB") })
	if err := os.WriteFile(file, []byte("nonsense"), 0o666); err != nil {
		t.Fatal(err)
	}
	until(t, s, func(a *answer) bool { return !a.Busy && strings.Contains(a.Error, "unknown") })
	if err := os.WriteFile(file, []byte(kernel), 0o666); err != nil {
		t.Fatal(err)
	}
	until(t, s, func(a *answer) bool { return !a.Busy && a.Error == "" })
}

// TestBrowser uses the bar in a browser: what is shown stays when a newer page takes the place.
func TestBrowser(t *testing.T) {
	t.Parallel()
	s, file := started(t, kernel)
	b := headless.Open(t, s.URL(), true)
	b.Wait(`globalThis.bar`)
	b.Press("4")
	b.Eval(`(() => { const s = document.querySelector('[aria-label=target]'); s.value = 'sm_80'; s.dispatchEvent(new Event('change')); })()`, nil)
	b.Wait(`globalThis.bar && document.querySelector('.target').textContent === 'sm_80 -O3'`)
	b.Wait(`[...document.querySelectorAll('[role=tab]')].find((t) => t.getAttribute('aria-selected') === 'true').textContent === 'Passes'`)
	b.Screenshot("view-bar")
	b.Eval(`document.querySelector('.disabled summary').click()`, nil)
	b.Eval(`document.querySelector('.choices [aria-label=canonicalize]').click()`, nil)
	b.Wait(`globalThis.bar && document.querySelector('.disabled summary').textContent === '1 pass off' && document.querySelector('.served output').value.startsWith('compiled')`)
	b.Press("2")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(kernel, "muli", "xori")), 0o666); err != nil {
		t.Fatal(err)
	}
	b.Wait(`globalThis.bar && document.body.textContent.includes('xori')`)
	b.Screenshot("view-columns")
	// What does not compile is said, and the page stays.
	if err := os.WriteFile(file, []byte("nonsense"), 0o666); err != nil {
		t.Fatal(err)
	}
	b.Wait(`globalThis.bar && document.querySelector('.served output').value.includes('unknown')`)
	var still bool
	if b.Eval(`document.body.textContent.includes('xori')`, &still); !still {
		t.Error("the page is gone")
	}
	b.NoErrors()
}

// unpacked returns the data of a page.
func unpacked(t *testing.T, page []byte) string {
	t.Helper()
	_, rest, _ := bytes.Cut(page, []byte(`<template id="data">`))
	data, _, ok := bytes.Cut(rest, []byte("</template>"))
	if !ok {
		t.Fatalf("no page: %.200s", page)
	}
	text, err := inflate(string(data))
	if err != nil {
		t.Fatal(fmt.Errorf("the data of the page: %w", err))
	}
	return text
}
