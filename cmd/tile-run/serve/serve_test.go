package serve

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tilewright/tilewright/target/engine/launch"
)

// double writes twice the four numbers at %x to %y; endless does not end; say prints; bad does not compile to code.
const kernels = `cuda_tile.module @m {
  entry @double(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %n: tile<i32>) {
    %i = iota : tile<4xi32>
    %xs = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %xb = broadcast %xs : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %xp = offset %xb, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %v, %t = load_ptr_tko weak %xp : tile<4xptr<i32>> -> tile<4xi32>, token
    %ns = reshape %n : tile<i32> -> tile<1xi32>
    %nb = broadcast %ns : tile<1xi32> -> tile<4xi32>
    %two = muli %v, %nb : tile<4xi32>
    %ys = reshape %y : tile<ptr<i32>> -> tile<1xptr<i32>>
    %yb = broadcast %ys : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %yp = offset %yb, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %s = store_ptr_tko weak %yp, %two token = %t : tile<4xptr<i32>>, tile<4xi32> -> token
    return
  }
  entry @endless(%p: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    loop {
      %v, %t = atomic_rmw_tko relaxed device %p, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      continue
    }
    return
  }
  entry @say(%n: tile<i32>) {
    %t = print_tko "n = %d\n", %n : tile<i32> -> token
    return
  }
}
`

// A client speaks to a server in this process.
type client struct {
	t    *testing.T
	to   *io.PipeWriter
	from *io.PipeReader
	done chan error

	mu      sync.Mutex
	next    uint64
	waiting map[uint64]chan answer
}

type answer struct {
	response
	payload, output []byte
}

func connect(t *testing.T, shared *os.File) *client {
	t.Helper()
	s, err := New(shared)
	if err != nil {
		t.Fatal(err)
	}
	in, to := io.Pipe()
	from, out := io.Pipe()
	c := &client{t: t, to: to, from: from, done: make(chan error, 1), waiting: map[uint64]chan answer{}}
	go func() {
		c.done <- s.Serve(context.Background(), in, out)
		out.Close()
	}()
	go c.read()
	t.Cleanup(func() {
		to.Close()
		from.Close()
	})
	return c
}

// read hands answers to those who wait for them.
func (c *client) read() {
	printed := map[uint64][]byte{}
	for {
		f, err := readFrame(c.from, nil)
		if err != nil {
			return
		}
		var a answer
		if err := json.Unmarshal(f.header, &a.response); err != nil {
			c.t.Errorf("%s: %v", f.header, err)
		}
		if a.Event == "output" {
			printed[a.ID] = append(printed[a.ID], f.payload...)
			continue
		}
		a.payload, a.output = f.payload, printed[a.ID]
		c.mu.Lock()
		ch := c.waiting[a.ID]
		c.mu.Unlock()
		if ch != nil {
			ch <- a
		}
	}
}

// start sends a request, and returns its number and where its answer comes.
func (c *client) start(header map[string]any, payload ...[]byte) (uint64, chan answer) {
	ch := make(chan answer, 1)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	n := c.next
	c.waiting[n] = ch
	header["id"] = n
	h, err := json.Marshal(header)
	if err != nil {
		c.t.Error(err)
	}
	if err := writeFrame(c.to, h, payload...); err != nil {
		c.t.Error(err)
	}
	return n, ch
}

func (c *client) call(header map[string]any, payload ...[]byte) answer {
	c.t.Helper()
	_, ch := c.start(header, payload...)
	return c.await(ch)
}

func (c *client) await(ch chan answer) answer {
	c.t.Helper()
	select {
	case a := <-ch:
		return a
	case <-time.After(30 * time.Second):
		c.t.Fatal("no answer")
	}
	return answer{}
}

func (c *client) load(text string) uint64 {
	c.t.Helper()
	a := c.call(map[string]any{"op": "load", "name": "k.mlir"}, []byte(text))
	if a.Error != nil {
		c.t.Fatal(a.Error)
	}
	return a.Module
}

func f32bits(x float32) uint32 { return math.Float32bits(x) }

