package hostile

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/scratch"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/internal/tooling/demo"
	"github.com/tilewright/tilewright/target/engine/npy"
)

const (
	kernel  = "cuda_tile.module @m {\n  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {\n    return\n  }\n}\n"
	endless = "cuda_tile.module @m {\n  entry @k() {\n    loop {\n      continue\n    }\n    return\n  }\n}\n"
	counts  = "cuda_tile.module @m {\n  entry @k() {\n    %a = constant <i32: 0> : tile<i32>\n    %s = constant <i32: 1> : tile<i32>\n    %n = constant <i32: 5000> : tile<i32>\n    for %i in (%a to %n, step %s) : tile<i32> {\n      continue\n    }\n    return\n  }\n}\n"
)

// anyInput are files that are no kernels, and that every tool is given as its input.
func anyInput(module []byte) map[string][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	garbage := make([]byte, 3000)
	for i := range garbage {
		garbage[i] = byte(random.Uint32())
	}
	flip := bytes.Clone(module)
	flip[len(flip)/2] ^= 0x40
	return map[string][]byte{
		"garbage.bin":      garbage,
		"zeros.bin":        make([]byte, 1000),
		"truncated.bc":     module[:len(module)/2],
		"header.bc":        module[:9],
		"magic.bc":         module[:8],
		"twice.bc":         append(bytes.Clone(module), module...),
		"wrong-magic.bc":   append([]byte("\x7fTileIX\x00"), module[8:]...),
		"mlir.bc":          append([]byte("ML\xefR"), make([]byte, 100)...),
		"mangled.bc":       flip,
		"nul.mlir":         []byte("cuda_tile.module @m {\x00}\n"),
		"latin1.mlir":      []byte("cuda_tile.module @m\xe9 {}\n"),
		"escape.mlir":      []byte("cuda_tile.module @m { \x1b[31m\x1b]0;x\x07 }\n"),
		"open.mlir":        []byte("cuda_tile.module @m {"),
		"deep.mlir":        []byte(strings.Repeat("module {", 20000)),
		"deeptype.mlir":    []byte("\"a\"() : () -> (" + strings.Repeat("tuple<", 20000)),
		"long.mlir":        []byte("cuda_tile.module @" + strings.Repeat("x", 1<<16) + " {"),
		"number.mlir":      []byte("cuda_tile.module @m { entry @k() { %0 = constant <i32: 99999999999999999999999999> : tile<i32> return } }"),
		"string.mlir":      []byte("module attributes {a = \"never ends"),
		"words.txt":        []byte("hello, world\n"),
		"prog.py":          []byte("import numpy as np\n"),
		"blank.mlir":       []byte("}\n"),
		"json.json.txt":    []byte("{\"module\": 1}"),
		"elf.cubin":        append([]byte("\x7fELF\x02\x01\x01"), make([]byte, 200)...),
		"unknown-op.mlir":  []byte("cuda_tile.module @m { entry @k() { frobnicate return } }"),
		"wrong-type.mlir":  []byte("cuda_tile.module @m { entry @k(%a: tile<3xf32>) { return } }"),
		"unknown-dialect":  []byte("\"a.b\"() : () -> ()"),
		"use-before.mlir":  []byte("cuda_tile.module @m { entry @k() { %1 = addi %0, %0 : tile<i32> return } }"),
		"half-comment.txt": []byte("/* not a comment of MLIR"),
	}
}

