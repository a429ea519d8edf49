package tune

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tilewright/tilewright/internal/leaf/cache"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/sm"
)

func device(t testing.TB) *Device {
	t.Helper()
	chip := sm.ChipNamed("H100 SXM5")
	arch, err := sm.Lookup(chip.Archs()[0])
	if err != nil {
		t.Fatal(err)
	}
	return &Device{Chip: chip, Arch: arch, Version: "test"}
}

// folder makes a list of GEMMs of 256 x 256 x 256 with such tiles, and returns its path. A tile is "64x64x32"; "+split"
// sums even and odd steps on their own, "+atomic" is the same code with an atomic.
func folder(t testing.TB, tiles ...string) string {
	t.Helper()
	dir := t.TempDir()
	var list []string
	for i, tile := range tiles {
		tile, how, _ := strings.Cut(tile, "+")
		var m, n, k int
		if _, err := fmt.Sscanf(tile, "%dx%dx%d", &m, &n, &k); err != nil {
			t.Fatal(err)
		}
		from := "testdata/matmul.mlir.tmpl"
		if how == "split" {
			from = "testdata/split.mlir.tmpl"
		}
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		module := strings.NewReplacer("BM", fmt.Sprint(m), "BN", fmt.Sprint(n), "BK", fmt.Sprint(k)).Replace(string(text))
		file := fmt.Sprintf("%d.mlir", i)
		if err := os.WriteFile(filepath.Join(dir, file), []byte(module), 0o666); err != nil {
			t.Fatal(err)
		}
		array := func(rows, columns int) string {
			return fmt.Sprintf(`"f16[%dx%d]=uninitialized", "i32:%d", "i32:%d", "i32:%d", "i32:1"`, rows, columns, rows, columns, columns)
		}
		list = append(list, fmt.Sprintf(`{"name": %q, "module": %q, "grid": [%d, %d], "args": [%s, %s, %s]}`, tiles[i], file, 256/m, 256/n, array(256, 256), array(256, 256), array(256, 256)))
	}
	path := filepath.Join(dir, "list.json")
	if err := os.WriteFile(path, []byte(`{"configurations": [`+strings.Join(list, ",\n")+`]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t testing.TB, path string) []*Config {
	t.Helper()
	configs, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return configs
}

func text(t testing.TB, r *Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func run(t testing.TB, o *Oracle, options Options, workers int) *Result {
	t.Helper()
	r, err := Run(context.Background(), o, options, nil, workers)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSlow: tiles of 16 x 16 x 16 rank last wherever they stand, in the bounded search and in that of all; both find
// the same best.
func TestSlow(t *testing.T) {
	t.Parallel()
	for i, at := range []int{0, 2} {
		if !tier.Try(i, 2) {
			continue
		}
		tiles := slices.Insert([]string{"64x64x32", "32x64x64"}, at, "16x16x16")
		o := NewOracle(device(t), read(t, folder(t, tiles...)), nil)
		bounded, all := run(t, o, Options{}, 2), run(t, o, Options{All: true}, 2)
		for _, r := range []*Result{bounded, all} {
			if last := r.Ranked[2]; last.Name != "16x16x16" || last.State == Rejected {
				t.Errorf("planted at %d, the last is %+v", at, last)
			}
		}
		if bounded.Best != all.Best {
			t.Errorf("the bounded search finds %d and that of all %d", bounded.Best, all.Best)
		}
		for _, row := range all.Ranked {
			if row.State != Estimated || row.Microseconds < row.Least {
				t.Errorf("the estimate is below its bound: %+v", row)
			}
		}
	}
}

// TestSame: neither the number of workers, nor answers from a cache or from other processes, nor the number of
// questions that are asked at once change a byte of the result.
func TestSame(t *testing.T) {
	t.Parallel()
	path := folder(t, "64x64x32", "16x16x16", "32x64x64", "64x64x32", "64x32x32")
	kept, err := cache.Open(cache.Options{Dir: t.TempDir(), Bytes: 1 << 20, Warn: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	want := text(t, run(t, NewOracle(device(t), read(t, path), nil), Options{}, 1))
	for _, workers := range []int{1, 2, 7} {
		if got := text(t, run(t, NewOracle(device(t), read(t, path), kept), Options{}, workers)); got != want {
			t.Errorf("%d workers find\n%s\nand one found\n%s", workers, got, want)
		}
	}
	asks := NewOracle(device(t), read(t, path), nil)
	known := make(Answers)
	for rounds := 0; ; rounds++ {
		r, err := Search(asks.Device, asks.Configs, Options{}, known, 3)
		missing, ok := err.(Missing)
		if !ok {
			if err != nil || text(t, r) != want {
				t.Errorf("by questions: %v, %v", r, err)
			}
			break
		}
		if rounds > 20 {
			t.Fatal("the search does not end")
		}
		// Another process answers, and sees these configurations alone, in another order.
		other := NewOracle(device(t), slices.Clone(asks.Configs), nil)
		slices.Reverse(other.Configs)
		answers := make(Answers)
		for i := range missing {
			missing[i].Configuration = len(other.Configs) - 1 - missing[i].Configuration
		}
		if err := other.Ask(context.Background(), missing, answers, 2); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := other.WriteAnswers(&b, answers); err != nil {
			t.Fatal(err)
		}
		more, err := asks.ReadAnswers(&b)
		if err != nil {
			t.Fatal(err)
		}
		for q, a := range more {
			known[q] = a
		}
	}
}

// TestClass: tiles of another size make the same sums in the same order. Two accumulators do not, and neither do MMAs
// of another instruction. Exact leaves them out.
func TestClass(t *testing.T) {
	t.Parallel()
	o := NewOracle(device(t), read(t, folder(t, "64x64x32", "64x64x32+split", "64x128x64", "16x16x16", "128x64x32")), nil)
	r := run(t, o, Options{All: true}, 2)
	classes := make(map[string]string)
	for _, row := range r.Ranked {
		classes[row.Name] = row.Class
	}
	one := classes["64x64x32"]
	if one == "" || one == Unknown || classes["64x128x64"] != one || classes["128x64x32"] != one {
		t.Errorf("tiles of other sizes have other classes: %v", classes)
	}
	if classes["64x64x32+split"] == one || classes["16x16x16"] == one {
		t.Errorf("other sums have the same class: %v", classes)
	}
	for _, row := range run(t, o, Options{Exact: true}, 2).Ranked {
		if left := strings.Contains(row.Why, "numerics class"); left != (row.Class != one) {
			t.Errorf("exact: %+v", row)
		}
	}
}

// ptxList makes a list of launches of a kernel in PTX, whose parameter is in %rd1, by such grids.
func ptxList(t testing.TB, body string, grids ...int) string {
	t.Helper()
	dir := t.TempDir()
	ptx := `.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a)
.reqntid 32, 1, 1
{
	.reg .b64 %rd<2>; .reg .f32 %f<5>;
	ld.param.u64 %rd1, [a];
	` + body + `
	ret;
}
`
	var list []string
	for _, grid := range grids {
		list = append(list, fmt.Sprintf(`{"module": "k.ptx", "grid": [%d], "args": ["f32[64]=uninitialized"]}`, grid))
	}
	path := filepath.Join(dir, "list.json")
	for file, text := range map[string]string{filepath.Join(dir, "k.ptx"): ptx, path: `{"configurations": [` + strings.Join(list, ", ") + `]}`} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// TestAtomic: where float atomics decide the order of sums, there is no class, and nothing is exact.
func TestAtomic(t *testing.T) {
	t.Parallel()
	path := ptxList(t, "ld.global.f32 %f1, [%rd1]; atom.global.add.f32 %f2, [%rd1], %f1;", 4)
	o := NewOracle(device(t), read(t, path), nil)
	if r := run(t, o, Options{}, 1); r.Ranked[0].Class != Unordered {
		t.Errorf("got %+v", r.Ranked[0])
	}
	if _, err := Run(context.Background(), o, Options{Exact: true}, nil, 1); err == nil || !strings.Contains(err.Error(), "has no numerics class") {
		t.Errorf("got %v", err)
	}
}

// TestRejected: what does not compile or does not run is in the result, with the reason, and others are tuned.
func TestRejected(t *testing.T) {
	t.Parallel()
	path := folder(t, "64x64x32", "64x64x64")
	dir := filepath.Dir(path)
	if err := os.WriteFile(filepath.Join(dir, "1.mlir"), []byte("cuda_tile.module @m { entry @k() { %0 = nothing } }"), 0o666); err != nil {
		t.Fatal(err)
	}
	r := run(t, NewOracle(device(t), read(t, path), nil), Options{}, 2)
	if r.Best != 0 || r.Ranked[1].State != Rejected || !strings.Contains(r.Ranked[1].Why, "nothing") {
		t.Errorf("got %+v", r.Ranked)
	}
}

// TestSums: the terms of a sum may change places; another tree is another class, though the launch writes one number.
func TestSums(t *testing.T) {
	t.Parallel()
	load := "ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd1+4]; ld.global.f32 %f3, [%rd1+8];\n"
	class := func(body string) string {
		r := run(t, NewOracle(device(t), read(t, ptxList(t, load+body+"\nst.global.f32 [%rd1], %f4;", 1)), nil), Options{}, 1)
		return r.Ranked[0].Class
	}
	one := class("add.f32 %f4, %f1, %f2;\nadd.f32 %f4, %f4, %f3;")
	if one == Unknown || class("add.f32 %f4, %f2, %f1;\nadd.f32 %f4, %f3, %f4;") != one {
		t.Error("terms that change places make another class")
	}
	for _, other := range []string{"add.f32 %f4, %f2, %f3;\nadd.f32 %f4, %f4, %f1;", "add.f32 %f4, %f1, %f2;\nsub.f32 %f4, %f4, %f3;", "fma.rn.f32 %f4, %f1, %f2, %f3;", "fma.rn.f32 %f4, %f1, %f3, %f2;"} {
		if class(other) == one {
			t.Errorf("%q has the same class", other)
		}
	}
}

// TestEndless: a kernel that does not end is rejected.
func TestEndless(t *testing.T) {
	t.Parallel()
	o := NewOracle(device(t), read(t, ptxList(t, "loop: bra loop;", 1)), nil)
	if _, err := Run(context.Background(), o, Options{}, nil, 1); err == nil || !strings.Contains(err.Error(), "instructions") {
		t.Errorf("got %v", err)
	}
}

// A card stands for a GPU: each time is longer than the one before.
type card struct {
	arch   string
	driver int
	last   *time.Duration
}

func (c card) Device() (name, arch string, driver int, err error) {
	return "H100 (" + c.arch + ")", c.arch, c.driver, nil
}

func (c card) Time(context.Context, *launch.Request, int) (time.Duration, error) {
	*c.last += time.Microsecond
	return *c.last, nil
}

func (card) Close() error { return nil }

// TestMeasure: a GPU times the best, and what it times is kept by device and driver.
func TestMeasure(t *testing.T) {
	t.Parallel()
	path := ptxList(t, "ld.global.f32 %f1, [%rd1]; add.f32 %f1, %f1, %f1; st.global.f32 [%rd1], %f1;", 1, 2, 3)
	kept, err := cache.Open(cache.Options{Dir: t.TempDir(), Bytes: 1 << 20, Warn: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	o := NewOracle(device(t), read(t, path), kept)
	on := func(c card) GPU { return func(*emulate.Engine) (Loaded, error) { return c, nil } }
	measure := func(c card) *Result {
		r := run(t, o, Options{All: true}, 2)
		if err := o.Measure(context.Background(), on(c), r, 2); err != nil {
			t.Fatal(err)
		}
		return r
	}
	h100 := card{"sm_90", 13000, new(time.Duration)}
	first := measure(h100)
	rows := first.Ranked
	if rows[0].Measured == 0 || rows[0].Measured > rows[1].Measured || rows[2].Measured != 0 || first.Best != rows[0].Configuration || first.MeasuredOn != "H100 (sm_90), driver 13000" {
		t.Errorf("got %+v", first)
	}
	if again := measure(h100); text(t, again) != text(t, first) {
		t.Error("what was measured is not kept")
	}
	h100.driver++
	if other := measure(h100); other.Ranked[0].Measured == rows[0].Measured && other.Ranked[1].Measured == rows[1].Measured {
		t.Error("what another driver measured is taken")
	}
	h100.arch = "sm_80"
	if err := o.Measure(context.Background(), on(h100), first, 2); err == nil || !strings.Contains(err.Error(), "the GPU is H100 (sm_80), and the search is for H100 SXM5 (sm_90)") {
		t.Errorf("got %v", err)
	}
}

// TestObserved: a narrowed number shows the last bit of what was narrowed.
func TestObserved(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"add.f32 %f1, %f2, 0f3F800000;":     "mov.b32 %tune1, 0f3F800000",
		"add.rn.f32x2 %rd1, %rd2, %rd3;":    "mov.b64 %rd1, {%tune5, %tune6}",
		"@%p1 add.f32 %f1, %f2, %f3;":       "@%p1 add.f32 %f1, %f2, %f3;",
		"\tcvt.rn.f16x2.f32 %r1, %f2, %f3;": "or.b32 %r1",
		"cvt.rn.bf16.f32 %rs1, %f2;":        "mov.b16 %rs1",
		"cvt.rn.f32.f16 %f1, %rs2;":         "cvt.rn.f32.f16 %f1, %rs2;",
		"cvt.rn.f16x2.f32 %r1, %f2;":        "cvt.rn.f16x2.f32 %r1, %f2;",
	} {
		if got := observed(in); !strings.Contains(got, want) {
			t.Errorf("%q becomes %q", in, got)
		}
	}
}

// TestRead: what is wrong with a list, with its place.
func TestRead(t *testing.T) {
	t.Parallel()
	open := func(name string, limit int64) ([]byte, error) {
		if name != "k" {
			return nil, fmt.Errorf("cannot read '%s'", name)
		}
		return []byte("k"), nil
	}
	one := func(more string) string { return `{"configurations": [{"module": "k"` + more + `}]}` }
	for in, want := range map[string]string{
		"":                                        "1:1: JSON ends early",
		"{\n\"configurations\": }":                "2:",
		`{"configurations": []}`:                  "got 0, expected 1 to 4096",
		`{"configurations": [{}]}`:                "configurations[0].module: missing",
		`{"configurations": [{"modul": "k"}]}`:    "unknown field",
		one(`, "grid": [1]}]} {"configurations"`): "something follows",
		one(``):                                                           "grid: got 0 numbers",
		one(`, "grid": [1, 2, 3, 4]`):                                     "grid: got 4 numbers",
		one(`, "grid": [0]`):                                              "grid[0]: got 0",
		one(`, "grid": [1e99]`):                                           "grid",
		one(`, "grid": ["x"]`):                                            "got a JSON string",
		one(`, "grid": [1], "args": ["x"]`):                               "args[0]: argument \"x\"",
		one(`, "grid": [1], "args": ["@0"]`):                              "args[0]: '@0' is no buffer before this one",
		one(`, "grid": [1], "args": ["f32[4]", "@0+17"]`):                 "args[1]: '@0+17' is outside the buffer",
		one(`, "grid": [1], "args": ["f32[4]=../secret.npy"]`):            "cannot read '../secret.npy'",
		one(`, "grid": [1], "args": ["i8[99999999999]"]`):                 "larger than",
		one(`, "grid": [1], "plan": "kernel"`):                            "plan:",
		one(`, "grid": [1], "name": "` + strings.Repeat("x", 2000) + `"`): "name: longer",
		`{"configurations": [{"module": "other", "grid": [1]}]}`:          "module: cannot read 'other'",
	} {
		if _, err := parse([]byte(in), open); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: got %v, want %q", in, err, want)
		}
	}
}

// TestOutside: a list names no files outside of its folder.
func TestOutside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "list.json")
	if err := os.WriteFile(path, []byte(`{"configurations": [{"module": "../k", "grid": [1]}]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "is not a relative path inside the folder") {
		t.Errorf("got %v", err)
	}
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "has 0 folders with a case.json") {
		t.Errorf("got %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"configurations": [{"module": "k", "grid": [1, 2], "args": ["f32[4]=1", "@0+4", "i32:7"], "plan": "kernel @k {}"}]}`))
	f.Add([]byte(`{"configurations": [{"module": "k", "grid": [1], "args": ["f32:a.npy"]}]}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		configs, err := parse(in, func(string, int64) ([]byte, error) { return []byte("k"), nil })
		if err != nil {
			return
		}
		for _, c := range configs {
			if err := c.request("k").Validate(); err != nil {
				t.Fatalf("a list that is read has no valid launch: %v", err)
			}
		}
	})
}

func FuzzAnswers(f *testing.F) {
	f.Add([]byte(`{"answers": {"0": {"wrong": "x"}}}`))
	o := NewOracle(device(f), []*Config{{Name: "a"}, {Name: "b"}}, nil)
	f.Fuzz(func(t *testing.T, in []byte) {
		known, err := o.ReadAnswers(bytes.NewReader(in))
		if err != nil {
			return
		}
		if _, err := Search(o.Device, o.Configs, Options{}, known, 1); err == nil {
			t.Fatal("answers of other configurations count")
		}
	})
}

// TestLooseBounds: a configuration whose bound is a little above the best estimate is estimated, and one far above is not.
func TestLooseBounds(t *testing.T) {
	t.Parallel()
	chip := sm.ChipNamed("H100 SXM5")
	arch, err := sm.Lookup(chip.Archs()[0])
	if err != nil {
		t.Fatal(err)
	}
	known := make(Answers)
	var configs []*Config
	for i, us := range [][2]float64{{100, 104}, {105, 98}, {120, 90}} { // the bound, and the estimate
		configs = append(configs, &Config{Name: string(rune('a' + i))})
		known[Question{Screen, i}], known[Question{Estimate, i}] = &Answer{Microseconds: us[0]}, &Answer{Microseconds: us[1]}
		known[Question{Class, i}] = &Answer{Class: "x"}
	}
	r, err := Search(&Device{Chip: chip, Arch: arch}, configs, Options{}, known, 1)
	if err != nil {
		t.Fatal(err)
	}
	if r.Best != 1 || r.Ranked[2].State != Pruned || r.Ranked[2].Name != "c" {
		t.Errorf("the best is %d of %+v", r.Best, r.Ranked)
	}
}
