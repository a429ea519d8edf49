// Package headless opens pages in a headless browser, for tests.
package headless

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// browsers are the names of headless browsers, Debian's first.
var browsers = []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"}

// A Browser is a headless Chromium that a test speaks to through a pipe, by the DevTools protocol: messages are
// JSON, each with a zero byte after it.
type Browser struct {
	t       testing.TB
	from    string // what it may ask for
	to      *os.File
	session string

	mu      sync.Mutex
	next    int
	waiting map[int]chan reply
	// complaints are errors of the page: exceptions, and what the console shows as one.
	complaints []string
}

// A reply is the answer to a command: a result, or what the browser says against it.
type reply struct {
	result  json.RawMessage
	failure string
}

// Open starts a browser and shows a page: a file, or what a server has at an address that begins with http. Without a
// browser a test is skipped, but not in CI, where the installer of judges brings one.
func Open(t testing.TB, page string, dark bool) *Browser {
	t.Helper()
	program := ""
	for _, name := range browsers {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		if os.Getenv("CI") == "true" {
			t.Fatalf("no browser: apt-get install %s", browsers[0])
		}
		t.Skipf("no browser: apt-get install %s", browsers[0])
	}
	theirs, ours, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	mine, answers, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe", "--user-data-dir="+t.TempDir(), "--window-size=1800,1000", "about:blank")
	cmd.ExtraFiles = []*os.File{theirs, answers} // descriptors 3 and 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	answers.Close()
	if !strings.HasPrefix(page, "http:") {
		page = "file://" + page
	}
	b := &Browser{t: t, from: page, to: ours, waiting: make(map[int]chan reply)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.listen(mine)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		ours.Close()
		<-done
	})
	var target struct{ TargetID string }
	b.Call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var session struct{ SessionID string }
	b.Call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session)
	b.session = session.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.Call(domain+".enable", nil, nil)
	}
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	b.Call("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	b.Call("Page.navigate", map[string]any{"url": page}, nil)
	b.Wait("document.documentElement?.dataset.ready === 'true'")
	return b
}

// listen reads what the browser says until it ends.
func (b *Browser) listen(from *os.File) {
	defer from.Close()
	r := bufio.NewReaderSize(from, 1<<20)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			b.mu.Lock()
			for _, c := range b.waiting {
				close(c)
			}
			b.waiting = nil
			b.mu.Unlock()
			return
		}
		var m struct {
			ID     int
			Method string
			Params json.RawMessage
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &m) != nil {
			continue
		}
		b.mu.Lock()
		if c := b.waiting[m.ID]; m.ID != 0 && c != nil {
			r := reply{result: m.Result}
			if m.Error != nil {
				r.failure = m.Error.Message
			}
			c <- r
			delete(b.waiting, m.ID)
		}
		switch m.Method {
		case "Runtime.exceptionThrown":
			b.complaints = append(b.complaints, string(m.Params))
		case "Log.entryAdded":
			if strings.Contains(string(m.Params), `"level":"error"`) {
				b.complaints = append(b.complaints, string(m.Params))
			}
		case "Runtime.consoleAPICalled":
			if strings.Contains(string(m.Params), `"type":"error"`) {
				b.complaints = append(b.complaints, string(m.Params))
			}
		case "Network.requestWillBeSent":
			var sent struct{ Request struct{ URL string } }
			_ = json.Unmarshal(m.Params, &sent)
			if u := sent.Request.URL; !strings.HasPrefix(u, b.from) && !strings.HasPrefix(u, "data:") {
				b.complaints = append(b.complaints, "the page asked for "+u)
			}
		}
		b.mu.Unlock()
	}
}

// Call sends a command, waits for the answer and decodes it into result, unless that is nil.
func (b *Browser) Call(method string, params, result any) {
	b.t.Helper()
	if err := b.call(method, params, result); err != nil {
		b.t.Fatal(err)
	}
}

func (b *Browser) call(method string, params, result any) error {
	m := map[string]any{}
	if params != nil {
		m["params"] = params
	}
	if b.session != "" {
		m["sessionId"] = b.session
	}
	answer := make(chan reply, 1)
	b.mu.Lock()
	if b.waiting == nil {
		b.mu.Unlock()
		return fmt.Errorf("%s: the browser has ended", method)
	}
	b.next++
	b.waiting[b.next] = answer
	m["id"], m["method"] = b.next, method
	b.mu.Unlock()
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		return err
	}
	select {
	case got, ok := <-answer:
		switch {
		case !ok:
			return fmt.Errorf("%s: the browser ended", method)
		case got.failure != "":
			return refused{method, got.failure}
		case result == nil:
			return nil
		}
		if err := json.Unmarshal(got.result, result); err != nil {
			return fmt.Errorf("%s: %w in %s", method, err, got.result)
		}
		return nil
	case <-time.After(time.Minute):
		return fmt.Errorf("%s: no answer", method)
	}
}

// refused is the error of a command that the browser rejects.
type refused struct{ method, why string }

func (r refused) Error() string { return r.method + ": " + r.why }

// Eval returns the value of an expression in the page, into out.
func (b *Browser) Eval(expression string, out any) {
	b.t.Helper()
	if err := b.eval(expression, out); err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
}

func (b *Browser) eval(expression string, out any) error {
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	if err := b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &r); err != nil {
		return err
	}
	if r.ExceptionDetails != nil {
		return fmt.Errorf("%s", r.ExceptionDetails)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(r.Result.Value, out); err != nil {
		return fmt.Errorf("%w in %s", err, r.Result.Value)
	}
	return nil
}

// Wait waits until an expression is true. A page may load again meanwhile. The browser then rejects the evaluation in
// the old page ("Inspected target navigated or closed"), and the new page is asked.
func (b *Browser) Wait(expression string) {
	b.t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(30 * time.Millisecond) {
		var is bool
		err := b.eval("Boolean("+expression+")", &is)
		if gone := (refused{}); err != nil && !errors.As(err, &gone) {
			b.t.Fatalf("%s: %v", expression, err)
		}
		if is {
			return
		}
		if time.Now().After(end) {
			b.t.Fatalf("%s does not come true; %v, %v", expression, err, b.Errors())
		}
	}
}

// Press types keys, as KeyboardEvent.key names them.
func (b *Browser) Press(keys ...string) {
	b.t.Helper()
	for _, k := range keys {
		m := map[string]any{"type": "keyDown", "key": k}
		if len(k) == 1 {
			m["text"] = k
		}
		if k == "Enter" {
			m["text"], m["windowsVirtualKeyCode"] = "\r", 13
		}
		b.Call("Input.dispatchKeyEvent", m, nil)
		m["type"] = "keyUp"
		delete(m, "text")
		b.Call("Input.dispatchKeyEvent", m, nil)
	}
}

func (b *Browser) Errors() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.complaints...)
}

// NoErrors fails the test if the page complained, or asked for anything that is not in its file.
func (b *Browser) NoErrors() {
	b.t.Helper()
	for _, e := range b.Errors() {
		b.t.Errorf("the page: %s", e)
	}
}

// Screenshot keeps a picture in the folder that TILEWRIGHT_SCREENSHOTS names, for people to look at.
func (b *Browser) Screenshot(name string) {
	b.t.Helper()
	dir := os.Getenv("TILEWRIGHT_SCREENSHOTS")
	if dir == "" {
		return
	}
	var shot struct{ Data string }
	b.Call("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	data, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s.png", name)), data, 0o666); err != nil {
		b.t.Fatal(err)
	}
}