func ints(xs ...uint32) []byte {
	var out []byte
	for _, x := range xs {
		out = binary.LittleEndian.AppendUint32(out, x)
	}
	return out
}

const base = 0x7f12_3456_7000

// launchOf is a launch of double on memory in the payload.
func launchOf(module uint64, more map[string]any) map[string]any {
	h := map[string]any{"op": "launch", "module": module, "entry": "double", "grid": []int{1, 1, 1}, "args": []uint64{base, base + 16, 2},
		"segments": []map[string]any{{"address": base, "bytes": 16, "name": "x", "readonly": true, "dtype": "i32"}, {"address": base + 16, "bytes": 16, "name": "y", "dtype": "i32"}}}
	for k, v := range more {
		h[k] = v
	}
	return h
}

func TestServe(t *testing.T) {
	t.Parallel()
	c := connect(t, nil)
	hello := c.call(map[string]any{"op": "hello", "version": Version})
	if hello.Error != nil || hello.Version != Version || hello.Shared != "none" || hello.PID != os.Getpid() || len(hello.GPUs) < 12 {
		t.Errorf("got %+v", hello.response)
	}
	m := c.load(kernels)
	loaded := c.call(map[string]any{"op": "load", "name": "k.mlir"}, []byte(kernels))
	if loaded.Module != m || len(loaded.Entries) != 3 {
		t.Errorf("the second time the module is %d, not %d: %+v", loaded.Module, m, loaded.Entries)
	}
	want := []Param{{"pointer", "i32", 8}, {"pointer", "i32", 8}, {"scalar", "i32", 4}}
	if got := loaded.Entries[0]; got.Name != "double" || fmt.Sprint(got.Params) != fmt.Sprint(want) {
		t.Errorf("got %+v", got)
	}
	for _, engine := range []string{"interp", "ptx", "both"} {
		a := c.call(launchOf(m, map[string]any{"engine": engine, "gpu": "sm_90", "opt": 1}), ints(1, 2, 3, 4), ints(0, 0, 0, 0))
		if a.Error != nil || fmt.Sprint(a.Written) != "[1]" || !bytes.Equal(a.payload, ints(2, 4, 6, 8)) {
			t.Errorf("%s: got %+v, %x, %+v", engine, a.response, a.payload, a.Error)
		}
	}
	said := c.call(map[string]any{"op": "launch", "module": m, "entry": "say", "grid": []int{1, 1, 1}, "args": []int{7}})
	if said.Error != nil || string(said.output) != "n = 7\n" {
		t.Errorf("got %q, %+v", said.output, said.Error)
	}
	fault := c.call(launchOf(m, map[string]any{"args": []uint64{base, base + 20, 2}}), ints(1, 2, 3, 4), ints(0, 0, 0, 0)).Error
	if fault == nil || fault.Kind != string(launch.OutOfBounds) || *fault.Block != [3]uint32{} || fmt.Sprint(fault.Element) != "[3]" || len(fault.Where) != 1 || fault.Where[0].Line != 14 {
		t.Errorf("got %+v", fault)
	}
	inPlace := map[string]any{"args": []uint64{base + 16, base + 16, 2}, "engine": "ptx", "sync_check": true}
	if a := c.call(launchOf(m, inPlace), ints(1, 2, 3, 4), ints(0, 0, 0, 0)); a.Error != nil {
		t.Errorf("one tile block: %+v", a.Error)
	}
	inPlace["grid"] = []int{2, 1, 1}
	race := c.call(launchOf(m, inPlace), ints(1, 2, 3, 4), ints(0, 0, 0, 0)).Error
	if race == nil || race.Kind != string(launch.Unordered) || !strings.Contains(race.Message, "for all schedules of this launch") {
		t.Errorf("two tile blocks that write the same memory: %+v", race)
	}
	for range 2 {
		if a := c.call(map[string]any{"op": "unload", "module": m}); a.Error != nil {
			t.Error(a.Error)
		}
	}
	if a := c.call(map[string]any{"op": "unload", "module": m}); a.Error == nil {
		t.Error("a module that nobody has is unloaded")
	}
	c.to.Close()
	if err := <-c.done; err != nil {
		t.Error(err)
	}
}

