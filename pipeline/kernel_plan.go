package pipeline

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// A KernelPlan says what the passes of one kernel are told: options by the name of the pass, in the syntax of
// pipelines. They replace those that the pipeline gives the pass.
//
//	kernel @matmul {
//	  tileas-specialize-warps{roles=always stages=3}
//	  tileas-schedule-loops{prefetch=2}
//	}
type KernelPlan map[string]string

// KernelPlans are plans by the symbols of kernels.
type KernelPlans map[string]KernelPlan

// AnyKernel is what a plan is for that counts for all kernels without one of their own.
const AnyKernel = "*"

// Of returns the plan of a kernel; nil: it has none.
func (p KernelPlans) Of(kernel string) KernelPlan {
	if own, ok := p[kernel]; ok {
		return own
	}
	return p[AnyKernel]
}

// with returns the plans with options of a pass for one kernel in the place of those that it had.
func (p KernelPlans) with(kernel, pass, options string) KernelPlans {
	out := maps.Clone(p)
	if out == nil {
		out = make(KernelPlans)
	}
	own := maps.Clone(out.Of(kernel))
	if own == nil {
		own = make(KernelPlan)
	}
	own[pass] = options
	out[kernel] = own
	return out
}

// And returns options for all kernels together with those that plans have, for whoever asks which passes have any.
func (p KernelPlans) And(options map[string]string) map[string]string {
	out := maps.Clone(options)
	if out == nil {
		out = make(map[string]string)
	}
	for _, plan := range p {
		maps.Copy(out, plan)
	}
	return out
}

// String returns text that ParseKernelPlans reads back.
func (p KernelPlans) String() string {
	var sb strings.Builder
	for _, kernel := range slices.Sorted(maps.Keys(p)) {
		fmt.Fprintf(&sb, "kernel %s {\n", KernelName(kernel))
		for _, pass := range slices.Sorted(maps.Keys(p[kernel])) {
			fmt.Fprintf(&sb, "  %s{%s}\n", pass, p[kernel][pass])
		}
		sb.WriteString("}\n")
	}
	return sb.String()
}

// KernelName returns the name of a kernel as it stands in a plan.
func KernelName(kernel string) string {
	plain := kernel == AnyKernel || kernel != "" && strings.IndexFunc(kernel, func(c rune) bool { return c > 0x7f || !isNameByte(byte(c)) }) < 0
	if plain {
		return "@" + kernel
	}
	var sb strings.Builder
	sb.WriteByte('@')
	quote(&sb, kernel)
	return sb.String()
}

// ParseKernelPlans reads plans of kernels. Comments go from "//" to the end of the line. Errors are *SyntaxError, with
// the place in file.
func ParseKernelPlans(reg *passes.Registry, file, text string) (KernelPlans, error) {
	if len(text) > maxTextLen {
		return nil, &SyntaxError{File: file, Text: text[:snippetWidth], Msg: fmt.Sprintf("plan of %d bytes is longer than the limit of %d", len(text), maxTextLen)}
	}
	p := &planParser{reg: reg, textParser: textParser{text: withoutComments(text)}}
	out := make(KernelPlans)
	for {
		if p.blank(); p.pos == len(p.text) {
			return out, nil
		}
		if err := p.kernel(out); err != nil {
			var at *SyntaxError
			if errors.As(err, &at) {
				at.File, at.Text = file, text // with comments
			}
			return nil, err
		}
	}
}

// withoutComments puts blanks in the place of comments, so that places stay the same. A "//" in quotes is none.
func withoutComments(text string) string {
	out := []byte(text)
	quote := byte(0)
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote || c == '\n' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '/' && i+1 < len(out) && out[i+1] == '/':
			for ; i < len(out) && out[i] != '\n'; i++ {
				out[i] = ' '
			}
		}
	}
	return string(out)
}

type planParser struct {
	textParser
	reg *passes.Registry
}

// kernel parses "kernel @NAME { PASS{OPTIONS} ... }".
func (p *planParser) kernel(to KernelPlans) error {
	start := p.pos
	if word := p.word(); word != "kernel" {
		p.pos = start
		return p.errorAt(start, "expected 'kernel @NAME {...}', but got %s", p.next())
	}
	p.blank()
	at := p.pos
	if p.peek() != '@' {
		return p.errorAt(at, "expected the name of a kernel, as in '@matmul', but got %s", p.next())
	}
	p.pos++
	name, err := p.symbol()
	if err != nil {
		return err
	}
	if _, twice := to[name]; twice {
		return p.errorAt(at, "kernel '%s' has a plan already", name)
	}
	if p.count++; p.count > maxElements {
		return p.errorAt(at, "plan has more than %d elements", maxElements)
	}
	p.blank()
	open := p.pos
	if p.peek() != '{' {
		return p.errorAt(open, "expected '{' after kernel '%s', but got %s", name, p.next())
	}
	p.pos++
	plan := make(KernelPlan)
	for {
		switch p.blank(); p.peek() {
		case '}':
			p.pos++
			to[name] = plan
			return nil
		case 0:
			return p.errorAt(open, "'{' of kernel '%s' is not closed", name)
		}
		if err := p.pass(plan); err != nil {
			return err
		}
	}
}

