package dapserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/tilewright/tilewright/internal/tooling/debug"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// kernel doubles 64 numbers in four tile blocks; with a start above 0 it never ends.
const kernel = `entry @k(%p: tile<ptr<f32>>, %start: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %t = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
  %v = make_partition_view %t : partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %a, %ta = load_view_tko weak %v[%x] : partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<16xf32>, token
  %s = loop iter_values(%i = %start) : tile<i32> -> tile<i32> {
    %c = cmpi equal %i, %zero, signed : tile<i32> -> tile<i1>
    if %c {
      break %i : tile<i32>
    }
    %n = xori %i, %one : tile<i32>
    %m = addi %n, %one : tile<i32>
    continue %m : tile<i32>
  }
  %b = addf %a, %a : tile<16xf32>
  %tb = store_view_tko weak %b, %v[%x] : tile<16xf32>, partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
  return
}
`

const file = "k.mlir"

// small is a session about kernel.
func small(start uint64) Config {
	return Config{
		Load: func(context.Context, *Launch, func(string)) ([]*debug.Kernel, error) {
			module, err := tileir.Read(tileir.NewContext(), file, []byte(kernel))
			if err != nil {
				return nil, err
			}
			req := launch.Request{Entry: "k", Grid: [3]uint32{4, 1, 1}, Args: []launch.Arg{
				{Buffer: &launch.Buffer{DType: launch.F32, Data: make([]byte, 256)}}, {Scalar: launch.Scalar{DType: launch.I32, Bits: start}}}}
			k, err := debug.NewKernel(&debug.Launch{Name: "k", Module: module, Request: req.Clone, Text: func(string) []byte { return nil }})
			return []*debug.Kernel{k}, err
		},
		Texts: func(name string) []byte {
			if name == file {
				return []byte(kernel)
			}
			return nil
		},
	}
}

// framed makes messages of commands with their arguments, numbered from first on. What begins with { or ! stays as it is.
func framed(first int, list ...string) string {
	var b strings.Builder
	for i, m := range list {
		if !strings.HasPrefix(m, "{") && !strings.HasPrefix(m, "!") {
			command, arguments, _ := strings.Cut(m, " ")
			if arguments == "" {
				arguments = "{}"
			}
			m = fmt.Sprintf(`{"seq":%d,"type":"request","command":%q,"arguments":%s}`, first+i, command, arguments)
		}
		m = strings.TrimPrefix(m, "!")
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(m), m)
	}
	return b.String()
}

// converse runs a session in which the client sends one message after the other, each when the one before is answered.
func converse(t *testing.T, start uint64, list ...string) (said []string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	theirs, ours := io.Pipe()
	mine, answers := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- Serve(ctx, theirs, answers, small(start))
		answers.Close()
		theirs.Close()
	}()
	from := make(chan string)
	go func() {
		defer close(from)
		r := bufio.NewReader(mine)
		for {
			m, err := readMessage(r)
			if err != nil {
				return
			}
			from <- string(m)
		}
	}()
	for i, m := range list {
		wait := `"request_seq":` + fmt.Sprint(i+1)
		if after, ok := strings.CutPrefix(m, "until "); ok {
			wait = after
		} else {
			_, _ = io.WriteString(ours, framed(i+1, m))
		}
		if strings.HasPrefix(m, "!") || strings.HasPrefix(m, "{") {
			wait = "passed over"
		}
		for text := range from {
			said = append(said, text)
			if strings.Contains(text, wait) {
				break
			}
		}
	}
	ours.Close()
	for text := range from {
		said = append(said, text)
	}
	return said, <-done
}

var hello = []string{`initialize {"adapterID":"x"}`, "launch"}

