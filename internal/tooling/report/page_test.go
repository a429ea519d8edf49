package report

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/ptxas"
)

// save writes a page to a file of the test.
func save(t *testing.T, page *Page) string {
	t.Helper()
	var buf bytes.Buffer
	if err := page.Write(&buf); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "k.html")
	if err := os.WriteFile(file, buf.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// lit is how many columns have a line in view that is lit.
const lit = `[...document.querySelectorAll('.column')].filter((c) => c.querySelector('.line.lit')).map((c) => c.getAttribute('aria-label'))`

// TestPages opens the pages of real kernels in a browser, and uses them by the keyboard as a reader would.
func TestPages(t *testing.T) {
	t.Parallel()
	for i, tc := range []struct{ kernel, gpu, op, machine string }{
		{"matmul_f16.v13.1", "sm_80", "mmaf", "HMMA"},
		{"matmul_f16.v13.1", "sm_90", "mmaf", "HGMMA"},
		{"fmha_causal", "sm_90", "exp2", "MUFU.EX2"},
		{"softmax_rows", "sm_120", "divf", "MUFU.RCP"},
		{"gather_rows", "sm_100", "load_ptr_tko", "LDG"},
	} {
		if !tier.Try(i+4, 5) {
			continue
		}
		t.Run(tc.kernel+" "+tc.gpu, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Join(corpus.Dir(t), "bytecode", tc.kernel+".tileirbc"))
			if err != nil {
				t.Fatal(err)
			}
			in := Kernel(tc.kernel+".tileirbc", data, compile.Options{GPU: tc.gpu, OptLevel: 3})
			in.Title, in.Tool = in.Name, "tilec"
			in.Assembler = &ptxas.Tool{Path: judges.Ptxas(t)}
			page := makeFrom(t, in)
			b := open(t, save(t, page), i%2 == 1)

			// The first view says how long, of what, and which lines; a line leads to the columns.
			checkSummary(t, b, page)
			b.screenshot(fmt.Sprintf("summary-%s-%s", tc.kernel, tc.gpu))
			b.press("2")
			b.screenshot(fmt.Sprintf("begin-%s-%s", tc.kernel, tc.gpu))
			b.eval(unfold, nil)

			// Following an operation: it is found by typing, and Enter lights up what came from it down to the
			// machine code.
			b.eval(`document.querySelector('[aria-label="find in cuda_tile"]').focus()`, nil)
			b.eval(fmt.Sprintf(`document.activeElement.value = ' %s '`, tc.op), nil)
			b.press("Enter", "Escape", "Enter")
			b.wait(`document.querySelector('.status').value.includes('lines')`)
			var columns []string
			b.eval(lit, &columns)
			for _, want := range []string{"cuda_tile", "tileaa", "tileas", "nvvm", "PTX", "SASS"} {
				if !slices.Contains(columns, want) {
					t.Errorf("'%s' lights up nothing in %s: %q", tc.op, want, columns)
				}
			}
			var machine string
			b.eval(`(() => { const c = report.columns.columns.find((c) => c.level === 'sass'); return [...c.lit].map((i) => c.report.line(c.doc, i)).join('\n'); })()`, &machine)
			if !strings.Contains(machine, tc.machine) {
				t.Errorf("'%s' became no %s:\n%s", tc.op, tc.machine, machine)
			}
			b.screenshot(fmt.Sprintf("columns-%s-%s", tc.kernel, tc.gpu))

			// What a pass changed, by choosing two texts.
			b.press("3")
			b.eval(`(() => { const [a, c] = document.querySelectorAll('.diff select'); const choose = (s, text) => { s.value = [...s.options].find((o) => o.textContent.includes(text)).value; s.dispatchEvent(new Event('change')); };
				choose(a, 'convert-tileaa-to-tileas'); choose(c, 'tileas-assign-layouts'); })()`, nil)
			b.wait(`document.querySelectorAll('.diff .line.new, .diff .line.gone').length > 0`)
			b.screenshot(fmt.Sprintf("diff-%s-%s", tc.kernel, tc.gpu))

			// Every panel is drawn.
			b.press("4")
			b.wait(`document.querySelectorAll('tbody tr').length > 40 && document.querySelectorAll('.step').length > 40`)
			b.eval(`[...document.querySelectorAll('.step')].find((s) => s.textContent.startsWith('tileas-insert-barriers')).click()`, nil)
			b.wait(`document.querySelectorAll('.why li').length > 0 && document.querySelectorAll('.step.before').length > 0`)
			b.screenshot(fmt.Sprintf("passes-%s-%s", tc.kernel, tc.gpu))
			b.press("5")
			b.wait(fmt.Sprintf(`document.querySelectorAll('main > :not([hidden]) .remarks li').length === %d`, min(300, len(page.Remarks))))
			b.press("6")
			b.wait(fmt.Sprintf(`document.querySelectorAll('.pictures section').length === %d && [...document.images].every((i) => i.complete && i.naturalWidth > 0)`, len(page.Pictures)))
			checkPictures(t, b, page)
			b.screenshot(fmt.Sprintf("pictures-%s-%s", tc.kernel, tc.gpu))
			b.press("?")
			b.wait(`document.querySelector('dialog').open`)
			b.noErrors()
		})
	}
}

