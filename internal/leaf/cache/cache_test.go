package cache

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func result(n int) *Result {
	return &Result{Files: map[string][]byte{"output": bytes.Repeat([]byte{byte(n)}, 1000), "remarks": fmt.Appendf(nil, "remark %d", n)}, Said: []byte("warning")}
}

func same(a, b *Result) bool {
	if a == nil || b == nil || len(a.Files) != len(b.Files) || !bytes.Equal(a.Said, b.Said) {
		return a == b
	}
	for name, data := range a.Files {
		if !bytes.Equal(data, b.Files[name]) {
			return false
		}
	}
	return true
}

// open opens a cache whose warnings are counted.
func open(t *testing.T, o Options, warnings *[]string) *Cache {
	t.Helper()
	var mu sync.Mutex
	o.Warn = func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		*warnings = append(*warnings, fmt.Sprintf(format, args...))
	}
	if o.Bytes == 0 {
		o.Bytes = 1 << 30
	}
	c, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	if c.remote != nil {
		c.remote.wait = 300 * time.Millisecond
	}
	return c
}

func TestKeys(t *testing.T) {
	t.Parallel()
	seen := make(map[Key]string)
	for _, parts := range [][]string{nil, {""}, {"", ""}, {"a", "b"}, {"ab"}, {"a", "", "b"}, {"1:a"}, {"b", "a"}} {
		k := KeyOf(parts...)
		if other, ok := seen[k]; ok {
			t.Errorf("%q has the key of %s", parts, other)
		}
		seen[k] = fmt.Sprintf("%q", parts)
	}
}

// entries lists the files of a kind.
func entries(t *testing.T, dir, kind string) (paths []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, kind, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// TestDamage changes, cuts and mixes up each entry: it counts as missing, and can be put again.
func TestDamage(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(path string, data []byte) error{
		"flip":    func(p string, d []byte) error { d[len(d)/2] ^= 1; return os.WriteFile(p, d, 0o666) },
		"cut":     func(p string, d []byte) error { return os.WriteFile(p, d[:len(d)/2], 0o666) },
		"empty":   func(p string, d []byte) error { return os.WriteFile(p, nil, 0o666) },
		"longer":  func(p string, d []byte) error { return os.WriteFile(p, append(d, 0), 0o666) },
		"garbage": func(p string, d []byte) error { return os.WriteFile(p, bytes.Repeat([]byte{0xff}, len(d)), 0o666) },
		"gone":    func(p string, d []byte) error { return os.Remove(p) },
		"folder": func(p string, d []byte) error {
			if err := os.Remove(p); err != nil {
				return err
			}
			return os.Mkdir(p, 0o777)
		},
	} {
		for _, kind := range []string{actions, contents} {
			t.Run(name+" "+kind, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				var warnings []string
				c := open(t, Options{Dir: dir}, &warnings)
				key := KeyOf("k")
				c.Put(key, result(1))
				if !same(c.Get(key), result(1)) {
					t.Fatal("what was put is not there")
				}
				for _, path := range entries(t, dir, kind) {
					data, err := os.ReadFile(path)
					if err == nil {
						err = damage(path, data)
					}
					if err != nil {
						t.Fatal(err)
					}
				}
				// A bit of what the action says beside its files may differ without notice; the files may not.
				if got := c.Get(key); got != nil && !bytes.Equal(got.Files["output"], result(1).Files["output"]) {
					t.Errorf("got %v", got)
				}
				if kind == contents && c.Get(key) != nil {
					t.Error("a damaged file was taken")
				}
				if name == "folder" {
					return // in the way of entries, which causes a warning only
				}
				c.Put(key, result(1))
				c.Put(key, result(1))
				if kind == contents && name != "flip" && name != "garbage" && !same(c.Get(key), result(1)) {
					t.Error("the entry cannot be put again")
				}
			})
		}
	}
}

// TestMixedUp gives one action the name of another.
func TestMixedUp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var warnings []string
	c := open(t, Options{Dir: dir}, &warnings)
	a, b := KeyOf("a"), KeyOf("b")
	c.Put(a, result(1))
	data, err := os.ReadFile(c.local.path(actions, a.String()))
	if err == nil {
		err = c.local.put(actions, b.String(), data)
	}
	if err != nil {
		t.Fatal(err)
	}
	if c.Get(b) != nil {
		t.Error("the result of another key was taken")
	}
}

// TestBound puts more than the folder may take: what was used last stays.
func TestBound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var warnings []string
	const limit = 50_000
	c := open(t, Options{Dir: dir, Bytes: limit}, &warnings)
	for i := range 100 {
		c.Put(KeyOf(fmt.Sprint(i)), result(i))
		old := time.Now().Add(time.Duration(i-200) * time.Minute)
		for _, kind := range []string{actions, contents} {
			for _, path := range entries(t, dir, kind) {
				if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) < time.Minute {
					if err := os.Chtimes(path, old, old); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	c.Get(KeyOf("3")) // used now
	c.Close()
	var total int64
	for _, kind := range []string{actions, contents} {
		for _, path := range entries(t, dir, kind) {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			total += info.Size()
		}
	}
	if total > limit || total < limit/2 {
		t.Errorf("%d bytes are left, of %d that may be", total, limit)
	}
	for key, want := range map[string]bool{"3": true, "99": true, "0": false, "10": false} {
		if got := c.Get(KeyOf(key)) != nil; got != want {
			t.Errorf("%s: there: %v, want %v", key, got, want)
		}
	}
}

// TestTrimTogether lets several processes, each with a folder of its own, trim one cache at once: together they
// remove hardly more than one would (one may find a folder that another is half through with).
func TestTrimTogether(t *testing.T) {
	t.Parallel()
	const entries, size, limit = 100, 10, 500
	for round := range 3 {
		dir := t.TempDir()
		name := func(i int) string { return hashOf(fmt.Append(nil, i)) }
		first := &folder{dir: dir, limit: limit}
		for i := range entries {
			if err := first.put(contents, name(i), make([]byte, size)); err != nil {
				t.Fatal(err)
			}
		}
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() { (&folder{dir: dir, limit: limit, stored: true}).trim() })
		}
		wg.Wait()
		left, err := filepath.Glob(filepath.Join(dir, contents, "*", "*"))
		if err != nil || len(left)*size > limit || len(left)*size < limit/2 {
			t.Fatalf("round %d: %d bytes are left of a bound of %d: %v", round, len(left)*size, limit, err)
		}
	}
}