// TestShared launches on memory that client and server share, mapped and as a file.
func TestShared(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(*testing.T) *os.File{"mapped": sealable, "copied": func(t *testing.T) *os.File {
		f, err := os.CreateTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		return f
	}} {
		t.Run(name, func(t *testing.T) {
			f := open(t)
			if f == nil {
				t.Skip("this system has no memory that cannot shrink")
			}
			t.Cleanup(func() { f.Close() })
			c := connect(t, f)
			if a := c.call(map[string]any{"op": "hello", "version": Version}); a.Shared != name {
				t.Errorf("shared memory is %s", a.Shared)
			}
			m := c.load(kernels)
			for round, at := range []int64{64, 1 << 20} { // the second time it has grown
				if err := f.Truncate(at + 32); err != nil {
					t.Fatal(err)
				}
				f.WriteAt(ints(1, 2, 3, 4, 0, 0, 0, 0), at)
				a := c.call(launchOf(m, map[string]any{"segments": []map[string]any{{"address": base, "bytes": 16, "at": at}, {"address": base + 16, "bytes": 16, "at": at + 16}}}))
				got := make([]byte, 16)
				f.ReadAt(got, at+16)
				if a.Error != nil || fmt.Sprint(a.Written) != "[1]" || !bytes.Equal(got, ints(2, 4, 6, 8)) {
					t.Errorf("round %d: got %+v, %x", round, a, got)
				}
			}
			for _, at := range []uint64{1<<20 + 32, 1 << 62, ^uint64(0)} {
				a := c.call(launchOf(m, map[string]any{"segments": []map[string]any{{"address": base, "bytes": 16, "at": at}}}))
				if a.Error == nil || !strings.Contains(a.Error.Message, "of the shared memory") {
					t.Errorf("at %d: got %+v", at, a.Error)
				}
			}
		})
	}
}

// TestBorrowed: the caller's files stay open when servers that accepted or rejected them have been collected.
func TestBorrowed(t *testing.T) {
	t.Parallel()
	memory, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	folder, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	func() {
		s, err := New(memory)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Serve(t.Context(), strings.NewReader(""), io.Discard); err != nil {
			t.Error(err)
		}
		if _, err := New(folder); err == nil || !strings.Contains(err.Error(), "is not a regular file") {
			t.Errorf("a folder as memory: %v", err)
		}
	}()
	collect()
	for _, f := range []*os.File{memory, folder} {
		if _, err := f.Stat(); err != nil {
			t.Error(err)
		}
	}
}

// collect runs the finalizers of all garbage. One goroutine runs them in turn.
func collect() {
	for range 2 { // the first round's may be queued after our own
		done := make(chan struct{})
		runtime.SetFinalizer(new([64]byte), func(*[64]byte) { close(done) })
		runtime.GC()
		<-done
	}
}