// unfold opens all columns.
const unfold = `report.columns.columns.forEach((_, i) => report.columns.fold(i, false))`

// checkSummary compares the first view with the page's data, and follows its first line.
func checkSummary(t *testing.T, b *browser, page *Page) {
	t.Helper()
	var got []string
	b.eval(`(() => {
		const cards = [...document.querySelectorAll('.summary .card')];
		return [String(cards.length), cards[0].querySelector('.headline strong').textContent, cards[0].querySelector('.headline').textContent,
			String(cards[0].querySelectorAll('.hot > li').length), String(document.querySelector('.summary').hidden)];
	})()`, &got)
	s := page.Summaries[0]
	if got[0] != fmt.Sprint(len(page.Summaries)) || got[3] != fmt.Sprint(len(s.Lines)) || got[4] != "false" || !strings.Contains(got[2], "estimate") {
		t.Errorf("the summary has %q, want %d kernels and %d lines", got, len(page.Summaries), len(s.Lines))
	}
	if s.Time != got[1] || !strings.Contains(got[1], "cycles") || !strings.Contains(s.Basis, "estimate") || s.Bound == "" || len(s.Facts) < 4 {
		t.Errorf("the time is '%s' of '%s', bound by '%s', facts %v", got[1], s.Time, s.Bound, s.Facts)
	}
	for i, l := range s.Lines {
		if l.Share <= 0 || l.Share > 1 || i > 0 && l.Share > s.Lines[i-1].Share || len(l.Labels) == 0 {
			t.Errorf("line %d is %+v", i, l)
		}
	}
	if len(s.Lines) == 0 {
		return
	}
	b.eval(`document.querySelector('.hot button').click()`, nil)
	b.wait(`document.querySelectorAll('.column:not([hidden]) .line.lit').length > 0`)
	var open int
	if b.eval(`document.querySelectorAll('.column:not([hidden])').length`, &open); open < 2 || open > 3 {
		t.Errorf("%d columns are open at first, want two or three", open)
	}
	b.press("1")
}

// checkPictures compares what is drawn with the page's data, and moves over it by the keyboard.
func checkPictures(t *testing.T, b *browser, page *Page) {
	t.Helper()
	for i, p := range page.Pictures {
		section := fmt.Sprintf("document.querySelectorAll('.pictures section')[%d]", i)
		switch p.Kind {
		case "memory":
			var boxes int
			if b.eval(section+`.querySelectorAll('.box rect').length`, &boxes); boxes != len(p.Memory.Boxes) || boxes == 0 {
				t.Errorf("%s: %d boxes are drawn, want %d", p.Title, boxes, len(p.Memory.Boxes))
			}
		case "layouts":
			b.eval(section+`.querySelector('canvas').focus()`, nil)
			b.press("ArrowRight", "ArrowDown")
			var says string
			if b.eval(section+`.querySelector('.readout').value`, &says); !strings.Contains(says, "lane ") && !strings.Contains(says, "bank ") {
				t.Errorf("%s: the readout is '%s'", p.Title, says)
			}
			// Every element of every layout is held, by the places that the layouts say: counted here by the MMA
			// of what is free.
			var wrong []string
			b.eval(fmt.Sprintf(`report.report.pictures[%d].layouts.filter((l) => { const o = owners(l); return o.first.includes(-1) || o.copies.some((n) => n !== o.copies[0]) || o.copies[0] * o.first.length !== 2 ** o.bits.length; }).map((l) => l.text)`, i), &wrong)
			for _, w := range wrong {
				t.Errorf("%s: drawn wrong: %s", p.Title, w)
			}
		}
	}
}