func (p *planParser) word() string {
	start := p.pos
	for p.pos < len(p.text) && isNameByte(p.text[p.pos]) {
		p.pos++
	}
	return p.text[start:p.pos]
}

// symbol parses a name, a name in quotes or "*".
func (p *planParser) symbol() (string, error) {
	switch c := p.peek(); c {
	case '*':
		p.pos++
		return AnyKernel, nil
	case '"':
		return p.quoted(c, "the kernel's name")
	}
	name := p.word()
	if name == "" {
		return "", p.errorAt(p.pos, "expected the name of a kernel after '@', but got %s", p.next())
	}
	return name, nil
}

// pass parses PASS{OPTIONS} and looks the pass up.
func (p *planParser) pass(to KernelPlan) error {
	n := &element{pos: p.pos}
	n.name = p.word()
	if n.name == "" {
		return p.errorAt(n.pos, "expected the name of a pass, but got %s", p.next())
	}
	if p.count++; p.count > maxElements {
		return p.errorAt(n.pos, "plan has more than %d elements", maxElements)
	}
	if p.blank(); p.peek() == '{' {
		if err := p.options(n); err != nil {
			return err
		}
	}
	pass := p.reg.Lookup(n.name)
	if pass == nil {
		return p.errorAt(n.pos, "unknown pass '%s'%s", n.name, suggest.DidYouMean(n.name, passNames(p.reg)))
	}
	if _, twice := to[pass.Name]; twice {
		return p.errorAt(n.pos, "pass '%s' stands twice in the plan of this kernel", pass.Name)
	}
	if why := noPlan(pass); why != "" {
		return p.errorAt(n.pos, "pass '%s' has no place in the plan of a kernel: it %s", pass.Name, why)
	}
	it, err := (&binder{text: p.text}).options(pass, n)
	if err != nil {
		return err
	}
	to[pass.Name] = optionsText(it.Options)
	return nil
}

// Planned reports whether the plan of a kernel can have options of a pass.
func Planned(p *passes.Pass) bool { return noPlan(p) == "" }

// Item returns a pass of a pipeline with all the options that it has for a kernel, as in a plan.
func (p KernelPlans) Item(kernel string, it Item) string {
	options, own := p.Of(kernel)[it.Pass.Name]
	if !own {
		options = optionsText(it.Options)
	}
	return it.Pass.Name + "{" + options + "}"
}

// noPlan says why options of a pass cannot be those of one kernel; "" if they can.
func noPlan(p *passes.Pass) string {
	switch {
	case p.Options == nil:
		return "takes no options"
	case p.On == "" || !isUnitName(p.On):
		return "does not run on kernels alone"
	case p.Prepare != nil:
		return "prepares for all kernels at once"
	}
	return ""
}

// isUnitName reports whether kernels of some level are operations of that name.
func isUnitName(op string) bool {
	dialect, _, _ := strings.Cut(op, ".")
	level := passes.LevelOf(dialect)
	return level != nil && level.Unit() == op
}

// optionsText returns all options, in the syntax of pipelines.
func optionsText(opts any) string {
	var sb strings.Builder
	for i, o := range passes.DescribeOptions(opts) {
		if i > 0 {
			sb.WriteByte(' ')
		}
		sb.WriteString(o.Name + "=")
		formatOptionValue(&sb, o.Value)
	}
	return sb.String()
}

// KernelNames returns the symbols of the kernels of a module.
func KernelNames(module ir.Op) (names []string) {
	if isUnit(module) {
		names = append(names, module.SymbolName())
	}
	eachUnit(module, func(unit ir.Op) { names = append(names, unit.SymbolName()) })
	return names
}

// Check returns an error if a plan is for a kernel that is not among those of the names, or for a pass that does not
// run in a pipeline.
func (p KernelPlans) Check(kernels []string, pl *Pipeline) error {
	runs := make(map[string]bool)
	pl.Walk(func(_ *OpPipeline, it Item) { runs[it.Pass.Name] = true })
	for _, kernel := range slices.Sorted(maps.Keys(p)) {
		if kernel != AnyKernel && !slices.Contains(kernels, kernel) {
			return fmt.Errorf("the plan is for kernel '%s', which the module does not have; it has %s", kernel, suggest.List(kernels))
		}
		for _, pass := range slices.Sorted(maps.Keys(p[kernel])) {
			if !runs[pass] {
				return fmt.Errorf("the plan of kernel '%s' has options of '%s', which does not run on it", kernel, pass)
			}
		}
	}
	return nil
}
