package runtool

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/internal/suggest"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emulate"
)

// The forms of profiles.
const (
	profileText = "text"
	profileJSON = "json"
)

var profileForms = []string{profileText, profileJSON}

func (c *config) checkProfile() error {
	if c.flags.Changed("profile") && !slices.Contains(profileForms, c.profile) {
		return fmt.Errorf("unknown form '%s' of profiles%s; forms: %s", c.profile, suggest.DidYouMean(c.profile, profileForms), strings.Join(profileForms, ", "))
	}
	for _, f := range []string{"profile-block", "profile-lines"} {
		if c.flags.Changed(f) && c.profile == "" {
			return fmt.Errorf("--%s is for --profile", f)
		}
	}
	if c.profile == profileJSON && c.json {
		return fmt.Errorf("--profile=json writes JSON in place of --json; with --json, --profile puts the profile into the results")
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
	return &emu.Profile{Block: c.profiled}
}

// counted is the profile of a launch with what was launched, the JSON form of --profile=json.
type counted struct {
	Case string `json:"case"`
	GPU  string `json:"gpu,omitempty"`
	*emu.Report
}

// takeProfile makes the profile of a launch part of its outcome.
func (o *outcome) takeProfile(e *emulate.Engine, entry string) (err error) {
	if e.Profile != nil {
		o.Profile, err = e.Report(entry)
	}
	return err
}

// writeProfiles writes the profiles of all launches.
func (c *config) writeProfiles(w io.Writer, outcomes []*outcome) error {
	if c.profile == profileJSON {
		list := []counted{}
		for _, o := range outcomes {
			if o.Profile != nil {
				list = append(list, counted{o.Case, o.GPU, o.Profile})
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
	}
	return nil
}
