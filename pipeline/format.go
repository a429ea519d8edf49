package pipeline

import (
	"strings"

	"github.com/tilewright/tilewright/passes"
)

// String returns the normal form of the pipeline, which Parse reads back to an equal one. It has no blanks, and only
// those options that differ from their defaults, in the order of their declaration.
func (p *Pipeline) String() string {
	var sb strings.Builder
	p.Root.format(&sb)
	return sb.String()
}

func (n *OpPipeline) format(sb *strings.Builder) {
	sb.WriteString(n.Op)
	sb.WriteByte('(')
	for i, it := range n.Items {
		if i > 0 {
			sb.WriteByte(',')
		}
		if it.Nest != nil {
			it.Nest.format(sb)
		} else {
			it.format(sb)
		}
	}
	sb.WriteByte(')')
}

func (it Item) format(sb *strings.Builder) {
	sb.WriteString(it.Pass.Name)
	defaults := passes.DescribeOptions(it.Pass.NewOptions())
	sep := "{"
	for i, o := range passes.DescribeOptions(it.Options) {
		if o.Value == defaults[i].Value {
			continue
		}
		sb.WriteString(sep + o.Name + "=")
		formatOptionValue(sb, o.Value)
		sep = " "
	}
	if sep == " " {
		sb.WriteByte('}')
	}
}

func formatOptionValue(sb *strings.Builder, v string) {
	plain := v != ""
	for i := range len(v) {
		plain = plain && isPlainByte(v[i])
	}
	if plain {
		sb.WriteString(v)
	} else {
		quote(sb, v)
	}
}

func quote(sb *strings.Builder, v string) {
	sb.WriteByte('"')
	for i := range len(v) {
		if v[i] == '"' || v[i] == '\\' {
			sb.WriteByte('\\')
		}
		sb.WriteByte(v[i])
	}
	sb.WriteByte('"')
}
