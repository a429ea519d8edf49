package emu

import (
	"fmt"
	"math"
	"strings"
)

// builtin is a function that the device runtime provides: it gets the
// arguments of one lane and returns its result.
type builtin struct {
	params int
	run    func(w *warp, lane int, args []uint64) uint64
}

var builtins = map[string]builtin{
	"vprintf":      {2, vprintf},
	"__assertfail": {5, assertFail},
	"malloc":       {1, malloc},
	"free":         {1, free},
}

func decodeBuiltin(d *decoder, f *function, rets, params []*operand) {
	b, ok := builtins[f.name]
	if !ok {
		d.failInst("function '%s' has no body and is not known to the emulator", f.name)
	}
	if len(params) != b.params || len(rets) > 1 {
		d.failInst("'%s' is declared with %d parameters, it has %d", f.name, len(params), b.params)
	}
	var from []paramPlace
	for i, p := range params {
		if f.params[i].size > 8 {
			d.failInst("parameter '%s' of '%s' has more than 8 bytes", f.params[i].name, f.name)
		}
		from = append(from, d.actual(p, f.params[i], false))
	}
	to := paramPlace{reg: slotSink}
	n := int64(4)
	if len(rets) == 1 {
		to, n = d.actual(rets[0], f.rets[0], true), min(f.rets[0].size, 8)
	}
	d.in.exec = func(w *warp, m uint32) {
		args := make([]uint64, len(from))
		frame := int64(w.prog.localSize)
		for m != 0 && w.err == nil {
			i := next(&m)
			for k, p := range from {
				if p.local {
					args[k] = get(w.local[int64(i)*frame+p.off:][:f.params[k].size])
				} else {
					args[k] = w.lanes(p.reg)[i]
				}
			}
			v := b.run(w, i, args)
			if to.local {
				put(w.local[int64(i)*frame+to.off:][:n], v)
			} else {
				w.reg(int32(to.reg))[i] = v & mask(int(8*n))
			}
		}
	}
}

// maxString bounds the strings that device code hands to a builtin.
const maxString = 1 << 16

// cString reads the zero-terminated string at a generic address.
func (w *warp) cString(addr uint64, lane int) (string, bool) {
	var b strings.Builder
	for b.Len() < maxString {
		p := w.at(spGeneric, addr+uint64(b.Len()), 1, lane, false)
		if p == nil {
			return "", false
		}
		if p[0] == 0 {
			return b.String(), true
		}
		b.WriteByte(p[0])
	}
	w.faultf(lane, "string at %#x is longer than %d bytes", addr, maxString)
	return "", false
}

func assertFail(w *warp, lane int, args []uint64) uint64 {
	msg, ok1 := w.cString(args[0], lane)
	file, ok2 := w.cString(args[1], lane)
	fn, ok3 := w.cString(args[3], lane)
	if ok1 && ok2 && ok3 {
		w.faultf(lane, "assertion '%s' failed at %s:%d in '%s'", msg, file, uint32(args[2]), fn)
	}
	return 0
}

// vprintf formats like C's printf: args[0] is the format, args[1] the
// buffer of arguments, each aligned to its size, with the promotions of C.
func vprintf(w *warp, lane int, args []uint64) uint64 {
	format, ok := w.cString(args[0], lane)
	if !ok {
		return 0
	}
	p := printer{w: w, lane: lane, at: args[1]}
	text, count := p.format(format)
	if w.err != nil {
		return 0
	}
	if r := w.cta.run; r.l.Stdout != nil {
		r.output.Lock()
		defer r.output.Unlock()
		if _, err := fmt.Fprint(r.l.Stdout, text); err != nil {
			w.faultf(lane, "vprintf: %v", err)
		}
	}
	return uint64(count)
}

type printer struct {
	w    *warp
	lane int
	at   uint64 // next argument
}

// arg fetches the next argument of n bytes.
func (p *printer) arg(n uint64) uint64 {
	p.at = (p.at + n - 1) &^ (n - 1)
	b := p.w.at(spGeneric, p.at, int(n), p.lane, false)
	p.at += n
	if b == nil {
		return 0
	}
	return get(b)
}

// format expands a format string and counts the arguments used.
func (p *printer) format(f string) (text string, count int) {
	var out strings.Builder
	for p.w.err == nil {
		i := strings.IndexByte(f, '%')
		if i < 0 {
			break
		}
		out.WriteString(f[:i])
		f = f[i+1:]
		n := strings.IndexFunc(f, func(r rune) bool { return !strings.ContainsRune("-+ #0123456789.*hljzt", r) })
		if n < 0 {
			p.w.faultf(p.lane, "vprintf: conversion '%%%s' is not complete", f)
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
		return p.print(flags+"d", sext(p.arg(size), int(8*size)))
	case 'u':
		return p.print(flags+"d", p.arg(size))
	case 'x', 'X', 'o':
		return p.print(flags+string(verb), p.arg(size))
	case 'c':
		return p.print(flags+"s", string([]byte{byte(p.arg(4))}))
	case 's':
		s, _ := p.w.cString(p.arg(8), p.lane)
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
	p.w.faultf(p.lane, "vprintf: conversion '%%%s%c' is not supported", spec, verb)
	return ""
}

// maxWidth bounds field widths and precisions.
const maxWidth = 4096

func (p *printer) print(format string, v any) string {
	n := 0
	for _, c := range format {
		if n = n*10 + int(c-'0'); c < '0' || c > '9' {
			n = 0
		}
		if n > maxWidth {
			p.w.faultf(p.lane, "vprintf: width in '%s' is greater than %d", format, maxWidth)
			return ""
		}
	}
	return fmt.Sprintf(format, v)
}
