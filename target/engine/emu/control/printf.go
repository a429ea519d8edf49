package control

import (
	"fmt"
	"math"
	"strings"

	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// vprintf formats like C's printf: args[0] is the format, args[1] the
// buffer of arguments, each aligned to its size, with the promotions of C.
//
// Output goes out at once and under a lock, where the device has a buffer that is printed later and may overflow.
func vprintf(w *machine.Warp, lane int, args []uint64) uint64 {
	format, ok := cString(w, args[0], lane)
	if !ok {
		return 0
	}
	p := printer{w: w, lane: lane, at: args[1]}
	text, count := p.format(format)
	if w.Err != nil {
		return 0
	}
	if r := w.CTA.Run; r.Launch.Stdout != nil {
		r.Output.Lock()
		defer r.Output.Unlock()
		if _, err := fmt.Fprint(r.Launch.Stdout, text); err != nil {
			w.Faultf(lane, "vprintf: %v", err)
		}
	}
	return uint64(count)
}

type printer struct {
	w    *machine.Warp
	lane int
	at   uint64 // next argument
}

// arg fetches the next argument of n bytes.
func (p *printer) arg(n uint64) uint64 {
	p.at = (p.at + n - 1) &^ (n - 1)
	b := p.w.At(syntax.Generic, p.at, int(n), p.lane, false)
	p.at += n
	if b == nil {
		return 0
	}
	return machine.Load(b)
}

// format expands a format string and counts the arguments used.
func (p *printer) format(f string) (text string, count int) {
	var out strings.Builder
	for p.w.Err == nil {
		i := strings.IndexByte(f, '%')
		if i < 0 {
			break
		}
		out.WriteString(f[:i])
		f = f[i+1:]
		n := strings.IndexFunc(f, func(r rune) bool { return !strings.ContainsRune("-+ #0123456789.*hljzt", r) })
		if n < 0 {
			p.w.Faultf(p.lane, "vprintf: conversion '%%%s' is not complete", f)
			break
		}
		spec, verb := f[:n], f[n]
		f = f[n+1:]
		if verb == '%' {
			out.WriteByte('%')
			continue
		}
		out.WriteString(p.convert(spec, verb))
		count++
	}
	out.WriteString(f)
	return out.String(), count
}

// Verbs of Go and C agree on the finite numbers, for the flags that both have; infinities and NaN do not, nor the
// default precision of %g.
func (p *printer) convert(spec string, verb byte) string {
	for strings.Contains(spec, "*") {
		spec = strings.Replace(spec, "*", fmt.Sprint(int32(p.arg(4))), 1)
	}
	size := uint64(4)
	if strings.ContainsAny(spec, "ljzt") {
		size = 8
	}
	flags := "%" + strings.Trim(spec, "hljzt")
	switch verb {
	case 'd', 'i':
		return p.print(flags+"d", num.SignExtend(p.arg(size), int(8*size)))
	case 'u':
		return p.print(flags+"d", p.arg(size))
	case 'x', 'X', 'o':
		return p.print(flags+string(verb), p.arg(size))
	case 'c':
		return p.print(flags+"s", string([]byte{byte(p.arg(4))}))
	case 's':
		s, _ := cString(p.w, p.arg(8), p.lane)
		return p.print(flags+"s", s)
	case 'p':
		return p.print(flags+"#x", p.arg(8))
	case 'f', 'F', 'e', 'E', 'g', 'G':
		x := math.Float64frombits(p.arg(8))
		if math.IsNaN(x) || math.IsInf(x, 0) {
			s := strings.ToLower(strings.TrimPrefix(fmt.Sprint(x), "+"))
			width, _, _ := strings.Cut(strings.ReplaceAll(flags, "0", ""), ".")
			return p.print(strings.TrimRight(width, "+ #")+"s", s)
		}
		if (verb == 'g' || verb == 'G') && !strings.Contains(flags, ".") {
			flags += ".6"
		}
		return p.print(flags+string(verb), x)
	}
	p.w.Faultf(p.lane, "vprintf: conversion '%%%s%c' is not supported", spec, verb)
	return ""
}

// maxWidth bounds field widths and precisions.
const maxWidth = 4096

// The check comes first: Go would pad to whatever width a program's string says, and memory is bounded on any
// input.
func (p *printer) print(format string, v any) string {
	n := 0
	for _, c := range format {
		if n = n*10 + int(c-'0'); c < '0' || c > '9' {
			n = 0
		}
		if n > maxWidth {
			p.w.Faultf(p.lane, "vprintf: width in '%s' is greater than %d", format, maxWidth)
			return ""
		}
	}
	return fmt.Sprintf(format, v)
}
