package confirm

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"strings"
	"time"
)

// A Run asks a device, probe by probe, each batch in a process of its own.
type Run struct {
	Source
	// Path is the file that is written after each probe. What it holds already is not asked again.
	Path string
	// Fresh begins the file again.
	Fresh bool
	// Kit is the version of the program.
	Kit string
	// Only takes probes whose ID begins so; none: all.
	Only []string
	// Command makes the process that Work runs in.
	Command func(ctx context.Context) *exec.Cmd
	// Timeout bounds a probe, Limit all of them together.
	Timeout, Limit time.Duration
	// Progress is called before each probe.
	Progress func(done, total int, id string)
}

// ErrLimit is wrapped by the error of a run that ended because of its limit. Another run goes on.
var ErrLimit = errors.New("the time is over")

// A worker is a process that asks.
type worker struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	replies chan *reply // closed when the process ends
	stderr  strings.Builder
}

func (r *Run) start(ctx context.Context) (*worker, *Device, error) {
	w := &worker{cmd: r.Command(ctx), replies: make(chan *reply)}
	w.cmd.Stderr = &w.stderr
	in, err := w.cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := w.cmd.Start(); err != nil {
		return nil, nil, err
	}
	w.in = in
	go func() {
		defer close(w.replies)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 4*maxAnswer)
		for lines.Scan() {
			one := new(reply)
			if json.Unmarshal(lines.Bytes(), one) != nil || *one == (reply{}) {
				continue // what a kernel printed
			}
			w.replies <- one
		}
	}()
	first, state := w.wait(ctx, r.Timeout)
	switch {
	case state != answered:
		why := w.end(state)
		return nil, nil, fmt.Errorf("the process that asks the device said nothing (%s)%s", state, why)
	case first.Error != "":
		w.end(state)
		return nil, nil, errors.New(first.Error)
	}
	return w, first.Device, nil
}

// wait returns the next reply, or why there is none.
func (w *worker) wait(ctx context.Context, patience time.Duration) (*reply, string) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case r := <-w.replies:
		if r == nil {
			return nil, crashed
		}
		return r, answered
	case <-timer.C:
		return nil, timeout
	case <-ctx.Done():
		return nil, timeout
	}
}

// end ends the process, by force where it does not end by itself, and returns what it said.
func (w *worker) end(state string) string {
	_ = w.in.Close() // which ends a process that listens
	if state == timeout {
		_ = w.cmd.Process.Kill() // it may have ended meanwhile
	}
	for range w.replies { // until it has ended
	}
	err := w.cmd.Wait()
	said := strings.TrimSpace(w.stderr.String())
	if said == "" && err != nil {
		said = err.Error()
	}
	if said == "" {
		return ""
	}
	return ": " + said
}

// Do asks all probes that the file does not answer yet, and returns the file.
func (r *Run) Do(ctx context.Context) (file *File, err error) {
	w, device, err := r.start(ctx)
	if err != nil {
		return nil, err
	}
	state := answered
	defer func() {
		if w != nil {
			w.end(state)
		}
	}()
	f, err := r.open(device)
	if err != nil {
		return nil, err
	}
	target, err := f.target()
	if err != nil {
		return nil, err
	}
	todo, err := r.todo(ctx, f, target)
	if err != nil {
		return nil, err
	}
	begin, written := time.Now(), time.Now()
	defer func() { err = errors.Join(err, f.Write(r.Path)) }()
	for i, p := range todo {
		if r.Limit > 0 && time.Since(begin) > r.Limit {
			return f, fmt.Errorf("%w after %d of %d probes: the same command goes on", ErrLimit, i, len(todo))
		}
		if r.Progress != nil {
			r.Progress(i, len(todo), p.probe.ID)
		}
		if w == nil {
			if w, _, err = r.start(ctx); err != nil {
				return f, err
			}
		}
		var one *reply
		if _, err = io.WriteString(w.in, p.probe.ID+"\n"); err != nil {
			state = crashed
		} else {
			one, state = w.wait(ctx, r.Timeout)
		}
		if err := ctx.Err(); err != nil {
			return f, err
		}
		result := &Result{State: state, Probe: p.hash}
		if one != nil && one.Result != nil {
			result = one.Result
		}
		if result.State != answered && result.State != rejected {
			said := w.end(state)
			w = nil
			if result.Text == "" {
				result.Text = shortened(errors.New(strings.TrimPrefix(said, ": ")))
			}
		}
		f.Probes[p.probe.ID] = result
		if time.Since(written) > writeEvery || result.State != answered {
			if err := f.Write(r.Path); err != nil {
				return f, err
			}
			written = time.Now()
		}
	}
	return f, nil
}

// writeEvery is how often the file is written at most: a probe takes less time than writing all answers.
const writeEvery = 250 * time.Millisecond

// A question is a probe that is to be asked.
type question struct {
	probe *Probe
	hash  string
}

// todo lists the probes to which the file has no answer, or one to another question.
func (r *Run) todo(ctx context.Context, f *File, t Target) (out []question, err error) {
	list, err := r.Probes(t.Arch)
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		if !chosen(p.ID, r.Only) {
			continue
		}
		l, err := p.Make(ctx, t)
		if err != nil {
			return nil, err
		}
		hash := l.Hash()
		if old := f.Probes[p.ID]; old == nil || old.Probe != hash {
			out = append(out, question{p, hash})
		}
	}
	return out, nil
}

func chosen(id string, only []string) bool {
	for _, prefix := range only {
		if strings.HasPrefix(id, prefix) {
			return true
		}
	}
	return len(only) == 0
}

// open returns the file as it is, or an empty one.
func (r *Run) open(d *Device) (*File, error) {
	fresh := &File{Schema: schemaVersion, Kit: r.Kit, Device: *d, Probes: make(map[string]*Result)}
	if r.Fresh {
		return fresh, nil
	}
	f, err := Read(r.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fresh, nil
	case err != nil:
		return nil, fmt.Errorf("%w; --fresh begins it again", err)
	case f.Device != *d:
		return nil, fmt.Errorf("%s is of %s with driver %d, but this is %s with driver %d; name another file, or --fresh", r.Path, f.Device.Name, f.Device.Driver, d.Name, d.Driver)
	}
	f.Kit = r.Kit
	if f.Probes == nil {
		f.Probes = make(map[string]*Result)
	}
	return f, nil
}
