package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/passes/remark"
)

// WhyFlag defines --why, which makes a tool answer one question instead of compiling.
func WhyFlag(fs *pflag.FlagSet, to *string) {
	fs.StringVar(to, "why", "", "say in words why the code is as it is, what is missing and what that is worth, about one thing, instead of writing code: `"+strings.Join(topics(), "|")+"`")
}

func topics() (names []string) {
	for _, t := range remark.Topics() {
		names = append(names, t.Name)
	}
	return names
}

// CheckWhy checks the value of --why.
func CheckWhy(value string) error {
	if value != "" && TopicOf(value) == nil {
		return fmt.Errorf("unknown value '%s' of --why%s; values: %s", value, suggest.DidYouMean(value, topics()), strings.Join(topics(), ", "))
	}
	return nil
}

// TopicOf returns the question of that name, or nil.
func TopicOf(name string) *remark.Topic {
	for _, t := range remark.Topics() {
		if t.Name == name {
			return t
		}
	}
	return nil
}