// TestRequests sends requests that make no sense: each has its answer, and the next one is answered as if nothing had
// been.
func TestRequests(t *testing.T) {
	t.Parallel()
	c := connect(t, nil)
	m := c.load(kernels)
	for _, tt := range []struct {
		header  map[string]any
		payload []byte
		want    string
	}{
		{map[string]any{"op": "hello", "version": 2}, nil, "version 2 of the protocol is asked for, this is version 1"},
		{map[string]any{"op": "dance"}, nil, `unknown operation "dance"`},
		{map[string]any{"op": "hello", "versoin": 1}, nil, `unknown field "versoin"`},
		{map[string]any{"op": 1}, nil, "header: json"},
		{map[string]any{"op": "load"}, []byte("nonsense"), "'module' was rejected"},
		{map[string]any{"op": "load"}, []byte(".version 9.2\nfoo"), "module:2"},
		{launchOf(m+7, nil), make([]byte, 32), "no module 8 is loaded"},
		{launchOf(m, map[string]any{"entry": "triple"}), make([]byte, 32), "has no entry 'triple'"},
		{launchOf(m, map[string]any{"args": []int{1}}), make([]byte, 32), "has 3 parameters, but got 1 arguments"},
		{launchOf(m, map[string]any{"grid": []int{1, 0, 1}}), make([]byte, 32), "grid[1]: got 0"},
		{launchOf(m, map[string]any{"grid": []int{1, 1}}), make([]byte, 32), "grid: got 2 numbers, expected 3"},
		{launchOf(m, map[string]any{"grid": []int{1, 1, 1, 1}}), make([]byte, 32), "grid: got 4 numbers, expected 3"},
		{launchOf(m, map[string]any{"grid": []int{1 << 22, 1 << 21, 1 << 21}}), make([]byte, 32), "tile blocks are too many"},
		{launchOf(m, map[string]any{"timeout_ms": -1}), make([]byte, 32), "got a limit of -1 ms"},
		{launchOf(m, map[string]any{"timeout_ms": int64(math.MaxInt64)}), make([]byte, 32), "got a limit of 9223372036854775807 ms"},
		{launchOf(m, map[string]any{"workers": 1 << 40}), make([]byte, 32), "and 1099511627776 workers"},
		{launchOf(m, map[string]any{"rtol": -1}), make([]byte, 32), "a tolerance is negative"},
		{launchOf(m, map[string]any{"engine": "steam"}), make([]byte, 32), `unknown engine "steam"`},
		{launchOf(m, map[string]any{"sync_check": true}), make([]byte, 32), "sync_check is for the engines ptx and both"},
		{launchOf(m, map[string]any{"gpu": "sm_1"}), make([]byte, 32), "sm_1"},
		{launchOf(m, map[string]any{"math": "new"}), make([]byte, 32), "unknown math: 'new' is none of [cuda exact]"},
		{launchOf(m, map[string]any{"opt": 4}), make([]byte, 32), "got optimisation level 4"},
		{launchOf(m, nil), make([]byte, 31), "segment 1 has 16 bytes, but 15 are left in the payload"},
		{launchOf(m, nil), make([]byte, 33), "1 bytes of the payload belong to no segment"},
		{launchOf(m, map[string]any{"segments": []map[string]any{{"address": base, "bytes": uint64(1) << 60}}}), nil, "segment 0 has 1152921504606846976 bytes"},
		{launchOf(m, map[string]any{"segments": []map[string]any{{"address": base, "bytes": 0, "at": 0}}}), nil, "was started without any"},
		{launchOf(m, map[string]any{"segments": []map[string]any{{"address": base, "bytes": 16}, {"address": base + 8, "bytes": 16}}}), make([]byte, 32), "overlaps"},
		{launchOf(m, map[string]any{"segments": []map[string]any{{"address": base, "bytes": 16, "dtype": "f31"}}}), make([]byte, 16), "unknown element type"},
	} {
		a := c.call(tt.header, tt.payload)
		if a.Error == nil || !strings.Contains(a.Error.Message, tt.want) {
			t.Errorf("%v: got %+v, want %q", tt.header, a.Error, tt.want)
		}
	}
	if a := c.call(launchOf(m, nil), ints(1, 2, 3, 4), make([]byte, 16)); a.Error != nil {
		t.Error(a.Error)
	}
}

// TestFrames sends what is no frame: the server says so, and ends.
func TestFrames(t *testing.T) {
	t.Parallel()
	head := func(m uint32, header uint32, payload uint64) []byte {
		b := binary.LittleEndian.AppendUint32(nil, m)
		return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(b, header), payload)
	}
	for name, tt := range map[string]struct {
		in   []byte
		want string
	}{
		"cut head":       {head(magic, 2, 0)[:7], "the head of a frame has 16 bytes, but 7 came"},
		"magic":          {head(7, 2, 0), "a frame begins with 0x00000007"},
		"long header":    {head(magic, 1<<31, 0), "a header has 2147483648 bytes"},
		"long payload":   {head(magic, 2, 1<<63), "a payload has 9223372036854775808 bytes"},
		"cut header":     {append(head(magic, 20, 0), "{}"...), "header: 20 bytes were announced, 2 came"},
		"cut payload":    {append(head(magic, 2, 1<<33), "{}abc"...), "payload: 8589934592 bytes were announced, 3 came"},
		"text":           {[]byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), "a frame begins with"},
		"empty payload?": {append(head(magic, 2, 5), "{}"...), "payload: 5 bytes were announced, 0 came"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := New(nil)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := s.Serve(context.Background(), bytes.NewReader(tt.in), &out); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			f, err := readFrame(&out, nil)
			if err != nil || !strings.Contains(string(f.header), `"kind":"protocol"`) {
				t.Errorf("got %s, %v", f.header, err)
			}
		})
	}
}