// TestRejected sends messages that make no sense, or come at the wrong time. Each is answered, and the session goes on.
func TestRejected(t *testing.T) {
	t.Parallel()
	at := func(list ...string) []string { return append(append([]string{}, hello...), list...) }
	stopped := func(list ...string) []string {
		return append(at("until initialized", `setBreakpoints {"source":{"path":"/elsewhere/k.mlir"},"lines":[7]}`, "configurationDone", "until stopped"), list...)
	}
	for _, c := range []struct {
		name string
		list []string
		want string
	}{
		{"launch first", []string{"launch"}, "the session is not initialized"},
		{"initialized twice", []string{hello[0], hello[0]}, "the session is initialized already"},
		{"nothing launched", []string{hello[0], `stackTrace {"threadId":1}`}, "nothing has been launched"},
		{"launched twice", at("until initialized", "launch"), "the session has launched already"},
		{"running", at("until initialized", `variables {"variablesReference":1}`), "the kernel is running"},
		{"no JSON", []string{"!{]"}, "a message was passed over"},
		{"deep JSON", []string{"!" + strings.Repeat("[", 100_000)}, "a message was passed over"},
		{"an event", []string{`{"type":"event","event":"x","seq":1}`}, "was passed over"},
		{"a list", []string{"![1]"}, "was passed over"},
		{"unknown", []string{hello[0], "fly"}, "'fly' is not supported"},
		{"unknown when stopped", stopped(`gotoTargets {"source":{},"line":1}`), "'gotoTargets' is not supported"},
		{"wrong arguments", stopped(`variables {"variablesReference":"x"}`), "the arguments are not those of 'variables'"},
		{"wrong launch", []string{hello[0], `launch {"block":"x"}`}, "the arguments are not those of 'launch'"},
		{"long block", []string{hello[0], `launch {"block":[0,0,0,0]}`}, "'block' has 4 numbers"},
		{"no such block", []string{hello[0], `launch {"block":[4]}`}, "there is no tile block (4, 0, 0)"},
		{"a thread", stopped(`stackTrace {"threadId":-1}`), "there is no thread -1"},
		{"frames", stopped(`stackTrace {"threadId":1,"startFrame":-5,"levels":-5}`), `"totalFrames":1`},
		{"many frames", stopped(`stackTrace {"threadId":1,"startFrame":9223372036854775807,"levels":9223372036854775807}`), `"stackFrames":[]`},
		{"a frame", stopped(`scopes {"frameId":77}`), "there is no frame 77"},
		{"variables", stopped(`variables {"variablesReference":-1}`), "there is no list of variables -1"},
		{"evaluate", stopped(`evaluate {"expression":"` + strings.Repeat("(", 5000) + `"}`), "at most 4096 are read"},
		{"evaluate nothing", stopped(`evaluate {"expression":""}`), "expected an expression"},
		{"memory", stopped(`readMemory {"memoryReference":"x","count":1}`), "expected a reference"},
		{"negative memory", stopped(`readMemory {"memoryReference":"0","count":-1}`), "expected a reference"},
		{"much memory", stopped(`readMemory {"memoryReference":"0x7f0000000000","offset":0,"count":9223372036854775807}`), `"unreadableBytes":9223372036854775551`},
		{"memory around the end", stopped(`readMemory {"memoryReference":"0xffffffffffffffff","offset":9223372036854775807,"count":64}`), `"unreadableBytes":64`},
		{"a source", stopped(`source {"sourceReference":99}`), "there is no source 99"},
		{"the source", stopped(`source {"sourceReference":1}`), "entry @k"},
		{"hits", stopped(`setBreakpoints {"source":{"path":"k.mlir"},"breakpoints":[{"line":1,"hitCondition":"3"}]}`), "counts of hits are not supported"},
		{"a log", stopped(`setBreakpoints {"source":{"path":"k.mlir"},"breakpoints":[{"line":1,"logMessage":"{x"}]}`), "'{' without '}'"},
		{"another file", stopped(`setBreakpoints {"source":{"path":"other.py"},"lines":[1]}`), "no kernel that was launched comes from this file"},
		{"many breakpoints", stopped(`setBreakpoints {"source":{"path":"k.mlir"},"lines":[1` + strings.Repeat(",1", maxPoints) + `]}`), "at most 1024 are kept"},
		{"no error", stopped(`exceptionInfo {"threadId":1}`), "has not stopped at an error"},
		{"far lines", stopped(`setBreakpoints {"source":{"path":"k.mlir"},"lines":[-9223372036854775808,9223372036854775807]}`), `"line":18`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			said, err := converse(t, 0, append(c.list, "disconnect")...)
			if text := strings.Join(said, "\n"); !strings.Contains(text, c.want) || strings.Contains(text, "bug in the debugger") {
				t.Errorf("no %q in\n%s", c.want, text)
			}
			if err != nil {
				t.Errorf("the session ended with %v", err)
			}
		})
	}
}

