package confirm

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/tilewright/tilewright/target/engine/cuda"
	"github.com/tilewright/tilewright/target/sm"
)

// Schema is the JSON Schema of a file.
//
//go:embed confirm.schema.json
var Schema []byte

// schemaVersion is that of the form of files.
const schemaVersion = 1

// A File is what one device answered.
type File struct {
	Schema int    `json:"schema"`
	Kit    string `json:"kit"` // the version of the program
	Device Device `json:"device"`
	// Probes are the answers by the ID of the probe.
	Probes map[string]*Result `json:"probes"`
}

// A Device is what the driver says about itself and the device. Nothing in it names a machine or a person.
type Device struct {
	Name     string `json:"name"`
	Arch     string `json:"arch"`
	SMs      int    `json:"sms"`
	ClockKHz int    `json:"clock_khz"`
	Driver   int    `json:"driver"`             // the version of CUDA: 12080
	StandIn  bool   `json:"stand_in,omitempty"` // it is the emulator, and no device
}

func deviceOf(d *cuda.Device, standIn bool) Device {
	return Device{d.Name, d.Arch(), d.SMs, d.ClockKHz, d.Driver, standIn}
}

// The states of a probe that was asked.
const (
	answered = "answered"
	rejected = "rejected" // the driver does not take the PTX
	failed   = "failed"   // the launch failed
	timeout  = "timeout"  // the launch took too long and was ended
	crashed  = "crashed"  // the process that asked ended
)

// A Result is what came of a probe.
type Result struct {
	State string `json:"state"`
	// Probe identifies the question (Launch.Hash).
	Probe string `json:"probe"`
	// Answer is the memory of the answer, compressed by DEFLATE (RFC 1951), in base64.
	Answer string `json:"answer,omitempty"`
	// Text is what the driver said.
	Text string `json:"text,omitempty"`
	// Microseconds are the median of timed launches, for kernels; Best is that of the library that they are compared with.
	Microseconds float64 `json:"microseconds,omitempty"`
	Library      float64 `json:"library_microseconds,omitempty"`
}

// Bounds of a file that is read: far above what the kit writes.
const (
	maxFile   = 64 << 20
	maxAnswer = 1 << 20
	maxText   = 4 << 10
	maxProbes = 1 << 14
)

func pack64(b []byte) string {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err == nil {
		_, err = w.Write(b)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		panic("confirm: memory rejects bytes: " + err.Error()) // it cannot
	}
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

// bytes unpacks the answer.
func (r *Result) bytes() ([]byte, error) {
	packed, err := base64.StdEncoding.DecodeString(r.Answer)
	if err != nil {
		return nil, fmt.Errorf("the answer is no base64: %w", err)
	}
	b, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxAnswer+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the answer is not compressed by DEFLATE: %w", err)
	case len(b) > maxAnswer:
		return nil, fmt.Errorf("the answer is longer than %d bytes", maxAnswer)
	}
	return b, nil
}

// Read reads a file, which may come from anywhere. Errors name line and column.
func Read(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	out, err := Decode(text)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return out, nil
}

// Decode reads the text of a file.
func Decode(text []byte) (*File, error) {
	if len(text) > maxFile {
		return nil, fmt.Errorf("1:1: the file is larger than %d bytes", maxFile)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	out := new(File)
	at := func(offset int64, err error) error {
		before := text[:min(int(offset), len(text))]
		line := bytes.Count(before, []byte("\n")) + 1
		return fmt.Errorf("%d:%d: %w", line, len(before)-bytes.LastIndexByte(before, '\n'), err)
	}
	if err := d.Decode(out); err != nil {
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		switch {
		case errors.As(err, &syntax):
			return nil, at(syntax.Offset-1, err) // it counts the byte that is wrong
		case errors.As(err, &kind):
			return nil, at(kind.Offset, err)
		}
		return nil, at(d.InputOffset(), err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, at(d.InputOffset(), fmt.Errorf("expected the end of the file"))
	}
	if err := out.check(); err != nil {
		return nil, fmt.Errorf("1:1: %w", err)
	}
	return out, nil
}

func (f *File) check() error {
	if f.Schema != schemaVersion {
		return fmt.Errorf("schema is %d, expected %d", f.Schema, schemaVersion)
	}
	if _, err := TargetOf(f.Device.Arch, f.Device.Driver); err != nil {
		return err
	}
	if len(f.Probes) > maxProbes {
		return fmt.Errorf("%d probes, expected at most %d", len(f.Probes), maxProbes)
	}
	for id, r := range f.Probes {
		switch {
		case r == nil:
			return fmt.Errorf("probe '%.80s' is null", id)
		case len(r.Text) > 2*maxText:
			return fmt.Errorf("probe '%.80s': a text of %d bytes, expected at most %d", id, len(r.Text), 2*maxText)
		case r.State != answered && r.State != rejected && r.State != failed && r.State != timeout && r.State != crashed:
			return fmt.Errorf("probe '%.80s': unknown state '%.80s'", id, r.State)
		}
	}
	return nil
}

// Write replaces the file at once: a reader, or a kit that is ended, finds the old or the new one.
func (f *File) Write(path string) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(f); err != nil {
		return err
	}
	next, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = next.Write(text.Bytes())
	if err = errors.Join(err, next.Chmod(0o644), next.Close()); err == nil {
		err = os.Rename(next.Name(), path)
	}
	if err != nil {
		_ = os.Remove(next.Name()) // the first error is the reason
	}
	return err
}

// target is what the probes of a file are made for.
func (f *File) target() (Target, error) { return TargetOf(f.Device.Arch, f.Device.Driver) }

// newer reports whether the kit's PTX is newer than what the device's driver takes, so that a rejection says nothing.
func newer(t Target) bool { return t.PTX < Newest && t.Arch.PTX[sm.Plain] < Newest }
