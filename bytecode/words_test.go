package bytecode

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/internal/testing/judges"
)

// wordsCases are files that are damaged in one field each, and what the reference says of it. The list, with what is
// different, is in docs/conformance.md.
func wordsCases() []wordsCase {
	assume := func(attr ...byte) parts { return parts{body: append([]byte{0x06, 2}, attr...)} }
	// What stands behind an attribute in the file is cut off with it.
	debug := func(attrs ...[]byte) parts { return parts{debug: debugOf([]uint64{0, uint64(len(attrs))}, attrs...)} }
	file, unit, subprogram := []byte{2, 0, 0}, []byte{1, 1}, []byte{5, 1, 7, 0, 0, 2, 0}
	scoped := func(attr ...byte) parts { return debug(file, unit, subprogram, attr) }
	block := func(attr ...byte) parts {
		return debug(file, unit, subprogram, append([]byte{3}, attr...), []byte{4, 4, 0, 1, 1})
	}
	const (
		blockWords = " when parsing DILexicalBlockAttr"
		lineWords  = " when parsing FileLineColLoc"
	)
	return []wordsCase{
		{"opcode", parts{body: []byte{0x19}}, "unknown or unimplemented opcode: ", false},
		{"cut opcode", parts{body: []byte{0x80}}, "failed to read operation opcode.", false},
		{"long opcode", parts{body: bytes.Repeat([]byte{0xff}, 12)}, "failed to read operation opcode.", false},
		{"too few locations", debug(file), "failed to read operation location.", false},
		{"no location", parts{debug: debugOf([]uint64{0, 9}, file)}, "failed to read operation location.", false},
		{"function's location", parts{debug: debugOf([]uint64{9, 0}, file)}, "failed to read function location for 'k'", false},
		{"permutation", parts{body: []byte{0x53, 2, 9, 0}}, "failed to read DenseI32ArrayAttr values.", false},
		{"aligned end", parts{patch: func(b []byte) { b[len(b)-1] = 0x80 }}, "end section should not have alignment flag set", false},
		{"tag", assume(), "failed to read AttributeTag for self-contained attribute.", false},
		{"unknown tag", assume(99), "unsupported AttributeTag 99 for self-contained attribute", false},
		{"string index", parts{body: []byte{0x2c, 2, 5}}, "string index 5 out of bounds", false},
		{"string", assume(wire.TagString, 9), "failed to read StringAttr.", false},
		{"float type", assume(wire.TagFloat, 0, 1), "failed to read valid FloatType for FloatAttr", false},
		{"type", assume(wire.TagType, 99), "failed to get referenced type for TypeAttr", false},
		{"dense type", assume(wire.TagDense, 99), "failed to read valid MLIR Type for self-contained DenseElementsAttr", false},
		{"extreme", parts{body: []byte{0x53, 2, 1, 0xff, 0xff, 0xff, 0x7f}}, "array contains unsupported value ", false},
		{"divisor", assume(wire.TagDivBy), "failed to read divisor for DivByAttr", true},
		{"divisor flags", assume(wire.TagDivBy, 4), "failed to read flags byte for DivByAttr", true},
		{"every", assume(wire.TagDivBy, 4, 1), "failed to read value for 'every' in DivByAttr", true},
		{"along", assume(wire.TagDivBy, 4, 2), "failed to read value for 'along' in DivByAttr", true},
		{"same elements", assume(wire.TagSameElements), "failed to read DenseI64ArrayAttr for SameElementsAttr", true},
		{"bounded flags", assume(wire.TagBounded), "failed to read flags byte for BoundedAttr", true},
		{"lower", assume(wire.TagBounded, 1), "failed to read lower bound for BoundedAttr", true},
		{"upper", assume(wire.TagBounded, 2), "failed to read upper bound for BoundedAttr", true},

		{"unit's file", debug(file, []byte{1, 9}, subprogram, []byte{4, 3, 0, 1, 1}), "failed to read file attribute when parsing DICompileUnitAttr", false},
		{"file's name", debug([]byte{2, 9, 0}, unit, subprogram, []byte{4, 3, 0, 1, 1}), "failed to read file name attribute when parsing DIFileAttr", false},
		{"directory", debug([]byte{2, 0, 9}, unit, subprogram, []byte{4, 3, 0, 1, 1}), "failed to read directory attribute when parsing DIFileAttr", false},
		{"block's scope", block(9, 1, 1, 1), "failed to read scope attribute" + blockWords, false},
		{"block's file", block(3, 9, 1, 1), "failed to read file attribute" + blockWords, false},
		{"block's line", block(3, 1), "failed to read line number" + blockWords, false},
		{"block's column", block(3, 1, 1), "failed to read column number" + blockWords, false},
		{"location's scope", scoped(4, 9, 0, 1, 1), "failed to read scope attribute when parsing DILocAttr", false},
		{"location's file", scoped(4, 3, 9, 1, 1), "failed to read file name attribute" + lineWords, false},
		{"line", scoped(4, 3, 0), "failed to read line number" + lineWords, false},
		{"column", scoped(4, 3, 0, 1), "failed to read column number" + lineWords, false},
		{"callee", debug(file, unit, subprogram, []byte{4, 3, 0, 1, 1}, []byte{6, 9, 4}), "failed to read callee attribute when parsing CallSiteLoc", false},
		{"caller", debug(file, unit, subprogram, []byte{4, 3, 0, 1, 1}, []byte{6, 4, 9}), "failed to read caller attribute when parsing CallSiteLoc", false},
	}
}

type wordsCase struct {
	name  string
	file  parts
	words string
	// ours: the reference says something else, or takes the file.
	ours bool
}

func TestReferenceWords(t *testing.T) {
	t.Parallel()
	for _, tt := range wordsCases() {
		if _, err := openAll(tt.file.file()); err == nil || !strings.Contains(err.Error(), tt.words) {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.words)
		}
	}
}

// TestReferenceSaysSo holds the words to the reference.
func TestReferenceSaysSo(t *testing.T) {
	t.Parallel()
	tool := judges.Tool(t, "tileirdisasm")
	dir := t.TempDir()
	for _, tt := range wordsCases() {
		path := filepath.Join(dir, "damaged.tileirbc")
		if err := os.WriteFile(path, tt.file.file(), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(tool, "-g", path).CombinedOutput()
		if says := err != nil && strings.Contains(string(out), tt.words); says == tt.ours {
			t.Errorf("%s: %v: got %s, want %s", tt.name, err, out, tt.words)
		}
	}
}
