package cli

import (
	"fmt"
	"io"

	"github.com/rs/zerolog"
)

// LogLevels are the values of a tool's --log flag.
const LogLevels = "error, info, debug or trace"

// Logger returns a logger that writes what the compiler does, for developers. An empty level is silent.
func Logger(w io.Writer, level string) (zerolog.Logger, error) {
	if level == "" {
		return zerolog.Nop(), nil
	}
	l, err := zerolog.ParseLevel(level)
	if err != nil {
		return zerolog.Nop(), fmt.Errorf("log level must be %s, but got '%s'", LogLevels, level)
	}
	console := zerolog.ConsoleWriter{Out: w, NoColor: true, PartsExclude: []string{zerolog.TimestampFieldName}}
	return zerolog.New(console).Level(l), nil
}
