package expect

import (
	"fmt"

	"github.com/spf13/pflag"
)

// What --verify-diagnostics can be besides empty.
const (
	All          = "all"
	OnlyExpected = "only-expected" // diagnostics that no comment names do not matter
)

const flagName = "verify-diagnostics"

// Flag adds --verify-diagnostics to the flags of a tool; without a value it means All.
func Flag(fs *pflag.FlagSet, value *string) {
	fs.StringVar(value, flagName, "", "check diagnostics, and costs, against the comments expected-error@+1 {{...}} and expected-ii@+1 {{<= 64}} in the input (`"+All+"|"+OnlyExpected+"`)")
	fs.Lookup(flagName).NoOptDefVal = All
}

// CheckFlag returns what is wrong with the value of the flag.
func CheckFlag(value string) error {
	if value != "" && value != All && value != OnlyExpected {
		return fmt.Errorf("--%s must be %s, %s, but got '%s'", flagName, All, OnlyExpected, value)
	}
	return nil
}
