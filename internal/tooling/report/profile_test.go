package report

import (
	"fmt"
	"testing"

	"github.com/tilewright/tilewright/target/timing"

	"github.com/tilewright/tilewright/target/engine/emu"
)

// launchedPage is a page with the profile of an estimate whose numbers are known, and values.
func launchedPage() *Page {
	e := &timing.Estimate{Arch: "sm_90", Chip: "H100 SXM5", Cycles: 1000, KernelCycles: 2000, Microseconds: 1.5, Warps: 4, Registers: 64, RegistersFrom: "ptxas", Resident: 8, Limit: "registers", Modelled: 2, Issued: 300,
		Units:    []timing.UnitShare{{Unit: "tensor", Share: 0.75}, {Unit: "issue", Share: 0.1}},
		Roofline: timing.Roofline{Flops: 1e6, Bytes: 1e3, Intensity: 1000, Ridge: 200, Bound: "compute", Attained: 0.5}, Notes: []string{hostile}}
	e.Stalls[2] = 700
	for i := range 3 {
		l := timing.Line{Line: 10 + i, Text: hostile, Source: &emu.SourcePlace{File: hostile, Line: i}, Issued: 100, Cycles: int64(100 * (i + 1)), Share: float64(i+1) / 6}
		l.Stalls[2] = int64(100 * i)
		e.Lines, e.Sources = append(e.Lines, l), append(e.Sources, l)
	}
	for i := range int64(2 * maxProfileSpans) {
		e.Timeline = append(e.Timeline, timing.Span{Lane: fmt.Sprintf("warp %d", i%4), Start: i, Cycles: 1 + i%7, Name: "long_scoreboard", Line: 10}, timing.Span{Lane: "tensor cores", Start: i, Cycles: 2, Name: hostile, Line: 11})
	}
	page := &Page{Title: "k", Profiles: []*Profile{NewProfile(e)}, Values: &Values{Title: hostile}}
	for i := range 3000 {
		page.Values.Lines = append(page.Values.Lines, fmt.Sprintf("%%%d = [1, 2] %s", i, hostile))
	}
	clean(page)
	return page
}

// TestProfilePanel opens the panels of a launch: the lines with their cycles and reasons, units, roofline, timeline
// and values, each by the keyboard; it is said that times are estimates, strings of the kernel stay text, and the
// elements stay few.
func TestProfilePanel(t *testing.T) {
	t.Parallel()
	b := open(t, save(t, launchedPage()), true)
	b.press("7")
	b.wait(`document.querySelector('.profile:not([hidden]) svg rect')`)
	var got []float64
	b.eval(`(() => {
		const text = document.querySelector('.profile').textContent;
		const sections = [...document.querySelectorAll('.profile section')];
		return [
			sections.length, sections.filter((s) => /estimate/.test(s.querySelector('h2').textContent)).length,
			document.querySelectorAll('.profile rect').length,
			Number(/long scoreboard/.test(text) && /2000 cycles, 1.5 us \(estimate\)/.test(text) && /75.0%/.test(text) && /bound by compute, of which 50.0%/.test(text)),
			Number(text.includes('window.boom=1</scr' + 'ipt>')), Number(window.boom === undefined), document.scripts.length,
			Number(document.querySelector('.profile tbody tr td:nth-child(2)') !== null),
			[...document.querySelectorAll('.profile section:last-child tbody tr')].map((r) => Number(r.children[2].textContent)).join() === '300,200,100' ? 1 : 0,
			[...document.querySelectorAll('.profile circle')].filter((c) => Number.isFinite(c.cx.baseVal.value) && Number.isFinite(c.cy.baseVal.value)).length];
	})()`, &got)
	if want := []float64{8, 6, maxProfileSpans, 1, 1, 1, 1, 1, 1, 1}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the panel has %v, want %v", got, want)
	}
	b.screenshot("profile")
	b.press("8")
	b.wait(`[...document.querySelectorAll('[aria-label="values"] .line')].length > 3`)
	var few bool
	if b.eval(`document.querySelectorAll('[aria-label="values"] .line').length < 200 && document.querySelector('[aria-label="values"]').textContent.includes('%1 = [1, 2]')`, &few); !few {
		t.Error("the values are not a lazy list")
	}
	b.screenshot("values")
	b.noErrors()
}
