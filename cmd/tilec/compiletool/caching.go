package compiletool

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/internal/leaf/cache"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/target/ptxas"
)

// cacheVar names the folder of the cache for those who do not own the command line.
const cacheVar = "TILEWRIGHT_CACHE"

// A caching is what the command line says about the cache.
type caching struct {
	dir, url, size string
	bytes          int64
}

func (c *caching) define(fs *pflag.FlagSet) {
	fs.StringVar(&c.dir, "cache", os.Getenv(cacheVar), "keep results in the folder `DIR`, and take them from there")
	fs.StringVar(&c.size, "cache-size", "1G", "let the cache take `SIZE` bytes at most, as in 500M")
	fs.StringVar(&c.url, "remote-cache", "", "keep results on the server at `URL` too, which speaks the protocol of Bazel's HTTP caches")
	fs.Lookup("cache").DefValue = "" // the environment is not for the reference pages
}

func (c *caching) check() error {
	number, unit := strings.TrimRight(c.size, "kKMGT"), strings.TrimLeft(c.size, "0123456789")
	shift, ok := map[string]uint{"": 0, "k": 10, "K": 10, "M": 20, "G": 30, "T": 40}[unit]
	n, err := strconv.ParseInt(number, 10, 64)
	if !ok || err != nil || n <= 0 || n > 1<<(62-shift) {
		return flagErrorf(badFlag, "--cache-size takes a number of bytes, as in 500M, but got '%s'", c.size)
	}
	c.bytes = n << shift
	return nil
}

// open returns the cache that the command line names, or nil.
func (c *caching) open(stderr io.Writer) (*cache.Cache, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	opened, err := cache.Open(cache.Options{Dir: c.dir, Bytes: c.bytes, URL: c.url, Warn: func(format string, args ...any) {
		cli.Warn(stderr, format, args...)
	}})
	if err != nil {
		return nil, flagErrorf(badFlag, "--remote-cache: %w", err)
	}
	return opened, nil
}

// The files of a result.
const (
	outputFile  = "output"
	remarksFile = "remarks"
	launchFile  = "launch"
)

// aside are flags that do not change what is in a result.
var aside = []string{"output-file", "remarks-output-file", "ptxas", "cache", "cache-size", "remote-cache", "jobs", "output-dir", "verify-each", "report", "log", "plan"}

// watching are flags that ask for more than a result; with them the kernel is compiled, whatever the cache has.
var watching = []string{"timing", "pass-statistics", "dump-pass-pipeline", "crash-reproducer", "apply-controls"}

// key returns the key of what is to be compiled; ok is false when the cache has no part in it.
func (s *session) key(ctx context.Context) (key cache.Key, ok bool) {
	if s.cache == nil || s.left != nil || s.printing.Any() || s.remarks.asked() && s.remarks.format != remarksYAML || s.libraries != nil {
		return key, false
	}
	parts := []string{"tilewright", string(s.data), s.name}
	if bytecode.Is(s.data) {
		parts[2] = "" // its locations are in it
	}
	program, err := fingerprint(s.caching.dir, "/proc/self/exe", cli.ProgramHash)
	if err != nil {
		return key, false
	}
	parts = append(parts, program, s.persona.name, s.emit, s.planned)
	if s.emit == emitCubin {
		tool, err := ptxas.Find(s.ptxas)
		if err != nil {
			return key, false
		}
		assembler, err := fingerprint(s.caching.dir, tool.Path, func() ([]byte, error) { return fileHash(tool.Path) })
		if err != nil {
			return key, false
		}
		parts = append(parts, assembler)
	}
	s.flags.VisitAll(func(f *pflag.Flag) {
		if slices.Contains(watching, f.Name) && f.Changed {
			err = fmt.Errorf("--%s is set", f.Name)
		}
		if f.Changed && !slices.Contains(aside, f.Name) {
			parts = append(parts, f.Name+"="+f.Value.String())
		}
	})
	return cache.KeyOf(parts...), err == nil && ctx.Err() == nil
}

func fileHash(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return cli.HashOf(f)
}

// hashes are those of the programs that this process has hashed, by path, size and time: a batch asks for each of its
// files.
var hashes sync.Map

// fingerprint returns the hash of a program. It keeps the hash in the folder of the cache, if there is one, under the
// program's path, size and time. To hash tens of megabytes takes longer than to compile a small kernel.
func fingerprint(dir, path string, hash func() ([]byte, error)) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	info, err := os.Stat(real)
	if err != nil {
		sum, err := hash()
		return hex.EncodeToString(sum), err
	}
	name := cache.KeyOf(real, strconv.FormatInt(info.Size(), 10), info.ModTime().String()).String()
	if text, ok := hashes.Load(name); ok {
		return text.(string), nil
	}
	text, err := storedFingerprint(dir, name, hash)
	if err == nil {
		hashes.Store(name, text)
	}
	return text, err
}

func storedFingerprint(dir, name string, hash func() ([]byte, error)) (string, error) {
	memo := filepath.Join(dir, "programs", name)
	if text, err := os.ReadFile(memo); dir != "" && err == nil && len(text) == hex.EncodedLen(32) {
		return string(text), nil
	}
	sum, err := hash()
	if err != nil {
		return "", err
	}
	text := hex.EncodeToString(sum)
	if dir != "" && os.MkdirAll(filepath.Dir(memo), 0o777) == nil {
		_ = cli.Write(memo, []byte(text), nil) // a failure only costs another hash
	}
	return text, nil
}
