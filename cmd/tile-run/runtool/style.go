package runtool

import (
	"io"
	"os"
	"strings"

	"github.com/tilewright/tilewright/internal/tooling/cli"
)

// A style colours text for a terminal. The zero style leaves it as it is.
type style struct{ terminal, colour bool }

// styleFor returns the style for a writer.
func styleFor(w io.Writer) style {
	return style{cli.IsTerminal(w) && os.Getenv("TERM") != "dumb", cli.Colours(w)}
}

func (s style) paint(code, text string) string {
	if !s.colour {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s style) bold(text string) string  { return s.paint("1", text) }
func (s style) dim(text string) string   { return s.paint("2", text) }
func (s style) green(text string) string { return s.paint("32", text) }
func (s style) red(text string) string   { return s.paint("31", text) }
func (s style) blue(text string) string  { return s.paint("34", text) }

// bar is a bar for a share of a total, in eighths of a character.
func (s style) bar(value, whole float64, width int) string {
	eighths := 0
	if whole > 0 {
		eighths = int(value/whole*float64(width)*8 + 0.5)
	}
	text := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		text += string([]rune(" ▏▎▍▌▋▊▉")[rest])
	}
	return s.blue(text)
}
