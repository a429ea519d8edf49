package tune

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const kernel = `.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a)
.reqntid 32, 1, 1
{
	.reg .b32 %r<4>; .reg .b64 %rd<3>;
	ld.param.u64 %rd1, [a];
	mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 32, %r1; mul.wide.u32 %rd2, %r3, 4; add.u64 %rd1, %rd1, %rd2;
	ld.global.b32 %r1, [%rd1]; add.u32 %r1, %r1, 1; st.global.b32 [%rd1], %r1;
	ret;
}
`

const configurations = `{"configurations": [
 {"name": "all", "module": "k.ptx", "entry": "k", "grid": [4096], "args": ["i32[131072]=uninitialized"]},
 {"name": "few", "module": "k.ptx", "grid": [16], "args": ["i32[131072]=uninitialized"]}]}`

func call(args ...string) (status int, out, errs string) {
	var o, e bytes.Buffer
	status = Main(context.Background(), args, strings.NewReader(""), &o, &e)
	return status, o.String(), e.String()
}

// TestTool: results and what is rejected, with the message.
func TestTool(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"k.ptx": kernel, "list.json": configurations, "known.json": `{"answers": {}}`, "bad.json": `{"answers": []}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	list := filepath.Join(dir, "list.json")
	for _, tt := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{list}, 0, "few on H100 SXM5 at 1830 MHz, by estimate; 1 of 2 configurations were estimated"},
		{[]string{list, "--device=a100-sxm4-80gb", "--clock=1000", "--top=1"}, 0, "1 more"},
		{[]string{list, "--json", "--all"}, 0, `"best": 1`},
		{[]string{list, "--ask=1", "--known=" + filepath.Join(dir, "known.json")}, 0, `{"questions":[{"kind":"screen","configuration":0},{"kind":"screen","configuration":1}]}`},
		{[]string{list, "--answer=screen:1"}, 0, `{"answers":{"`},
		{[]string{list, "--answer=screen:2"}, 1, "'screen:2' names none of 2 configurations"},
		{[]string{list, "--answer=look:1"}, 1, "unknown question 'look:1'"},
		{[]string{list, "--known=" + filepath.Join(dir, "bad.json")}, 1, "bad.json: 1:"},
		{[]string{list, "--device=H101 NVL"}, 2, "unknown device 'H101 NVL' (did you mean 'H100 NVL'?)"},
		{[]string{list, "--slack=1"}, 2, "--slack must be from 0 to 1, but got 1"},
		{[]string{list, "--jobs=-1"}, 2, "must not be negative"},
		{[]string{list, "--ask=1", "--answer=screen:0"}, 2, "exclude each other"},
		{[]string{}, 2, "expected one list or folder, but got 0"},
		{[]string{filepath.Join(dir, "none")}, 2, "cannot read"},
	} {
		status, out, errs := call(tt.args...)
		if said := out + errs; status != tt.status || !strings.Contains(said, tt.want) {
			t.Errorf("%q: status %d, want %d with %q: %.300s", tt.args, status, tt.status, tt.want, said)
		}
	}
}

// TestProtocol: questions that others answer lead to what one process finds.
func TestProtocol(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"k.ptx": kernel, "list.json": configurations} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	list, file := filepath.Join(dir, "list.json"), filepath.Join(dir, "known.json")
	_, want, _ := call(list, "--json")
	known := make(map[string]json.RawMessage)
	for range 10 {
		text, err := json.Marshal(map[string]any{"answers": known})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
		_, out, errs := call(list, "--known="+file, "--ask=2")
		var asked struct {
			Questions []struct {
				Kind          string
				Configuration int
			}
		}
		if err := json.Unmarshal([]byte(out), &asked); err != nil {
			t.Fatal(err, errs)
		}
		if asked.Questions == nil {
			if out != want {
				t.Errorf("got %s, want %s", out, want)
			}
			return
		}
		for _, q := range asked.Questions {
			_, out, errs := call(list, "--answer="+q.Kind+":"+string(rune('0'+q.Configuration)))
			var answered struct{ Answers map[string]json.RawMessage }
			if err := json.Unmarshal([]byte(out), &answered); err != nil {
				t.Fatal(err, errs)
			}
			for k, a := range answered.Answers {
				known[k] = a
			}
		}
	}
	t.Fatal("the search does not end")
}
