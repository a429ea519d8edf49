package view

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
)

// Options say what is served.
type Options struct {
	// File is the kernel, bytecode or text of any level.
	File  string
	Flags Flags // at first
	// Program makes the file; nil: it is there.
	Program *Program
	// Sources are the folders whose files may be shown when a location names them.
	Sources   []string
	Assembler *ptxas.Tool // nil: there is none
}

const (
	maxBody        = 64 << 10 // bytes of a request
	maxConnections = 64
	// patience is how long a request for news waits for them.
	patience = 25 * time.Second
)

// A Server serves one kernel.
type Server struct {
	compiler *compiler
	listener net.Listener
	hosts    []string // that a request may be addressed to
	token    string
}

// Listen returns a server on a port of the loopback interface; port 0 is one that is free.
func Listen(port int, opts Options) (*Server, error) {
	if err := opts.Flags.Check(); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	var secret [32]byte
	if _, err := rand.Read(secret[:]); err != nil {
		return nil, err
	}
	at := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	return &Server{compiler: newCompiler(opts), listener: limit(l, maxConnections), token: base64.RawURLEncoding.EncodeToString(secret[:]), hosts: []string{"127.0.0.1:" + at, "localhost:" + at}}, nil
}

// URL is the address of the page.
func (s *Server) URL() string { return "http://" + s.hosts[0] + "/" + s.token + "/" }

// Serve answers until the context ends.
func (s *Server) Serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go s.compiler.run(ctx)
	srv := &http.Server{Handler: s, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: longest + time.Minute, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx }}
	go func() {
		<-ctx.Done()
		srv.Close()
	}()
	err := srv.Serve(s.listener)
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}

// reject returns why a request is not answered; "" if it is.
func (s *Server) refuse(r *http.Request) string {
	address, _, err := net.SplitHostPort(r.RemoteAddr)
	if ip := net.ParseIP(address); err != nil || ip == nil || !ip.IsLoopback() {
		return "it is not of this machine"
	}
	if !slices.Contains(s.hosts, strings.ToLower(r.Host)) {
		return "its host is another one"
	}
	for _, origin := range r.Header.Values("Origin") {
		if origin != "http://"+r.Host {
			return "its origin is another one"
		}
	}
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" {
			return "another site asks for it"
		}
	}
	token, _, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if !ok || subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 {
		return "its token is another one"
	}
	return ""
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	for name, value := range map[string]string{
		"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "Content-Security-Policy": "frame-ancestors 'none'",
	} {
		h.Set(name, value)
	}
	if why := s.refuse(r); why != "" {
		http.Error(w, "the request is rejected: "+why, http.StatusForbidden)
		return
	}
	// Complete paths are compared, so there is none that leads elsewhere.
	switch place := strings.TrimPrefix(r.URL.EscapedPath(), "/"+s.token); {
	case place == "/" && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		s.page(w, r)
	case place == "/state" && r.Method == http.MethodGet:
		s.state(w, r)
	case place == "/flags" && r.Method == http.MethodPost:
		s.flags(w, r)
	case place == "/" || place == "/state" || place == "/flags":
		http.Error(w, "another method is expected", http.StatusMethodNotAllowed)
	default:
		http.Error(w, "there is nothing here", http.StatusNotFound)
	}
}

// page answers with the newest page, and waits for the first one.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	for {
		now, page, news := s.compiler.look()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch {
		case page != nil:
			_, _ = w.Write(page)
			return
		case !now.Busy:
			fmt.Fprintf(w, "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"2\"><title>tile-view</title><p>There is no page: %s", html.EscapeString(now.Error))
			return
		}
		select {
		case <-news:
		case <-r.Context().Done():
			return
		}
	}
}

// An answer is the state with the lists that flags are from.
type answer struct {
	state
	Targets   []string `json:"targets"`
	Passes    []string `json:"passes"`
	MaxStages int      `json:"maxStages"`
}

// state answers when the state is another one than the asker knows, or after a while.
func (s *Server) state(w http.ResponseWriter, r *http.Request) {
	known := r.URL.Query().Get("known")
	late := time.After(patience)
	for waiting := true; ; {
		now, _, news := s.compiler.look()
		if !waiting || known != now.key() {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(answer{now, sm.Names(), passNames(), MaxStages})
			return
		}
		select {
		case <-news:
		case <-late:
			waiting = false
		case <-r.Context().Done():
			return
		}
	}
}

// key is what a page says that it knows. The page makes it itself: view.js has the same line.
func (s state) key() string { return fmt.Sprintf("%d %t %s", s.Generation, s.Busy, s.Error) }

func passNames() (names []string) {
	for _, p := range passes.Default.Passes() {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return names
}

func (s *Server) flags(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Origin") == "" || r.Header.Get("Content-Type") != "application/json" {
		http.Error(w, "the request is rejected: it is not of the page", http.StatusForbidden)
		return
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "the request is too large, or was cut off", http.StatusRequestEntityTooLarge)
		return
	}
	var f Flags
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		http.Error(w, "the flags cannot be read: "+err.Error(), http.StatusBadRequest)
		return
	}
	if err := f.Check(); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.compiler.set(f)
	w.WriteHeader(http.StatusAccepted)
}
