package tune

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/internal/leaf/cache"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/engine/npy"
)

// Bounds of what is read, far above any use.
const (
	maxList    = 16 << 20
	maxConfigs = 1 << 12
	maxName    = 1 << 10
	maxArgs    = 1 << 12
	maxModules = 256 << 20 // bytes of all modules
	maxModule  = 64 << 20
	maxMemory  = 16 << 30 // bytes of the buffers of a launch
	maxGrid    = 1<<31 - 1
)

// A Config is a configuration: a kernel and a launch of it.
type Config struct {
	Name   string
	File   string // of the module, for messages
	Module []byte
	Entry  string // "": the only one
	Grid   [3]uint32
	Args   []string // as tile time takes them, and "@N" for the memory of argument N
	Plan   string   // options of passes, as --print-plan of tilec prints them

	args  []launch.Arg
	plans pipeline.KernelPlans
	data  string // what buffers hold that come from files, as a hash
}

// A list is the file that names configurations.
type list struct {
	Configurations []entry `json:"configurations"`
}

type entry struct {
	Name   string   `json:"name"`
	Module string   `json:"module"`
	Entry  string   `json:"entry"`
	Grid   []int64  `json:"grid"`
	Args   []string `json:"args"`
	Plan   string   `json:"plan"`
}

// Read reads configurations: a JSON file that lists them, or a folder with numeric cases, in the order of their names.
// Files that a list names are below its folder.
func Read(path string) ([]*Config, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read '%s': %w", path, cause(err))
	}
	if info.IsDir() {
		return readCases(path)
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	text, err := readFile(root, filepath.Base(path), maxList)
	if err != nil {
		return nil, err
	}
	configs, err := parse(text, func(name string, limit int64) ([]byte, error) { return readFile(root, name, limit) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return configs, nil
}

// cause is an error without the path, which the message names already.
func cause(err error) error {
	if p := (*os.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}

func readFile(root *os.Root, name string, limit int64) ([]byte, error) {
	if !filepath.IsLocal(name) {
		return nil, fmt.Errorf("%q is not a relative path inside the folder", name)
	}
	f, err := npy.OpenRegular(name, root.Stat, root.Open)
	if err != nil {
		return nil, fmt.Errorf("cannot read '%s': %w", name, cause(err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read '%s': %w", name, cause(err))
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("'%s' is larger than %d bytes", name, limit)
	}
	return data, nil
}

// parse reads a list whose files open opens.
func parse(text []byte, open func(name string, limit int64) ([]byte, error)) ([]*Config, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	var l list
	if err := dec.Decode(&l); err != nil {
		return nil, jsonError(text, dec.InputOffset(), err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("%s: something follows the object", position(text, dec.InputOffset()))
	}
	if n := len(l.Configurations); n == 0 || n > maxConfigs {
		return nil, fmt.Errorf("configurations: got %d, expected 1 to %d", n, maxConfigs)
	}
	files := files{open: open, known: make(map[string][]byte), args: make(map[string]argument)}
	configs := make([]*Config, len(l.Configurations))
	for i := range configs {
		c, err := files.config(&l.Configurations[i])
		if err != nil {
			return nil, fmt.Errorf("configurations[%d].%w", i, err)
		}
		if c.Name == "" {
			c.Name = strconv.Itoa(i)
		}
		configs[i] = c
	}
	return configs, nil
}

// jsonError gives an error of the decoder its line and column.
func jsonError(text []byte, at int64, err error) error {
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		at = syntax.Offset
	}
	if kind := (*json.UnmarshalTypeError)(nil); errors.As(err, &kind) {
		return fmt.Errorf("%s: %s: got a JSON %s, expected %s", position(text, kind.Offset), kind.Field, kind.Value, kind.Type)
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = errors.New("JSON ends early")
	}
	return fmt.Errorf("%s: %w", position(text, at), err)
}

func position(text []byte, at int64) string {
	before := text[:max(0, min(at, int64(len(text))))]
	return fmt.Sprintf("%d:%d", 1+bytes.Count(before, []byte("\n")), len(before)-bytes.LastIndexByte(before, '\n'))
}

// files are those that a list has named so far, each read once; so are arguments.
type files struct {
	open  func(name string, limit int64) ([]byte, error)
	known map[string][]byte
	total int
	args  map[string]argument
}

func (f *files) read(name string, limit int64) ([]byte, error) {
	if data, ok := f.known[name]; ok {
		return data, nil
	}
	data, err := f.open(name, limit)
	if err != nil {
		return nil, err
	}
	if f.total += len(data); f.total > maxModules {
		return nil, fmt.Errorf("the files take more than %d bytes together", maxModules)
	}
	f.known[name] = data
	return data, nil
}

func (f *files) config(e *entry) (*Config, error) {
	c := &Config{Name: e.Name, File: e.Module, Entry: e.Entry, Args: e.Args, Plan: e.Plan}
	switch {
	case len(e.Name) > maxName:
		return nil, fmt.Errorf("name: longer than %d bytes", maxName)
	case e.Module == "":
		return nil, errors.New("module: missing")
	case len(e.Entry) > maxName:
		return nil, fmt.Errorf("entry: longer than %d bytes", maxName)
	case len(e.Grid) == 0 || len(e.Grid) > 3:
		return nil, fmt.Errorf("grid: got %d numbers, expected up to 3", len(e.Grid))
	case len(e.Args) > maxArgs:
		return nil, fmt.Errorf("args: got %d, at most %d are accepted", len(e.Args), maxArgs)
	}
	c.Grid = [3]uint32{1, 1, 1}
	for i, n := range e.Grid {
		if n < 1 || n > maxGrid {
			return nil, fmt.Errorf("grid[%d]: got %d, expected a number from 1 to %d", i, n, maxGrid)
		}
		c.Grid[i] = uint32(n)
	}
	var err error
	if c.Module, err = f.read(e.Module, maxModule); err != nil {
		return nil, fmt.Errorf("module: %w", err)
	}
	if e.Plan != "" {
		if c.plans, err = pipeline.ParseKernelPlans(passes.Default, "plan", e.Plan); err != nil {
			return nil, fmt.Errorf("plan: %w", err)
		}
	}
	var data []string
	total := 0
	for i, text := range e.Args {
		a, from, err := f.argument(text, c.args)
		if err != nil {
			return nil, fmt.Errorf("args[%d]: %w", i, err)
		}
		if b := a.Buffer; b != nil && !strings.HasPrefix(text, "@") {
			if total += len(b.Data); total > maxMemory {
				return nil, fmt.Errorf("args[%d]: the buffers take more than %d bytes together", i, maxMemory)
			}
		}
		if from != "" {
			data = append(data, hash(string(f.known[from])))
		}
		c.args = append(c.args, a)
	}
	c.data = strings.Join(data, " ")
	return c, nil
}

// argument reads an argument, and names the file that it came from. Configurations share the contents of buffers,
// which estimates do not change.
func (f *files) argument(text string, before []launch.Arg) (a launch.Arg, from string, err error) {
	if ref, ok := strings.CutPrefix(text, "@"); ok {
		number, offset, moved := strings.Cut(ref, "+")
		n, err := strconv.ParseUint(number, 10, 31)
		if err != nil || n >= uint64(len(before)) || before[n].Buffer == nil {
			return a, "", fmt.Errorf("'%.40s' is no buffer before this one", text)
		}
		a = before[n]
		if moved {
			if a.Offset, err = strconv.ParseUint(offset, 10, 63); err != nil || a.Offset > uint64(len(a.Buffer.Data)) {
				return a, "", fmt.Errorf("'%.40s' is outside the buffer", text)
			}
		}
		return a, "", nil
	}
	known, ok := f.args[text]
	if !ok {
		known.arg, err = launch.ParseArg(text, func(name string) (*npy.Array, error) {
			known.from = name
			data, err := f.read(name, maxModules)
			if err != nil {
				return nil, err
			}
			return npy.Read(bytes.NewReader(data))
		})
		if err != nil {
			return a, "", err
		}
		f.args[text] = known
	}
	a = known.arg
	if b := a.Buffer; b != nil {
		own := *b // two arguments that look alike are two buffers
		a.Buffer = &own
	}
	return a, known.from, nil
}

// An argument is what a text says, and the file that it names.
type argument struct {
	arg  launch.Arg
	from string
}

// readCases reads the cases of a folder.
func readCases(folder string) ([]*Config, error) {
	paths, err := filepath.Glob(filepath.Join(escape(folder), "*", "case.json"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 || len(paths) > maxConfigs {
		return nil, fmt.Errorf("'%s' has %d folders with a case.json, expected 1 to %d", folder, len(paths), maxConfigs)
	}
	slices.Sort(paths)
	var configs []*Config
	for _, path := range paths {
		kase, err := launch.LoadCase(path)
		if err != nil {
			return nil, err
		}
		if len(kase.Segments) > 0 {
			return nil, fmt.Errorf("%s: segments are not supported here", path)
		}
		c := &Config{Name: kase.Name, File: kase.Module, Entry: kase.Entry, Grid: kase.Grid, args: kase.Args}
		if c.Module, err = kase.ReadModule(); err != nil {
			return nil, err
		}
		h := sha256.New()
		for _, a := range kase.Args {
			c.Args = append(c.Args, a.String())
			if a.Buffer != nil {
				h.Write(a.Buffer.Data)
			}
		}
		c.data = hex.EncodeToString(h.Sum(nil))
		configs = append(configs, c)
	}
	return configs, nil
}

// escape makes a path one that Glob takes as it is.
func escape(path string) string {
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "?", "\\?", "[", "\\[").Replace(path)
}

func hash(parts ...string) string { return cache.KeyOf(parts...).String() }