// makeInputs fills the folder that all calls share.
func makeInputs(t *testing.T, dir string) (files []string) {
	t.Helper()
	folder, err := demo.Extract(dir)
	if err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile(filepath.Join(folder, "k.tileirbc"))
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range anyInput(module) {
		files = append(files, name)
		write(name, data)
	}
	ten := &npy.Array{DType: npy.Float32, Shape: []int{10}, Data: make([]byte, 40)}
	if err := npy.WriteFile(filepath.Join(dir, "ten.npy"), ten); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(filepath.Join(dir, "ten.npy"))
	if err != nil {
		t.Fatal(err)
	}
	var entries strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&entries, "entry @kernel_number_%d() { return }\n", i)
	}
	for name, text := range map[string]string{
		"k.mlir": kernel, "endless.mlir": endless, "counts.mlir": counts, "empty.mlir": "", "bom.mlir": "\xef\xbb\xbf" + kernel, "crlf.mlir": strings.ReplaceAll(kernel, "\n", "\r\n"),
		"many.mlir": "cuda_tile.module @m {\n" + entries.String() + "}\n", "unreadable.mlir": kernel,
		"short.npy": string(good[:len(good)-1]), "longer.npy": string(good) + "x", "magic.npy": "NUMPY", "headless.npy": string(good[:10]),
		"negative.npy": strings.Replace(string(good), "(10,)", "(-1,)", 1), "object.npy": strings.Replace(string(good), "<f4", "|O ", 1), "big.npy": strings.Replace(string(good), "<f4", ">f4", 1),
		"huge.npy":    strings.Replace(string(good), "(10,), }              ", "(99999999999999999,), }", 1),
		"ptx.ptx":     ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k() { frobnicate; }\n",
		"noblock.ptx": ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n",
	} {
		write(name, []byte(text))
	}
	write("large.mlir", nil)
	if err := os.Truncate(filepath.Join(dir, "large.mlir"), cli.MaxInput+1); err != nil { // takes no room
		t.Fatal(err)
	}
	scratch.Script(t, dir, "test.sh", "#!/bin/sh\nexit 1\n")
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	makeCases(t, dir, module)
	pipe(t, filepath.Join(dir, "pipe.npy"))
	return files
}

const caseText = `{"module": "k.mlir", "entry": "k", "grid": [1, 1, 1], "args": [{"buffer": "ten.npy", "dtype": "f32"}, {"scalar": "i32", "value": 1}], "expect": []}`

// makeCases writes numeric cases, each wrong in one place.
func makeCases(t *testing.T, dir string, module []byte) {
	t.Helper()
	ten, err := os.ReadFile(filepath.Join(dir, "ten.npy"))
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"good":     {"", ""},
		"quoted":   {`"value": 1`, `"value": "1"`},
		"nan":      {`"value": 1`, `"value": "nan"`},
		"null":     {`"value": 1`, `"value": null`},
		"fraction": {`"value": 1`, `"value": 1.5`},
		"range":    {`"value": 1`, `"value": 5000000000`},
		"cut":      {`"expect": []}`, ``},
		"comma":    {`"expect": []}`, `"expect": [],}`},
		"extra":    {`"expect": []}`, `"expect": []} {}`},
		"key":      {`"expect"`, `"expects"`},
		"twice":    {`"grid"`, `"entry": "k", "grid"`},
		"grid0":    {`[1, 1, 1]`, `[0, 1, 1]`},
		"grid2":    {`[1, 1, 1]`, `[1, 1]`},
		"gridbig":  {`[1, 1, 1]`, `[1, 1, 99999999999]`},
		"gridneg":  {`[1, 1, 1]`, `[-1, 1, 1]`},
		"type":     {`"i32"`, `"i33"`},
		"escape":   {`ten.npy`, `../ten.npy`},
		"absolute": {`ten.npy`, `/etc/hostname`},
		"nofile":   {`ten.npy`, `none.npy`},
		"pipe":     {`ten.npy`, `pipe.npy`},
		"dir":      {`ten.npy`, `.`},
		"nomodule": {`k.mlir`, `none.mlir`},
		"entry":    {`"entry": "k"`, `"entry": "kk"`},
		"args":     {`, {"scalar": "i32", "value": 1}`, ``},
		"list":     {caseText, `[]`},
		"string":   {caseText, `"x"`},
		"binary":   {caseText, string(module[:100])},
		"empty":    {caseText, ``},
		"deep":     {caseText, strings.Repeat("[", 100000)},
		"expect9":  {`"expect": []`, `"expect": [{"arg": 9, "file": "ten.npy"}]`},
		"rtol":     {`"expect": []`, `"expect": [{"arg": 0, "file": "ten.npy", "rtol": "0"}]`},
		"rtolneg":  {`"expect": []`, `"expect": [{"arg": 0, "file": "ten.npy", "rtol": -1}]`},
	} {
		folder := filepath.Join(dir, "cases", name)
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(caseText, change[0], change[1], 1)
		for file, content := range map[string][]byte{"case.json": []byte(text), "k.mlir": []byte(kernel), "ten.npy": ten} {
			if err := os.WriteFile(filepath.Join(folder, file), content, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if name == "pipe" {
			pipe(t, filepath.Join(folder, "pipe.npy"))
		}
	}
}