// TestGone: a client that goes away in the middle of launches that never end leaves nothing running.
func TestGone(t *testing.T) {
	t.Parallel()
	c := connect(t, nil)
	m := c.load(kernels)
	for _, engine := range []string{"interp", "ptx"} {
		c.start(map[string]any{"op": "launch", "module": m, "entry": "endless", "grid": []int{2, 1, 1}, "args": []uint64{base}, "engine": engine,
			"segments": []map[string]any{{"address": base, "bytes": 4}}}, make([]byte, 4))
	}
	time.Sleep(50 * time.Millisecond)
	c.to.Close()
	select {
	case err := <-c.done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the server goes on for a client that is gone")
	}
}

// TestStop: launches can be cancelled and bounded in time, and one that was does not disturb the others.
func TestStop(t *testing.T) {
	t.Parallel()
	c := connect(t, nil)
	m := c.load(kernels)
	endless := func(more map[string]any) map[string]any {
		h := launchOf(m, map[string]any{"entry": "endless", "args": []uint64{base}, "segments": []map[string]any{{"address": base, "bytes": 4}}})
		for k, v := range more {
			h[k] = v
		}
		return h
	}
	id, ch := c.start(endless(nil), make([]byte, 4))
	if a := c.call(endless(map[string]any{"timeout_ms": 30, "engine": "ptx"}), make([]byte, 4)); a.Error == nil || a.Error.Kind != kindTimeout {
		t.Errorf("got %+v", a.Error)
	}
	if a := c.call(endless(map[string]any{"max_steps": 1000}), make([]byte, 4)); a.Error == nil || !strings.Contains(a.Error.Message, "more than the limit") {
		t.Errorf("got %+v", a.Error)
	}
	if a := c.call(map[string]any{"op": "cancel", "target": id}); a.Error != nil {
		t.Errorf("got %+v", a.Error)
	}
	if a := c.await(ch); a.Error == nil || a.Error.Kind != kindCanceled {
		t.Errorf("got %+v", a.Error)
	}
	// The same number twice: a mistake of the client's that is its own problem.
	for range 2 {
		h, _ := json.Marshal(launchOf(m, map[string]any{"id": 1 << 40, "timeout_ms": 10}))
		if err := writeFrame(c.to, h, ints(1, 2, 3, 4), make([]byte, 16)); err != nil {
			t.Fatal(err)
		}
	}
	if a := c.call(launchOf(m, nil), ints(1, 2, 3, 4), make([]byte, 16)); a.Error != nil {
		t.Error(a.Error)
	}
}

// TestAtOnce launches from many goroutines over one connection.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	c := connect(t, nil)
	m := c.load(kernels)
	var group sync.WaitGroup
	for g := range uint32(8) {
		group.Go(func() {
			engine := []string{"interp", "ptx"}[g%2]
			for i := range uint32(20) {
				a := c.call(launchOf(m, map[string]any{"engine": engine, "args": []uint64{base, base + 16, uint64(g)}}), ints(i, 1, 2, 3), make([]byte, 16))
				if a.Error != nil || !bytes.Equal(a.payload, ints(i*g, g, 2*g, 3*g)) {
					t.Errorf("got %x, %+v", a.payload, a.Error)
				}
			}
		})
	}
	group.Wait()
}

