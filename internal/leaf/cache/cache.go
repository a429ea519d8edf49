// Package cache keeps the results of compilations under the key of their inputs. It keeps them in a folder of this
// machine, which many processes share, and on a server that many machines share.
//
// # Actions and contents
//
// As in Bazel's caches, there are two kinds of entries. An action is found by its key, the SHA-256 of everything that
// its result depends on. It lists the files that it made by their SHA-256, and contents are found by that. So a file
// that is not what its name says is found out, wherever it was damaged: it counts as missing, and its action
// runs again. An action repeats its key, so that a mixed-up action is found out too.
//
// # Nothing fails
//
// A cache makes a compilation faster or changes nothing. Nothing in it is an error for the user. A folder that cannot
// be written, or a server that hangs, lies or dies, is reported once (Warn), and the compilation goes on without it.
//
// No library served. Those of Go's build cache and of others have no bound on the size, or do not speak the protocol
// of remote caches. The library of protobuf reads and writes the wire format of actions.
package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// maxContent bounds a file in the cache.
const maxContent = 256 << 20

// A Key stands for everything that a result depends on.
type Key [sha256.Size]byte

// String spells the key as the names of entries have it.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// KeyOf returns the key of a list of parts. Lists that differ in any way have different keys.
func KeyOf(parts ...string) Key {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		h.Write([]byte(p)) // a hash takes everything
	}
	return Key(h.Sum(nil))
}

// A Result is what a compilation made: files by name, which are names of their kind and not paths, and what it said.
type Result struct {
	Files map[string][]byte
	Said  []byte
}

// A store holds entries of both kinds; a missing one is an error too.
type store interface {
	get(kind, name string, limit int64) ([]byte, error)
	put(kind, name string, data []byte) error
}

// The kinds of entries.
const (
	actions  = "ac"
	contents = "cas"
)

// A Cache is a folder, a server, or both.
type Cache struct {
	local  *folder
	remote *server
}

// Options say where the cache is; both may be empty.
type Options struct {
	Dir   string
	Bytes int64  // that the folder may take
	URL   string // of the server
	Warn  func(format string, args ...any)
}

// Open returns the cache, or nil when there is none.
func Open(o Options) (*Cache, error) {
	c := new(Cache)
	if o.Dir != "" {
		c.local = &folder{dir: o.Dir, limit: o.Bytes, warn: o.Warn}
	}
	if o.URL != "" {
		var err error
		if c.remote, err = newServer(o.URL, o.Warn); err != nil {
			return nil, err
		}
	}
	if c.local == nil && c.remote == nil {
		return nil, nil
	}
	return c, nil
}

// Get returns the result for a key, or nil.
func (c *Cache) Get(key Key) *Result {
	if c.local != nil {
		if r := fetch(c.local, key); r != nil {
			return r
		}
	}
	if c.remote == nil {
		return nil
	}
	r := fetch(c.remote, key)
	if r != nil && c.local != nil {
		c.local.keep(key, r)
	}
	return r
}

// Put keeps the result for a key.
func (c *Cache) Put(key Key, r *Result) {
	if c.local != nil {
		c.local.keep(key, r)
	}
	if c.remote != nil {
		c.remote.keep(key, r)
	}
}

// Close brings the folder back to its bound.
func (c *Cache) Close() {
	if c != nil && c.local != nil {
		c.local.trim()
	}
}

// fetch reads an action and its contents; nil when one of them is missing or not what it should be.
func fetch(s store, key Key) *Result {
	data, err := s.get(actions, key.String(), maxAction)
	if err != nil {
		return nil
	}
	a, err := decodeAction(data)
	if err != nil || a.key != key.String() {
		return nil
	}
	r := &Result{Files: make(map[string][]byte), Said: a.said}
	for _, f := range a.files {
		content, err := s.get(contents, f.hash, f.size)
		if err != nil || int64(len(content)) != f.size || hashOf(content) != f.hash {
			return nil
		}
		r.Files[f.name] = content
	}
	return r
}

// storeIn writes contents first, so that whoever finds the action finds them.
func storeIn(s store, key Key, r *Result) error {
	a := &action{key: key.String(), said: r.Said}
	for name, data := range r.Files {
		if len(data) > maxContent {
			return fmt.Errorf("'%s' has %d bytes", name, len(data))
		}
		f := file{name, hashOf(data), int64(len(data))}
		if err := s.put(contents, f.hash, data); err != nil {
			return err
		}
		a.files = append(a.files, f)
	}
	return s.put(actions, a.key, a.encode())
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
