package compiletool

import (
	"context"
	"os"

	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/internal/tooling/report"
	"github.com/tilewright/tilewright/internal/tooling/tune"
	"github.com/tilewright/tilewright/internal/tooling/why"
)

// reported writes the report of a run with this exit status, and returns that of both. A report that --report asks
// for and that cannot be had is an error; of one that the environment asks for a client's build must not fail.
//
// The report compiles once more, since every operation has another location for it: the output is that of a run
// without one.
func (s *session) reported(ctx context.Context, status int) int {
	to := s.config.report
	asked := to.Path != ""
	if !asked {
		to = cli.Report{Path: os.Getenv(reportVar)}
	}
	if to.Path == "" || len(s.data) == 0 {
		return status
	}
	module, err := s.again()
	if err == nil {
		in := report.Kernel(s.name, s.data, s.compiling(module))
		if s.arguments != "" {
			in.Arguments, err = why.ReadArguments(s.arguments)
		}
		if err == nil && s.launches != "" {
			in.Launches, err = tune.Launches(s.launches)
		}
		if err == nil {
			err = to.Write(ctx, in, s.persona.name, s.given, s.ptxas)
		}
	}
	if err != nil {
		switch {
		case status != cli.OK: // it has been said why
		case asked:
			return s.fail(notWritten, err)
		default:
			cli.Warn(s.stderr, "%s: %v", reportVar, err)
		}
	}
	return status
}