// TestHostilePage opens a page with a hostile string in every field, and looks at every view.
func TestHostilePage(t *testing.T) {
	t.Parallel()
	_, file := hostilePage(t)
	b := open(t, file, false)
	for _, key := range []string{"1", "2", "3", "4", "5", "6", "7", "8"} {
		b.press(key)
		b.wait(`document.querySelector('main > :not([hidden])')`)
	}
	b.eval(`document.querySelectorAll('button, .line').forEach((e) => e.click())`, nil)
	b.wait(`document.querySelectorAll('.line').length > 3`)
	var got []string
	b.eval(`[String(window.boom), String(document.scripts.length), String([...document.images].filter((i) => !i.src.startsWith('data:')).length), document.title]`, &got)
	if want := []string{"undefined", "1", "0", visible(hostile) + " - Tilewright"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	var shown bool
	if b.eval(`document.body.textContent.includes('window.boom=1</scr' + 'ipt>')`, &shown); !shown {
		t.Error("the strings are not shown")
	}
	b.noErrors()
}

// TestSeveralKernels opens the page of two kernels with symbols as cuTile makes them, the launch of one estimated. The
// summary names both, lines lead to the text of their own kernel, a kernel is compared with its part of the module, and
// symbols stay out of lists and pictures.
func TestSeveralKernels(t *testing.T) {
	t.Parallel()
	const symbol = "_first_Kt1_A2f16"
	first := strings.TrimSuffix(strings.Replace(kernelText, "@scale(", "@"+symbol+"(", 1), "}\n")
	_, second, _ := strings.Cut(strings.NewReplacer("@scale(", "@_second_Kt1_A2f16(", "k.py", "j.py").Replace(kernelText), "{\n")
	in := Kernel("k.mlir", []byte(first+second), compile.Options{GPU: "sm_90", OptLevel: 3})
	var args []launch.Arg
	for _, text := range []string{"f32[16]=uninitialized", "i32:16"} {
		a, err := launch.ParseArg(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, a)
	}
	in.Launches = []*launch.Request{{Entry: symbol, Grid: [3]uint32{4, 1, 1}, Args: args}}
	page := makeFrom(t, in)
	b := open(t, save(t, page), false)
	var got []string
	b.eval(`[...document.querySelectorAll('.spread tbody tr')].map((r) => r.children[0].textContent + (/ us$/.test(r.children[1].textContent) ? ' timed' : ''))`, &got)
	if want := []string{"first timed", "second"}; !slices.Equal(got, want) {
		t.Errorf("the summary has %q, want %q; missing %q", got, want, page.Missing)
	}
	for i, name := range []string{"first", "second"} {
		b.press("1")
		b.eval(fmt.Sprintf(`document.querySelectorAll('article')[%d].querySelector('.hot button').click()`, i), nil)
		b.eval(`report.columns.columns.filter((c) => c.lit.size === 0 && c.level !== 'source').map((c) => c.level)`, &got)
		if len(got) > 0 {
			t.Errorf("the line of '%s' lights up nothing in %q", name, got)
		}
		b.eval(`report.columns.columns.filter((c) => c.doc.fn).map((c) => report.report.short(c.doc.fn))`, &got)
		if len(got) == 0 || slices.ContainsFunc(got, func(s string) bool { return s != name }) {
			t.Errorf("the line of '%s' opens %q", name, got)
		}
	}
	b.press("3")
	b.eval(`(() => { const d = report.diffs; return [report.report.short(d.b.fn), String(d.lines.filter((l) => l[0] === '-').length < 8)]; })()`, &got)
	if want := []string{"first", "true"}; !slices.Equal(got, want) {
		t.Errorf("the difference is %q, want %q", got, want)
	}
	b.press("6", "7")
	b.wait(`document.querySelector('.profile .chart')`)
	b.eval(`[...document.querySelectorAll('option, h2, h3, .pictures pre')].map((e) => e.textContent).filter((s) => s.includes('_Kt1_'))`, &got)
	if len(got) > 0 {
		t.Errorf("symbols are shown: %q", got)
	}
	b.noErrors()
}

// TestLargePage opens the page of a module with more than 10,000 operations: no view has more elements than there is
// room for, and nothing takes long.
func TestLargePage(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString("cuda_tile.module @m {\n  entry @k(%p: tile<ptr<i32>>, %a: tile<i32>) {\n    %v0 = addi %a, %a : tile<i32>\n")
	const ops = 10_000
	for i := range ops {
		fmt.Fprintf(&text, "    %%v%d = %s %%v%d, %%a : tile<i32>\n", i+1, []string{"xori", "addi", "muli"}[i%3], i)
	}
	fmt.Fprintf(&text, "    %%t = store_ptr_tko weak %%p, %%v%d : tile<ptr<i32>>, tile<i32> -> token\n    return\n  }\n}\n", ops)
	page := makePage(t, "large.mlir", []byte(text.String()), compile.Options{GPU: "sm_90", OptLevel: 3})
	start := time.Now()
	b := open(t, save(t, page), false)
	b.eval(`(() => { globalThis.longest = 0; new PerformanceObserver((l) => { for (const e of l.getEntries()) longest = Math.max(longest, e.duration); }).observe({ type: 'longtask', buffered: true }); })()`, nil)
	for range 20 {
		b.press("PageDown")
	}
	b.press("2")
	b.eval(unfold, nil)
	b.press("End", "Enter")
	b.press("3")
	b.eval(`(() => { const [a, c] = document.querySelectorAll('.diff select'); c.value = [...c.options].find((o) => o.textContent === 'PTX').value; c.dispatchEvent(new Event('change')); })()`, nil)
	b.wait(`document.querySelectorAll('.diff .line').length > 0`)
	var lines int
	if b.eval(`document.querySelectorAll('.line').length`, &lines); lines > 1000 {
		t.Errorf("%d lines are elements", lines)
	}
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("took %v", d)
	}
	// What a reader would feel as freezing is a piece of work that keeps the page from answering.
	var longest float64
	if b.eval(`longest`, &longest); longest > 3000 {
		t.Errorf("the page does not answer for %.0f ms", longest)
	}
	t.Logf("the longest time without an answer: %.0f ms", longest)
	b.noErrors()
}

