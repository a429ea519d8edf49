package cache

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// patience is how long a server may take for an entry. One that fails or takes longer is not asked again by this
// process.
const patience = 5 * time.Second

// A server is a cache in the HTTP protocol of Bazel's remote caches: GET and PUT of /ac/KEY and /cas/SHA-256.
type server struct {
	base   string
	client *http.Client
	wait   time.Duration // patience, but in tests
	warn   func(format string, args ...any)

	mu   sync.Mutex
	dead bool
}

func newServer(address string, warn func(format string, args ...any)) (*server, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("'%s' is not the address of a cache, as in http://host:8080", address)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &server{base: strings.TrimSuffix(u.String(), "/"), client: client, wait: patience, warn: warn}, nil
}

// errDead is the answer of a server that is not asked any more.
var errDead = errors.New("the server is given up")

func (s *server) get(kind, name string, limit int64) (data []byte, err error) {
	err = s.do(http.MethodGet, kind, name, nil, func(r *http.Response) error {
		switch {
		case r.StatusCode == http.StatusNotFound:
			return errMissing
		case r.StatusCode != http.StatusOK:
			return fmt.Errorf("it answers '%s'", r.Status)
		case r.ContentLength > limit:
			return fmt.Errorf("it sends %d bytes where at most %d were expected", r.ContentLength, limit)
		}
		data, err = io.ReadAll(io.LimitReader(r.Body, limit+1))
		if err == nil && (int64(len(data)) > limit || kind == contents && hashOf(data) != name) {
			return errors.New("it sends something else than was asked for")
		}
		return err
	})
	return data, err
}

// errMissing says that there is no such entry, which is nothing unusual.
var errMissing = errors.New("missing")

func (s *server) put(kind, name string, data []byte) error {
	return s.do(http.MethodPut, kind, name, data, func(r *http.Response) error {
		_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, 1<<16)) // so that the connection can be used again
		if r.StatusCode/100 != 2 {
			return fmt.Errorf("it answers '%s'", r.Status)
		}
		return nil
	})
}

// do sends a request, unless the server was given up, and gives it up when it fails.
func (s *server) do(method, kind, name string, body []byte, read func(*http.Response) error) error {
	s.mu.Lock()
	dead := s.dead
	s.mu.Unlock()
	if dead {
		return errDead
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.wait)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, s.base+"/"+kind+"/"+name, bytes.NewReader(body))
	if err != nil {
		return s.giveUp(err)
	}
	r, err := s.client.Do(req)
	if err != nil {
		return s.giveUp(err)
	}
	defer r.Body.Close()
	if err := read(r); err != nil && !errors.Is(err, errMissing) {
		return s.giveUp(err)
	} else if err != nil {
		return err
	}
	return nil
}

// giveUp tells once why the server is not asked again.
func (s *server) giveUp(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var at *url.Error
	switch {
	case errors.As(err, &at) && at.Timeout(), errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("it did not answer within %v", s.wait)
	case errors.As(err, &at):
		err = at.Err
	}
	if !s.dead {
		s.dead = true
		s.warn("the remote cache at %s is not used any more: %v", s.base, err)
	}
	return err
}

func (s *server) keep(key Key, r *Result) {
	_ = storeIn(s, key, r) // told by giveUp
}
