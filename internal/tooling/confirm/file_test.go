package confirm

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
)

const head = `{"schema": 1, "kit": "k", "device": {"name": "n", "arch": "sm_90", "sms": 1, "clock_khz": 0, "driver": 13020},` + "\n"

// TestDecode: what is wrong with a file is said with its place.
func TestDecode(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		head + `"probes": {}}`:            "",
		``:                                "1:1: EOF",
		"{\n  \"schema\": x}":             "2:13: invalid character 'x'",
		head + `"probes": {"a": 3}}`:      "2:18: json: cannot unmarshal number",
		head + `"probes": {}, "more": 1}`: `unknown field "more"`,
		head + `"probes": {}} {`:          "expected the end of the file",
		strings.Replace(head, "1", "2", 1) + `"probes": {}}`:                                                          "schema is 2, expected 1",
		strings.Replace(head, "sm_90", "sm_1", 1) + `"probes": {}}`:                                                   "unknown architecture 'sm_1'",
		strings.Replace(head, "13020", "11000", 1) + `"probes": {}}`:                                                  "the driver supports CUDA 11.0, but the kit needs 12.0",
		head + `"probes": {"a": null}}`:                                                                               "probe 'a' is null",
		head + `"probes": {"a": {"state": "fine", "probe": ""}}}`:                                                     "unknown state 'fine'",
		head + `"probes": {"a": {"state": "failed", "probe": "", "text": "` + strings.Repeat("x", 3*maxText) + `"}}}`: "a text of",
	} {
		_, err := Decode([]byte(text))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.200s: got %v, want %q", text, err, want)
		}
	}
}

// TestAnswers: answers that are no answers are failures of their probe.
func TestAnswers(t *testing.T) {
	t.Parallel()
	f, err := Decode([]byte(head + `"probes": {}}`))
	if err != nil {
		t.Fatal(err)
	}
	target, err := f.target()
	if err != nil {
		t.Fatal(err)
	}
	p := probesOf(t, target.Arch)[0]
	l, err := p.Make(context.Background(), target)
	if err != nil {
		t.Fatal(err)
	}
	for answer, want := range map[string]string{"?": "no base64", "AAAA": "DEFLATE", pack64(make([]byte, maxAnswer+1)): "longer than", pack64([]byte{1}): "has 1 bytes, expected"} {
		f.Probes = map[string]*Result{p.ID: {State: answered, Probe: l.Hash(), Answer: answer}}
		if v, why, err := p.verdict(context.Background(), f, target); v != Broken || !strings.Contains(why, want) || err != nil {
			t.Errorf("%.20s: %s, %s, %v; want %s", answer, v, why, err, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(head + `"probes": {"form/add.s32 %r0, %r1, %r2;": {"state": "answered", "probe": "", "answer": "` + pack64(bytes.Repeat([]byte{1}, 99)) + `"}}}`))
	f.Add([]byte(`{"schema": 1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := Decode(text)
		if err != nil {
			return
		}
		for _, r := range file.Probes {
			if b, err := r.bytes(); err == nil && len(b) > maxAnswer {
				t.Error(errors.New("an answer beyond the bound"))
			}
		}
	})
}