// TestFrames sends headers that make no sense. They end the session, and nothing is kept of their sizes.
func TestFrames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Content-Length: -1\r\n\r\n":                        `but got the length "-1"`,
		"Content-Length: 99999999999999\r\n\r\n":            `of at most 4194304 bytes, but got the length "99999999999999"`,
		"Content-Length: 5000000\r\n\r\n":                   "of at most 4194304 bytes",
		"\r\n\r\n":                                          "but got a header without Content-Length",
		"POST /a:b HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}": `but got the header "POST /a:b HTTP/1.1"`,
		strings.Repeat("a", maxHeader+2):                    "but got a header of more than 256 bytes",
		strings.Repeat("Content-Type: b\r\n", maxHeaders+1): "but got more than 4 headers",
		"Content-Length: 5\r\n\r\nab":                       "unexpected EOF",
		"":                                                  "",
	} {
		err := Serve(t.Context(), strings.NewReader(text), io.Discard, small(0))
		if want == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: %v, expected %q", text, err, want)
		}
	}
}

// TestEndless pauses a kernel that never ends, steps in it, and leaves it.
func TestEndless(t *testing.T) {
	t.Parallel()
	begun := time.Now()
	said, err := converse(t, 2, append(hello, "until initialized", `setBreakpoints {"source":{"path":"k.mlir"},"lines":[13]}`, "configurationDone", "until stopped",
		`setBreakpoints {"source":{"path":"k.mlir"}}`, "continue", "pause", `until "reason":"pause"`, "threads", `evaluate {"expression":"%i"}`,
		"stepBack", `until "reason":"step"`, "next", `until "reason":"step"`, "continue", "threads", "disconnect")...)
	text := strings.Join(said, "\n")
	if err != nil || !strings.Contains(text, `"result":"`) || strings.Contains(text, `"success":false`) {
		t.Errorf("%v\n%s", err, text)
	}
	if d := time.Since(begun); d > 20*time.Second {
		t.Errorf("took %v", d)
	}
}

// TestContextEnds ends a session from outside, while the kernel runs and the client says nothing.
func TestContextEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	in, ours := io.Pipe()
	defer ours.Close()
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, in, io.Discard, small(2)) }()
	_, _ = io.WriteString(ours, framed(1, append(hello, "configurationDone")...))
	time.Sleep(50 * time.Millisecond)
	cancel(why)
	select {
	case err := <-done:
		if !errors.Is(err, why) {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the session does not end")
	}
}

// FuzzSession sends any messages, one a line: a command with its arguments, or another text.
func FuzzSession(f *testing.F) {
	f.Add("initialize\nlaunch\nsetBreakpoints {\"source\":{\"path\":\"k.mlir\"},\"breakpoints\":[{\"line\":15,\"condition\":\"block == (2,)\",\"logMessage\":\"{%a}\"}]}\nconfigurationDone\nthreads\nstackTrace {\"threadId\":3}\n" +
		"scopes {\"frameId\":1}\nvariables {\"variablesReference\":1}\nevaluate {\"expression\":\"%a[0:2]\"}\nstepBack\nreverseContinue\nnext\nstepIn\nstepOut\nrestart\nterminate\ndisconnect")
	f.Add("initialize {\"linesStartAt1\":false}\nattach {\"stopOnEntry\":true,\"block\":[1]}\nconfigurationDone\npause\nreadMemory {\"memoryReference\":\"0x7f0000000000\",\"count\":8}\nsource {\"sourceReference\":1}\n{}\n!x")
	f.Fuzz(func(t *testing.T, text string) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		var out bytes.Buffer
		err := Serve(ctx, strings.NewReader(framed(1, strings.Split(text, "\n")...)), &out, small(0))
		if ctx.Err() != nil {
			t.Fatal("the session does not end")
		}
		if err != nil && !errors.Is(err, errFrame) {
			t.Error(err)
		}
		for r := bufio.NewReader(&out); ; {
			m, err := readMessage(r)
			if err != nil {
				break
			}
			if !json.Valid(m) || bytes.Contains(m, []byte("bug in the debugger")) {
				t.Errorf("the debugger says %s", m)
			}
		}
	})
}
