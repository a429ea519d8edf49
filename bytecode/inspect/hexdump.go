package inspect

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/ir"
)

const (
	perLine = 16  // bytes
	maxText = 400 // longer explanations are cut
)

// Hexdump writes all bytes of a file with what they mean. When the file is damaged, what could not be read is dumped
// without explanation, and the error is returned.
func Hexdump(ctx *ir.Context, w io.Writer, data []byte) error {
	items, err := describe(ctx, data)
	gap := "padding"
	if err != nil {
		gap = "" // or what could not be read
	}
	d := &dumper{w: bufio.NewWriter(w), data: data}
	for i, it := range items {
		end := it.End
		if i+1 < len(items) {
			end = min(end, items[i+1].Start) // a malformed table may make ranges overlap
		}
		d.bytes(it.Start, 1, gap)
		d.bytes(end, it.Level, it.Text)
	}
	d.bytes(len(data), 0, "")
	if e := d.w.Flush(); e != nil {
		return e
	}
	return err
}

// describe returns what is known about the bytes, and what is wrong with the file.
func describe(ctx *ir.Context, data []byte) ([]bytecode.Item, error) {
	layout, err := bytecode.ReadLayout(ctx, data)
	if err != nil {
		return layout.Items(data), err
	}
	f, err := bytecode.Open(ctx, data)
	if err != nil {
		return layout.Items(data), err
	}
	return f.Items()
}

// A dumper writes lines of bytes and text.
type dumper struct {
	w    *bufio.Writer
	data []byte
	pos  int
}

// bytes writes the bytes up to end.
func (d *dumper) bytes(end, level int, text string) {
	if len(text) > maxText {
		text = text[:maxText] + "..."
	}
	text = strings.Repeat("  ", level) + strings.ReplaceAll(text, "\n", `\n`) // a line each, whatever names hold
	for d.pos < end {
		n := min(perLine, end-d.pos)
		line := fmt.Sprintf("%08x  %-*s  %s", d.pos, 3*perLine-1, fmt.Sprintf("% x", d.data[d.pos:d.pos+n]), text)
		fmt.Fprintln(d.w, strings.TrimRight(line, " "))
		d.pos += n
		text = ""
	}
}
