package ir

import (
	"strings"
	"testing"
)

func TestTextLoc(t *testing.T) {
	t.Parallel()
	c := NewContext(testDialect)
	a := c.NewArena()
	texts := []*Text{c.AddText("a.mlir", "one\ntwo\n\nfour", 1), c.AddText("", "", 1), c.AddText("a.mlir", "six\nseven", 6)}
	exhausted := NewContext(testDialect)
	exhausted.texts.end = textBit - 4
	for _, tc := range []struct {
		text      *Text
		arena     *Arena
		pos       int
		file      string
		line, col uint32
	}{
		{texts[0], a, 0, "a.mlir", 1, 1},
		{texts[0], a, 3, "a.mlir", 1, 4}, // the line's end belongs to it
		{texts[0], a, 4, "a.mlir", 2, 1},
		{texts[0], a, 8, "a.mlir", 3, 1},
		{texts[0], a, 13, "a.mlir", 4, 5}, // the end of the text
		{texts[1], a, 0, "", 1, 1},
		{texts[2], a, 0, "a.mlir", 6, 1},
		{texts[2], a, 5, "a.mlir", 7, 2},
		{exhausted.AddText("b.mlir", "x\ny", 1), exhausted.NewArena(), 2, "b.mlir", 2, 1}, // has no numbers: a location is made at once
	} {
		b := NewBuilder(tc.arena)
		st := b.NewState(testAdd, nil)
		st.SetTextLoc(tc.text, tc.pos)
		op := b.Insert(st)
		want := tc.arena.Context().FileLoc(tc.file, tc.line, tc.col)
		if got := op.Loc(); got != Location(want) {
			t.Errorf("offset %d: got %s, want %s", tc.pos, AttrString(got), AttrString(want))
		}
		if !op.HasPlainLoc() {
			t.Errorf("offset %d: the location is not plain", tc.pos)
		}
		if got := BuilderAfter(op).Create(testAdd, nil, nil).Loc(); got != Location(want) {
			t.Errorf("offset %d: an operation made after it is at %s", tc.pos, AttrString(got))
		}
		if got := NewBuilder(tc.arena).Clone(op, NewMapping()).Loc(); got != Location(want) {
			t.Errorf("offset %d: the clone is at %s", tc.pos, AttrString(got))
		}
		op.SetLoc(tc.arena.Context().NameLoc("n", nil))
		if op.HasPlainLoc() {
			t.Errorf("offset %d: a name is taken for a plain location", tc.pos)
		}
	}
}

func TestManyValueNames(t *testing.T) {
	t.Parallel()
	b := NewBuilder(NewContext(testDialect).NewArena())
	var values []Value
	for range 100 {
		values = append(values, b.Create(testAdd, nil, []Type{b.Context().Int(32)}).Result(0))
	}
	want := map[int]string{3: "a", 7: strings.Repeat("long", 100), 50: "a", 99: "z"}
	values[3].SetName("replaced")
	for i, name := range want {
		values[i].SetName(name)
	}
	values[20].SetName("gone")
	values[20].SetName("")
	for i, v := range values {
		if v.Name() != want[i] {
			t.Errorf("value %d is called %q, want %q", i, v.Name(), want[i])
		}
	}
}