// TestChanges holds the differences of the page to what they are: edits that turn one text into the other, and none
// where nothing changed.
func TestChanges(t *testing.T) {
	t.Parallel()
	page := makePage(t, "k.mlir", []byte(kernelText), compile.Options{GPU: "sm_80"})
	b := open(t, save(t, page), false)
	var wrong []string
	b.eval(`(() => {
		let state = 7;
		const random = (n) => (state = (state * 1103515245 + 12345) % 2147483648) % n;
		const wrong = [];
		for (let round = 0; round < 2000; round++) {
			const a = Array.from({ length: random(30) }, () => String(random(round % 2 ? 5 : 40)));
			const b = a.flatMap((x) => (random(5) ? [x] : random(2) ? [] : [String(random(9)), x]));
			const edits = changes(a, b);
			const left = edits.filter((e) => e[0] !== '+').map((e) => a[e[1]]);
			const right = edits.filter((e) => e[0] !== '-').map((e) => b[e[2]]);
			const same = edits.filter((e) => e[0] === '=').every((e) => a[e[1]] === b[e[2]]);
			if (left.join() !== a.join() || right.join() !== b.join() || !same) wrong.push(a.join() + ' | ' + b.join());
		}
		if (changes(['x', 'y'], ['x', 'y']).some((e) => e[0] !== '=')) wrong.push('equal texts');
		const one = changes(['a', 'b', 'b', 'c'], ['a', 'b', 'x', 'b', 'c']).filter((e) => e[0] !== '=');
		if (one.length !== 1) wrong.push('one new line is ' + JSON.stringify(one));
		// Names of values: other names are no difference, another operand is one.
		const compared = (a, b) => { const keys = (l) => l.map((s) => s.replace(VALUE, '%')); return renamed(changes(keys(a), keys(b)), (i) => a[i], (j) => b[j]).filter((e) => e[0] !== '=').map((e) => e[0]).join(''); };
		const before = ['func {', '%a = load %p', '%b_1 = load %q', '%c = addi %a, %b_1', 'store %c'];
		if (compared(before, ['func {', '%0 = load %p', '%b_7 = load %q', '%2 = addi %0, %b_7', 'store %2'])) wrong.push('names count');
		if (compared(before, ['func {', '%0 = load %p', '%1 = load %q', '%2 = addi %1, %1', 'store %2']) !== '-+') wrong.push('an operand does not count');
		if (compared(before, ['func {', '%0 = load %p', '%2 = addi %0, %0', 'store %2']) === '') wrong.push('a line that is gone does not count');
		return wrong.slice(0, 5);
	})()`, &wrong)
	for _, w := range wrong {
		t.Errorf("not turned into the other: %s", w)
	}
	b.noErrors()
}
