package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/format"
	"path"
	"regexp"
	"slices"
	"strings"
	"text/template"
)

// A spec is the pass that is made.
type spec struct {
	name   string
	level  string
	room   string // "": that of the level's passes by default
	plugin bool
}

// A file is one that is written.
type file struct {
	path string
	text []byte
}

// A level is what the files of a pass differ in from level to level.
type level struct {
	Name     string // on the command line, and of the folder
	Folder   string
	Property string // of package property
	On       string // the operation that passes run on
	AddI     string // the row of the addition
	Imports  []string
	Suite    string
	// Rooms are the folders that part the level's passes by subject, the default first; nil: they lie side by side.
	Rooms []string
}

const arithRow = "github.com/tilewright/tilewright/dialects/arith"

var levels = []level{
	{"cuda_tile", "cudatile", "CudaTile", "cuda_tile.entry", "cudatile.AddI", []string{"github.com/tilewright/tilewright/dialects/cudatile"}, `// CHECK-LABEL: entry @dropped
// CHECK-NOT: addi
// CHECK: store_ptr_tko weak %p, %x
cuda_tile.entry @dropped(%p: !cuda_tile.tile<ptr<i32>>, %x: !cuda_tile.tile<i32>) {
  %zero = cuda_tile.constant <i32: 0> : !cuda_tile.tile<i32>
  %sum = cuda_tile.addi %x, %zero : !cuda_tile.tile<i32>
  %t = cuda_tile.store_ptr_tko weak %p, %sum : !cuda_tile.tile<ptr<i32>>, !cuda_tile.tile<i32> -> !cuda_tile.token
  cuda_tile.return
}

// CHECK-LABEL: entry @unchanged
// CHECK: addi
cuda_tile.entry @unchanged(%p: !cuda_tile.tile<ptr<i32>>, %x: !cuda_tile.tile<i32>) {
  %sum = cuda_tile.addi %x, %x : !cuda_tile.tile<i32>
  %t = cuda_tile.store_ptr_tko weak %p, %sum : !cuda_tile.tile<ptr<i32>>, !cuda_tile.tile<i32> -> !cuda_tile.token
  cuda_tile.return
}
`, nil},
	arithLevel("tileaa", "TileAA", "nv_tileaa"),
	arithLevel("tileas", "TileAS", "nv_tileas", "legalize", "layout", "async", "memory"),
	{"nvvm", "nvvm", "NVVM", "nvvm.func", "arith.AddI", []string{arithRow}, `// CHECK-LABEL: nvvm.func @dropped
// CHECK-NOT: arith.addi
// CHECK: nvvm.st %p, %x
nvvm.func @dropped(%p: !nvvm.ptr<1>, %x: i32) {
  %zero = arith.constant 0 : i32
  %sum = arith.addi %x, %zero : i32
  nvvm.st %p, %sum : !nvvm.ptr<1>, i32
  nvvm.return
}

// CHECK-LABEL: nvvm.func @unchanged
// CHECK: arith.addi
nvvm.func @unchanged(%p: !nvvm.ptr<1>, %x: i32) {
  %sum = arith.addi %x, %x : i32
  nvvm.st %p, %sum : !nvvm.ptr<1>, i32
  nvvm.return
}
`, nil},
}

// arithLevel is a level of tiles whose arithmetic is that of dialect arith.
func arithLevel(folder, property, dialect string, rooms ...string) level {
	suite := `// CHECK-LABEL: DIALECT.func @dropped
// CHECK-NOT: arith.addi
// CHECK: DIALECT.store %p, %x
DIALECT.func @dropped(%p: !DIALECT.ptr<i32>, %x: i32) {
  %zero = arith.constant 0 : i32
  %sum = arith.addi %x, %zero : i32
  %t = DIALECT.store %p, %sum : !DIALECT.ptr<i32>, i32 -> !DIALECT.mem_token
  DIALECT.return
}

// CHECK-LABEL: DIALECT.func @unchanged
// CHECK: arith.addi
DIALECT.func @unchanged(%p: !DIALECT.ptr<i32>, %x: i32) {
  %sum = arith.addi %x, %x : i32
  %t = DIALECT.store %p, %sum : !DIALECT.ptr<i32>, i32 -> !DIALECT.mem_token
  DIALECT.return
}
`
	return level{folder, folder, property, dialect + ".func", "arith.AddI", []string{arithRow}, strings.ReplaceAll(suite, "DIALECT", dialect), rooms}
}