func TestUnwritable(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	var warnings []string
	c := open(t, Options{Dir: filepath.Join(file, "x")}, &warnings)
	for range 3 {
		c.Put(KeyOf("k"), result(1))
		if c.Get(KeyOf("k")) != nil {
			t.Error("got what cannot be there")
		}
	}
	c.Close()
	if len(warnings) != 1 {
		t.Errorf("warnings: %q", warnings)
	}
}

// A bazel is a server of the protocol.
type bazel struct {
	mu   sync.Mutex
	data map[string][]byte
	gets int
}

func (b *bazel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch r.Method {
	case http.MethodPut:
		data, err := io.ReadAll(r.Body)
		if err != nil || strings.HasPrefix(r.URL.Path, "/cas/") && hashOf(data) != strings.TrimPrefix(r.URL.Path, "/cas/") {
			http.Error(w, "bad", http.StatusBadRequest)
			return
		}
		b.data[r.URL.Path] = data
	case http.MethodGet:
		b.gets++
		data, ok := b.data[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(data)
	}
}

// TestServer shares results through a server.
func TestServer(t *testing.T) {
	t.Parallel()
	b := &bazel{data: make(map[string][]byte)}
	s := httptest.NewServer(b)
	defer s.Close()
	var warnings []string
	key := KeyOf("k")
	open(t, Options{URL: s.URL + "/"}, &warnings).Put(key, result(7))
	dir := t.TempDir()
	there := open(t, Options{URL: s.URL, Dir: dir}, &warnings)
	if there.Get(KeyOf("other")) != nil || !same(there.Get(key), result(7)) {
		t.Error("the result is not on the server")
	}
	gets := b.gets
	if !same(there.Get(key), result(7)) || b.gets != gets {
		t.Error("the result did not come to the folder")
	}
	if warnings != nil {
		t.Errorf("warnings: %q", warnings)
	}
}

// TestBadServer has servers that do what they should not: no result comes of it, nothing takes long, and the user is
// warned once.
func TestBadServer(t *testing.T) {
	t.Parallel()
	good := &bazel{data: make(map[string][]byte)}
	origin := httptest.NewServer(good)
	defer origin.Close()
	key := KeyOf("k")
	var none []string
	open(t, Options{URL: origin.URL}, &none).Put(key, result(1))
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop) })
	for name, handler := range map[string]http.HandlerFunc{
		"hangs":     func(w http.ResponseWriter, r *http.Request) { <-stop },
		"hangs mid": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(200); w.(http.Flusher).Flush(); <-stop },
		"error":     func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", http.StatusInternalServerError) },
		"refuses":   func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", http.StatusForbidden) },
		"redirects": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
		"dies":      func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) },
		"dies mid": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "500")
			_, _ = w.Write([]byte("x"))
			panic(http.ErrAbortHandler)
		},
		"lies": func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/cas/") {
				_, _ = w.Write(bytes.Repeat([]byte{9}, 1000))
				return
			}
			good.ServeHTTP(w, r)
		},
		"huge": func(w http.ResponseWriter, r *http.Request) {
			for range 100 {
				if _, err := w.Write(make([]byte, 1<<20)); err != nil {
					return
				}
			}
		},
		"claims much": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "99999999999")
			w.WriteHeader(200)
		},
		"forgets": func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/cas/") {
				http.NotFound(w, r)
				return
			}
			good.ServeHTTP(w, r)
		},
		"garbage": func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte("\xff\xff\xff\xff")) },
		"other key": func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write((&action{key: KeyOf("x").String()}).encode())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(handler)
			t.Cleanup(s.CloseClientConnections)
			var warnings []string
			c := open(t, Options{URL: s.URL, Dir: t.TempDir()}, &warnings)
			start := time.Now()
			for range 5 {
				if got := c.Get(key); got != nil {
					t.Errorf("got %v", got)
				}
			}
			c.Put(KeyOf("mine"), result(2))
			if !same(c.Get(KeyOf("mine")), result(2)) {
				t.Error("the folder does not serve")
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
			if len(warnings) > 1 {
				t.Errorf("warnings: %q", warnings)
			}
		})
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"x", "ftp://x", "http://", "://", "http://a b"} {
		if _, err := Open(Options{URL: address}); err == nil {
			t.Errorf("%s was accepted", address)
		}
	}
}

func FuzzAction(f *testing.F) {
	f.Add((&action{key: KeyOf("k").String(), said: []byte("x"), files: []file{{"output", hashOf(nil), 3}}}).encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := decodeAction(data)
		if err == nil && !bytes.Equal((a).encode(), a.encode()) {
			t.Error("an action is not written as it is")
		}
	})
}
