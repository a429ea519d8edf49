package confirm

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tilewright/tilewright/target/engine/cuda"
)

// A reply is a line that a worker writes: first about the device, then one for each probe that it is asked.
type reply struct {
	Device *Device `json:"device,omitempty"`
	Error  string  `json:"error,omitempty"` // there is no device
	Result *Result `json:"result,omitempty"`
}

// empty is a module that every driver takes, by which a worker holds the device's context.
const empty = ".version 7.0\n.target sm_80\n.address_size 64\n"

// Work asks the device the probes whose IDs it reads, one a line, and writes a reply for each. It ends with its input,
// and after a launch that failed, since the context of the process is lost then.
func Work(ctx context.Context, in io.Reader, out io.Writer, open func() (*cuda.Library, error), source Source) error {
	e := json.NewEncoder(out)
	say := func(r reply) error {
		// A kernel prints to the same standard output, and need not end its line.
		if _, err := io.WriteString(out, "\n"); err != nil {
			return err
		}
		return e.Encode(r)
	}
	library, err := open()
	if err != nil {
		return say(reply{Error: err.Error()})
	}
	keeper, err := library.New([]byte(empty))
	if err != nil {
		return say(reply{Error: err.Error()})
	}
	defer keeper.Close()
	d, err := keeper.Device()
	if err != nil {
		return say(reply{Error: err.Error()})
	}
	device := deviceOf(d, source.StandIn)
	target, err := TargetOf(device.Arch, device.Driver)
	if err != nil {
		return say(reply{Error: fmt.Sprintf("%s: %v", d, err)})
	}
	if err := say(reply{Device: &device}); err != nil {
		return err
	}
	probes := make(map[string]*Probe)
	list, err := source.Probes(target.Arch)
	if err != nil {
		return err
	}
	for _, p := range list {
		probes[p.ID] = p
	}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		p := probes[lines.Text()]
		if p == nil {
			return fmt.Errorf("no probe '%s'", lines.Text())
		}
		r, err := ask(ctx, library, p, target)
		if err != nil {
			return err
		}
		if err := say(reply{Result: r}); err != nil {
			return err
		}
		if r.State == failed {
			return nil
		}
	}
	return nil
}

// ask runs a probe on the device.
func ask(ctx context.Context, library *cuda.Library, p *Probe, target Target) (*Result, error) {
	l, err := p.Make(ctx, target)
	if err != nil {
		return nil, err
	}
	r := &Result{Probe: l.Hash()}
	engine, err := library.New(l.PTX)
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	engine.Block, engine.DynamicShared, engine.TensorMaps, engine.Repeat = l.Block, l.Shared, l.Maps, l.Repeat
	req := l.Request.Clone()
	err = engine.Run(ctx, req)
	var no *cuda.Rejection
	switch {
	case errors.As(err, &no):
		r.State, r.Text = rejected, shortened(err)
		return r, nil
	case err != nil:
		r.State, r.Text = failed, shortened(err)
		return r, nil
	}
	r.State = answered
	if p.figure {
		r.Text = wrong(req, p.expect)
		r.Microseconds = microseconds(engine.Median())
		if p.product != nil {
			r.Library, r.Text = p.beside(library, l.Request, req)
		}
		return r, nil
	}
	r.Answer = pack64(l.Answer(req))
	return r, nil
}

func microseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }

func shortened(err error) string {
	text := cmp.Or(strings.TrimSpace(err.Error()), "no reason")
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "..."
	}
	return text
}
