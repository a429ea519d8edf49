package confirm

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
)

// A Verdict is what a file says about one probe.
type Verdict string

// The verdicts.
const (
	Agrees   Verdict = "agrees"
	Differs  Verdict = "differs"
	Open     Verdict = "open"        // differs, where the ISA leaves the answer open
	Broken   Verdict = "failed"      // no answer: rejected, failed, timeout or crashed
	NotAsked Verdict = "not asked"   // by that run, or the driver is older than the form
	Stale    Verdict = "another kit" // the answer is to another question
	Figure   Verdict = "only a time" // nothing to compare with
)

var verdicts = []Verdict{Agrees, Differs, Open, Broken, NotAsked, Stale, Figure}

// A Finding is the verdict on a probe, with the reason.
type Finding struct {
	Probe   *Probe
	Verdict Verdict
	Detail  string
}

// A Comparison is what a file says about the emulator and the model.
type Comparison struct {
	File     *File
	Findings []Finding // in the order of probes
}

// Compare judges a file: each answer against what the emulator computes, or the model says.
func Compare(ctx context.Context, f *File, s Source) (*Comparison, error) {
	t, err := f.target()
	if err != nil {
		return nil, err
	}
	s.StandIn = f.Device.StandIn
	probes, err := s.Probes(t.Arch)
	if err != nil {
		return nil, err
	}
	c := &Comparison{File: f}
	for _, p := range probes {
		verdict, detail, err := p.verdict(ctx, f, t)
		if err != nil {
			return nil, err
		}
		c.Findings = append(c.Findings, Finding{p, verdict, detail})
	}
	return c, nil
}

func (p *Probe) verdict(ctx context.Context, f *File, t Target) (Verdict, string, error) {
	r := f.Probes[p.ID]
	if r == nil {
		return NotAsked, "", nil
	}
	l, err := p.Make(ctx, t)
	switch {
	case err != nil:
		return "", "", err
	case l.Hash() != r.Probe:
		return Stale, "", nil
	case r.State == rejected && newer(t):
		return NotAsked, fmt.Sprintf("the driver takes PTX %s and the form may need %s", t.PTX, Newest), nil
	case r.State != answered:
		return Broken, r.State + ": " + r.Text, nil
	}
	if p.figure {
		return p.figures(r)
	}
	got, err := r.bytes()
	if err != nil {
		return Broken, err.Error(), nil
	}
	if p.timed != nil {
		if n := l.Fields[0].Type.Bytes(l.Fields[0].Count); len(got) != n {
			return Broken, fmt.Sprintf("the answer has %d bytes, expected %d", len(got), n), nil
		}
		agrees, detail := p.timed.against(got, t.Arch)
		switch {
		case f.Device.StandIn: // whose clock counts instructions
			return Figure, detail, nil
		case agrees:
			return Agrees, detail, nil
		}
		return Differs, detail, nil
	}
	want, err := Expected(ctx, l)
	if err != nil {
		return "", "", fmt.Errorf("probe '%s': %w", p.ID, err)
	}
	d, err := p.compare(l.Fields, got, want)
	switch {
	case err != nil:
		return Broken, err.Error(), nil
	case d == nil:
		return Agrees, "", nil
	case p.Open:
		return Open, d.String(), nil
	}
	return Differs, d.String() + p.sides(ctx, t, l, got), nil
}

// figures says what is known of a kernel that was timed.
func (p *Probe) figures(r *Result) (Verdict, string, error) {
	detail := fmt.Sprintf("%.1f us", r.Microseconds)
	if p.flops > 0 && r.Microseconds > 0 {
		detail += fmt.Sprintf(", %.1f TFLOP/s", p.flops/r.Microseconds/1e6)
	}
	if r.Library > 0 && r.Microseconds > 0 {
		detail += fmt.Sprintf("; cuBLAS %.1f us, %.2f times its speed", r.Library, r.Library/r.Microseconds)
	}
	compared := p.expect != nil || r.Library > 0
	switch {
	case compared && r.Text != "":
		return Differs, detail + "; " + r.Text, nil
	case compared:
		return Agrees, detail, nil
	case r.Text != "": // there is no library
		detail += "; " + r.Text
	}
	return Figure, detail, nil
}

// OK reports whether nothing disagrees and nothing failed.
func (c *Comparison) OK() bool { return c.Count("", Differs)+c.Count("", Broken) == 0 }

// Count counts the probes of a kind ("": of all) with a verdict.
func (c *Comparison) Count(k Kind, v Verdict) (n int) {
	for i := range c.Findings {
		if x := &c.Findings[i]; x.Verdict == v && (k == "" || x.Probe.Kind == k) {
			n++
		}
	}
	return n
}

// Write writes the comparison as text: a table, and what does not agree; with all, each probe.
func (c *Comparison) Write(w io.Writer, all bool) error {
	d := c.File.Device
	fmt.Fprintf(w, "%s (%s), driver for CUDA %d.%d", d.Name, d.Arch, d.Driver/1000, d.Driver%1000/10)
	if d.StandIn {
		fmt.Fprint(w, "; the device is the emulator, so this confirms nothing")
	}
	fmt.Fprint(w, "\n\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "kind")
	for _, v := range verdicts {
		fmt.Fprintf(t, "\t%s", v)
	}
	fmt.Fprintln(t)
	for _, k := range Kinds {
		fmt.Fprint(t, k)
		for _, v := range verdicts {
			fmt.Fprintf(t, "\t%d", c.Count(k, v))
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for i := range c.Findings {
		x := &c.Findings[i]
		bad := x.Verdict == Differs || x.Verdict == Broken
		if !bad && x.Verdict != Open && !all {
			continue
		}
		fmt.Fprintf(w, "\n%s: %s", x.Verdict, x.Probe.ID)
		if x.Detail != "" {
			fmt.Fprintf(w, "\n    %s", x.Detail)
		}
		if bad || x.Verdict == Open {
			fmt.Fprintf(w, "\n    means: %s\n    look at: %s", x.Probe.Means, x.Probe.Look)
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}
