package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/rs/zerolog"
	"github.com/spf13/pflag"
)

// LogLevels are the values of a tool's --log flag.
const LogLevels = "error, info, debug or trace"

// LogVar is the environment variable that stands for --log, also in a program without that flag or command line.
const LogVar = "TILEWRIGHT_LOG"

// DefineLog adds --log to the flags of a tool. who is what does what it traces.
func DefineLog(fs *pflag.FlagSet, level *string, who string) {
	fs.StringVar(level, "log", "", "trace what "+who+" at this `LEVEL`: "+LogLevels)
}

// Logger returns a logger that writes what the compiler does, for developers. An empty level is that of LogVar, and
// silent without one.
func Logger(w io.Writer, level string) (zerolog.Logger, error) {
	from := "--log"
	if level == "" {
		level, from = os.Getenv(LogVar), LogVar
	}
	if level == "" {
		return zerolog.Nop(), nil
	}
	l, err := zerolog.ParseLevel(level)
	if err != nil {
		return zerolog.Nop(), fmt.Errorf("%s must be %s, but is '%s'", from, LogLevels, level)
	}
	console := zerolog.ConsoleWriter{Out: w, NoColor: true, PartsExclude: []string{zerolog.TimestampFieldName}}
	return zerolog.New(console).Level(l), nil
}

// WithLog returns a context with the logger of a level. Whatever runs in it logs there (zerolog.Ctx).
func WithLog(ctx context.Context, w io.Writer, level string) (context.Context, error) {
	log, err := Logger(w, level)
	if err != nil || log.GetLevel() == zerolog.Disabled {
		return ctx, err
	}
	return log.WithContext(ctx), nil
}