func levelNames() string {
	var names []string
	for _, l := range levels {
		names = append(names, l.Name)
	}
	return strings.Join(names, ", ")
}

// roomNames describes the rooms for the flag's help.
func roomNames() string {
	var names []string
	for _, l := range levels {
		if len(l.Rooms) > 0 {
			names = append(names, l.Name+" has "+strings.Join(l.Rooms, ", "))
		}
	}
	return strings.Join(names, "; ") + " (default the first)"
}

// roomOf returns the folder below the level's that gets the pass; "" for the level's own.
func (s *spec) roomOf(l level) (string, error) {
	switch {
	case s.room == "" && len(l.Rooms) > 0:
		return l.Rooms[0], nil
	case s.room == "":
		return "", nil
	case s.plugin:
		return "", fmt.Errorf("a plugin has no room: it lies below passes/plugins")
	case len(l.Rooms) == 0:
		return "", fmt.Errorf("unknown room '%s'; the passes of level '%s' have no rooms", s.room, l.Name)
	case !slices.Contains(l.Rooms, s.room):
		return "", fmt.Errorf("unknown room '%s' of level '%s'; there is %s", s.room, l.Name, strings.Join(l.Rooms, ", "))
	}
	return s.room, nil
}

//go:embed pass.go.tmpl
var passTemplate string

var kebab = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// files returns what is to be written, given how to read what is there.
func (s *spec) files(read func(name string) ([]byte, error)) ([]file, error) {
	if !kebab.MatchString(s.name) {
		return nil, fmt.Errorf("name '%s' is not in kebab case", s.name)
	}
	at := slices.IndexFunc(levels, func(l level) bool { return l.Name == s.level })
	if at < 0 {
		return nil, fmt.Errorf("unknown level '%s'; there is %s", s.level, levelNames())
	}
	l := levels[at]
	room, err := s.roomOf(l)
	if err != nil {
		return nil, err
	}
	// The package of tileas-my-pass is passes/tileas/ROOM/mypass, as those of the other passes are.
	pkg := strings.ReplaceAll(strings.TrimPrefix(s.name, l.Folder+"-"), "-", "")
	folder, list := path.Join("passes", l.Folder, room, pkg), "passes/all/all.go"
	if s.plugin {
		pkg = strings.ReplaceAll(s.name, "-", "")
		folder, list = path.Join("passes/plugins", pkg), "passes/plugins/all.go"
	}
	var code bytes.Buffer
	t := template.Must(template.New("pass").Parse(passTemplate))
	if err := t.Execute(&code, map[string]any{"Package": pkg, "Name": s.name, "Level": l}); err != nil {
		return nil, err
	}
	source, err := format.Source(code.Bytes())
	if err != nil {
		return nil, err
	}
	out := []file{
		{path.Join(folder, "pass.go"), source},
		{path.Join("tests/suite/passes", s.name+".mlir"), []byte("// RUN: tile-opt %s --" + s.name + " | FileCheck %s\n\n" + l.Suite)},
	}
	for _, f := range out {
		if _, err := read(f.path); err == nil || exists(err) {
			return nil, fmt.Errorf("%s is there already", f.path)
		}
	}
	linked, err := read(list)
	if err != nil {
		return nil, err
	}
	linked, err = link(linked, "github.com/tilewright/tilewright/"+folder)
	return append(out, file{list, linked}), err
}

// link adds an import line to the list of packages that are linked, in its place.
func link(text []byte, pkg string) ([]byte, error) {
	line := "\t_ \"" + pkg + "\""
	lines := strings.Split(string(text), "\n")
	last := -1
	for i, l := range lines {
		if !strings.HasPrefix(l, "\t_ \"") {
			continue
		}
		if l > line {
			return []byte(strings.Join(slices.Insert(lines, i, line), "\n")), nil
		}
		last = i
	}
	if last < 0 {
		return nil, fmt.Errorf("the list of packages has no imports")
	}
	return format.Source([]byte(strings.Join(slices.Insert(lines, last+1, line), "\n")))
}
