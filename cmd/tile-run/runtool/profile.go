package runtool

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
	estimates "github.com/tilewright/tilewright/target/timing"
	"github.com/tilewright/tilewright/target/timing/pprof"
)

// The forms of profiles.
const (
	profileText  = "text"
	profileJSON  = "json"
	profilePprof = "pprof"
	profileTrace = "trace"
)

var profileForms = []string{profileText, profileJSON, profilePprof, profileTrace}

// profileAlone tells that the profile is all that standard output gets.
func (c *config) profileAlone() bool { return c.profile != "" && c.profile != profileText }

func (c *config) checkProfile() error {
	if c.flags.Changed("profile") && !slices.Contains(profileForms, c.profile) {
		return fmt.Errorf("unknown form '%s' of profiles%s; forms: %s", c.profile, suggest.DidYouMean(c.profile, profileForms), strings.Join(profileForms, ", "))
	}
	for _, f := range []string{"profile-block", "profile-lines"} {
		if c.flags.Changed(f) && c.profile == "" && (f == "profile-lines" || c.report.Path == "") {
			return fmt.Errorf("--%s is for --profile", f)
		}
	}
	if c.profileAlone() && c.json {
		return fmt.Errorf("--profile=%s writes in place of --json; with --json, --profile puts the profile into the results", c.profile)
	}
	if c.profileLines < 0 {
		return fmt.Errorf("--profile-lines must not be negative, but got %d", c.profileLines)
	}
	if c.profileBlock == "" {
		return nil
	}
	id, err := parseCoordinates("--profile-block", c.profileBlock)
	c.profiled = &id
	return err
}

// newProfile is the profile of one launch, nil if none is asked for.
func (c *config) newProfile() *emu.Profile {
	if c.profile == "" {
		return nil
	}
	return &emu.Profile{Block: c.profiled, Trace: new(emu.Trace)}
}

// counted is the profile of a launch with what was launched, the JSON form of --profile=json.
type counted struct {
	Case string `json:"case"`
	GPU  string `json:"gpu,omitempty"`
	*emu.Report
	Estimate *estimates.Estimate `json:"timing_estimate,omitempty"`
}

// takeProfile makes the profile of a launch part of its outcome.
func (c *config) takeProfile(ctx context.Context, o *outcome, e *emulate.Engine, entry string) (err error) {
	if e.Profile == nil {
		return nil
	}
	if o.Profile, err = e.Report(entry); err != nil {
		return err
	}
	arch, err := c.timed(e.Target())
	if err != nil {
		o.noEstimate = err.Error()
		return nil
	}
	o.Estimate, err = e.Estimate(ctx, entry, arch, ptxas.Machine(ctx, e.Source(), e.Target(), entry))
	return err
}

// timed is the architecture that a module for a target is timed on: its own, or the one that the command line names,
// if that can run it.
func (c *config) timed(target string) (*sm.Arch, error) {
	name := strings.TrimRight(target, "af")
	own, err := sm.Lookup(name)
	asked, _ := sm.Lookup(c.gpus[0])
	plain := name == target
	if c.flags.Changed("gpu-name") && asked != nil && plain && (own == nil || asked.Capability() >= own.Capability()) {
		return asked, nil
	}
	if err != nil {
		return nil, fmt.Errorf("there is no timing model for '%s': name a target by --gpu-name", target)
	}
	return own, nil
}

// writeProfiles writes the profiles of all launches.
func (c *config) writeProfiles(w io.Writer, outcomes []*outcome) error {
	switch c.profile {
	case profilePprof:
		return pprof.Write(w, named(outcomes))
	case profileTrace:
		return estimates.WriteChrome(w, named(outcomes))
	case profileJSON:
		list := []counted{}
		for _, o := range outcomes {
			if o.Profile != nil {
				list = append(list, counted{o.Case, o.GPU, o.Profile, o.Estimate})
			}
		}
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(list)
	}
	for _, o := range outcomes {
		if o.Profile == nil {
			continue
		}
		fmt.Fprintf(w, "\nprofile of %s: ", o.title())
		if err := o.Profile.WriteText(w, c.profileLines); err != nil {
			return err
		}
		switch {
		case o.Estimate != nil:
			if err := o.Estimate.WriteText(w, c.profileLines); err != nil {
				return err
			}
		case o.noEstimate != "":
			fmt.Fprintf(w, "\nno estimate of time: %s\n", o.noEstimate)
		}
	}
	return nil
}

// named are the estimates of all launches.
func named(outcomes []*outcome) (list []estimates.Named) {
	for _, o := range outcomes {
		if o.Estimate != nil {
			list = append(list, estimates.Named{Name: o.Case, Estimate: o.Estimate})
		}
	}
	return list
}
