package runtool

import (
	"regexp"
	"strconv"
	"strings"
)

// A statement is an instruction or a label of a PTX text.
type statement struct {
	label    string // of a label
	opcode   string // of an instruction: the name with its modifiers
	text     string // without the guard
	guarded  bool
	category string // what it counts as; "" for what is not worth a line
}

// statements returns the bodies of the entries as a list. It reads what emit-ptx writes, one statement per line.
func statements(text string) []statement {
	var out []statement
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if label, ok := strings.CutSuffix(line, ":"); ok {
			out = append(out, statement{label: label})
			continue
		}
		line, ok := strings.CutSuffix(line, ";")
		if !ok || strings.HasPrefix(line, ".") {
			continue
		}
		s := statement{text: line}
		if strings.HasPrefix(line, "@") {
			_, s.text, _ = strings.Cut(line, " ")
			s.guarded = true
		}
		s.opcode, _, _ = strings.Cut(s.text, " ")
		s.category = category(s.opcode)
		out = append(out, s)
	}
	return out
}

var (
	mmaShape    = regexp.MustCompile(`\.(m\d+n\d+k\d+)`)
	accessShape = regexp.MustCompile(`(?:\.v(\d+))?\.[busf](\d+)$`)
)

// category names what an instruction counts as in the mix.
func category(opcode string) string {
	head, _, _ := strings.Cut(opcode, ".")
	switch head {
	case "mma", "wgmma":
		if m := mmaShape.FindStringSubmatch(opcode); m != nil {
			return head + " " + m[1]
		}
	case "ldmatrix", "stmatrix":
		for _, n := range []string{"x4", "x2", "x1"} {
			if strings.Contains(opcode, "."+n) {
				return head + " " + n
			}
		}
	case "ld", "st":
		for _, space := range []string{"global", "shared"} {
			if m := accessShape.FindStringSubmatch(opcode); m != nil && strings.Contains(opcode, "."+space) {
				count, _ := strconv.Atoi("0" + m[1])
				bits, _ := strconv.Atoi(m[2])
				return head + "." + space + " " + strconv.Itoa(max(count, 1)*bits) + " bit"
			}
		}
	case "cp":
		return "cp.async"
	case "bar", "barrier":
		return "barrier"
	case "shfl":
		return "shfl"
	case "mbarrier":
		return "mbarrier"
	}
	return ""
}

// A tally counts the instructions of a category.
type tally struct {
	category string
	n        int
}

// mix counts instructions by category, in the order of their first occurrence; other is how many have none.
func mix(ss []statement) (counts []tally, total, other int) {
	at := make(map[string]int)
	for _, s := range ss {
		if s.label != "" {
			continue
		}
		total++
		if s.category == "" {
			other++
			continue
		}
		i, ok := at[s.category]
		if !ok {
			i = len(counts)
			at[s.category] = i
			counts = append(counts, tally{category: s.category})
		}
		counts[i].n++
	}
	return counts, total, other
}

// hottest returns the smallest loop that has matrix instructions, from the label to the branch back to it; without
// such a loop the smallest one, or nothing.
func hottest(ss []statement) []statement {
	labels := make(map[string]int)
	var best []statement
	matrix := false
	for i, s := range ss {
		if s.label != "" {
			labels[s.label] = i
			continue
		}
		if s.opcode != "bra" && s.opcode != "bra.uni" {
			continue
		}
		start, ok := labels[strings.TrimSpace(strings.TrimPrefix(s.text, s.opcode))]
		if !ok {
			continue // a branch forwards
		}
		loop := ss[start : i+1]
		has := false
		for _, inner := range loop {
			has = has || strings.HasPrefix(inner.opcode, "mma") || strings.HasPrefix(inner.opcode, "wgmma")
		}
		if best == nil || has && !matrix || has == matrix && len(loop) < len(best) {
			best, matrix = loop, has
		}
	}
	return best
}