// TestCompare: a difference beyond the tolerance names the memory and the element.
func TestCompare(t *testing.T) {
	t.Parallel()
	req := func(x float32) *launch.Request {
		return &launch.Request{Segments: []*launch.Segment{{Name: "y", Addr: base, DType: launch.F32, Shape: []int{1}, Data: binary.LittleEndian.AppendUint32(nil, f32bits(x))}}}
	}
	if err := compare(&request{}, nil, "sm_90", req(1), req(1.0001)); err != nil {
		t.Error(err)
	}
	if err := compare(&request{}, nil, "sm_90", req(1), req(1.1)); err == nil || !strings.Contains(err.Error(), "y: segment 0 (f32[1]): 1 of 1 elements differ") {
		t.Errorf("got %v", err)
	}
	exact := 0.0
	if err := compare(&request{launchRequest: launchRequest{Relative: &exact, Absolute: &exact}}, nil, "sm_90", req(1), req(1.0001)); err == nil {
		t.Error("a tolerance of 0 is none")
	}
	if err := compare(&request{}, []launch.DType{launch.F16}, "sm_90", req(1), req(1.005)); err != nil {
		t.Errorf("by way of f16: %v", err)
	}
}

// TestTolerance: the last bit of a small float is within it, and integers have none.
func TestTolerance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of       launch.DType
		rounded  []launch.DType
		relative float64 // of two results
		near     bool
	}{
		{launch.BF16, nil, 0x1p-7, true},
		{launch.BF16, nil, 0x1p-3, false},
		{launch.F8E4M3, nil, 0x1p-3, true},
		{launch.F32, nil, 0x1p-7, false},
		{launch.F32, []launch.DType{launch.F16}, 0x1p-7, true},
		{launch.F32, []launch.DType{launch.F16}, 0x1p-6, false},
		{launch.I32, []launch.DType{launch.F16}, 0x1p-20, false},
	} {
		if got := tolerance(c.of, c.rounded).Relative; (c.relative <= got) != c.near {
			t.Errorf("%v by way of %v: %v", c.of, c.rounded, got)
		}
	}
}

// TestRoundedTo: a widening rounds nothing, and a type counts once.
func TestRoundedTo(t *testing.T) {
	t.Parallel()
	m := &module{name: "k", data: []byte(`cuda_tile.module @m {
	entry @k(%x: tile<f32>) {
		%a = ftof %x : tile<f32> -> tile<f16>
		%b = ftof %a : tile<f16> -> tile<f32>
		%c = ftof %b : tile<f32> -> tile<f16>
		%d = ftof %b : tile<f32> -> tile<f8E4M3FN>
		return
	}
}`)}
	if err := m.open(); err != nil {
		t.Fatal(err)
	}
	if want := []launch.DType{launch.F16, launch.F8E4M3}; !slices.Equal(m.rounded, want) {
		t.Errorf("got %v, expected %v", m.rounded, want)
	}
}

// FuzzFrames: whatever comes, the server ends without a panic, and each answer is a frame.
func FuzzFrames(f *testing.F) {
	add := func(headers ...map[string]any) {
		var b bytes.Buffer
		for i, h := range headers {
			h["id"] = i + 1
			data, _ := json.Marshal(h)
			var payload []byte
			switch h["op"] {
			case "load":
				payload = []byte(kernels)
			case "launch":
				payload = make([]byte, 32)
			}
			writeFrame(&b, data, payload)
		}
		f.Add(b.Bytes())
	}
	add(map[string]any{"op": "hello", "version": 1})
	add(map[string]any{"op": "load", "name": "k.mlir"}, launchOf(1, map[string]any{"max_steps": 1000, "timeout_ms": 100}), map[string]any{"op": "cancel", "target": 2}, map[string]any{"op": "unload", "module": 1})
	f.Fuzz(func(t *testing.T, in []byte) {
		s, err := New(nil)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
		defer stop()
		s.Serve(ctx, bytes.NewReader(in), &out)
		for out.Len() > 0 {
			f, err := readFrame(&out, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !json.Valid(f.header) || strings.Contains(string(f.header), `"kind":"internal"`) {
				t.Fatalf("%s", f.header)
			}
		}
	})
}
