package main

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// A word is an old word as a pattern, and the term to use instead.
type word struct {
	pattern *regexp.Regexp
	say     string
}

// banned are the words that docs/glossary.md replaces. Patterns match phrases, so that legitimate uses pass: the
// product of two numbers, the depth of a nest, a scale factor, a function that returns.
var banned = words(
	// Matrix multiply-accumulate.
	`(matrix|asynchronous|late|block-?scaled|pairs? of) products?|products? of (matrices|tiles|pairs|groups|batches)`, "MMA",
	`products? (beside|under way|(that|which) (runs?|reads?|takes?|starts?|adds?|sums?|threads|others|asks?|waits?))`, "MMA",
	`(starts?|started|starting|feeds?|waits? for) (a |the |all |its |their )?products?`, "MMA",
	`products? (is|are) (started|cut|begun|asynchronous|under way)|products? (need|needs|begins?|sum|sums)`, "MMA",
	`what (they|it|others) multipl(y|ies)`, "operand",
	`multipl(y|ies) less at a time`, "split",
	`sums? of (a |the |two |its )?(chain|products?|multiplications?)|sums? (in|into|to) (TMEM|registers)`, "accumulator",
	`tensor sums?|products?'s sums?|rings? of sums?`, "accumulator",
	`factors? of (a |the |its |their )?(matrix |asynchronous )?products?|(left|right|first|second|other|both) factors?`, "operand",
	`factors? (that|which|come|comes|are|is) (copied|loaded|stored|read|in|from|of which|threads)`, "operand",
	`(along|of|over|in) (the |their |its )?depth|(the|their|its) depth of (a |the )?(product|tile|step)|halv\w+ (the |their |its )?depth`, "K",

	// Transfers.
	`bulk tensor cop(y|ies)|tensor cop(y|ies)`, "TMA load, TMA store",
	`travel(s|ed|led|ling)?`, "is transferred",
	`(runs?|running|work|works|done|made|products?|copies|computes?|started|waits?) beside|beside (the )?threads`, "asynchronous",
	`under way`, "in flight",

	// Warps.
	`(load|compute|product)[- ]roles?|roles? of (the )?(warps|load|products)|warps? (have|has|with|without) (no )?(a )?roles?`, "producer warp, consumer warps, MMA warp",
	`roles? (that|which) (loads?|computes?|starts?|copies|multiplies|makes?)|parts? (a|the) kernel`, "warp specialization",
	`tak(e|es|ing|en) turns|turns? (are |is )?taken`, "ping-pong",
	`(tells|is told|are told) (the |an? |its )?(mbarrier|barrier|warps?|threads?|role|roles|others?)|mbarriers? tells?`, "signals",
	`arrangements? of (the |its |their )?(warps|products?|tiles?)|arrangements?`, "warp tiling",

	// Loops.
	`(first|last|next|previous|further|each|every|no|one|two|three|other|single|whole) turns?`, "iteration",
	`[0-9]+ turns?|turns? of (a|the|its|their|that|this|an|loops?|pipelined)|turns? (in front|behind|before|ahead)`, "iteration",
	`runs? (\w+ )?ahead|lead of (a|the) (cop(y|ies)|loads?|pipe|loop)`, "prefetch distance",
	`rings?`, "circular buffer (pipe)",
	`slots? of (a |the |its |their )?(buffers?|pipes?|loops?)|(frees?|fills?|reads?) (a|the) slots?`, "stage",
	`(is|are|be|was|been) (made|computed|built|done) (again|anew)|mak(e|es|ing) (\w+ )?(again|anew)|anew`, "rematerialized, fresh",

	// Plain English.
	`behind`, "after",
	`in front of`, "before",
	`refus(e|es|ed|ing|als?)`, "reject",
	`surely`, "provably",
	`as (it|they) (was|were)`, "unchanged",
	`whole`, "entire",
	`pieces? of (a |the |its )?(tiles?|products?|operands?|conversions?)|parts? of (a |the |its )?tiles?`, "subtile",
	`words? that cross|carr(y|ies|ied) words`, "block arguments",
	`speaks? (for|loudest)|where (it|that|this) pays|what pays|pays? (for|off)|pays`, "is profitable",
)

// words makes the table from patterns and terms by turns. Spaces match any space, and a match ends at word boundaries.
func words(list ...string) (out []word) {
	for i := 0; i < len(list); i += 2 {
		pattern := regexp.MustCompile(`(?i)\b(?:` + strings.ReplaceAll(list[i], " ", `\s+`) + `)\b`)
		out = append(out, word{pattern, list[i+1]})
	}
	return out
}

// exempt are fields of syntax, inline code and quotations.
var exempt = regexp.MustCompile("\\$\\w+|`[^`]*`|\"[^\"\n]*\"|\u201c[^\u201d]*\u201d")

// A use is a banned word in a text: the offset in bytes, what stands there, and the term to use.
type use struct {
	at         int
	found, say string
}

// usesOf returns the banned words of a text outside inline code and quotations.
func usesOf(text string) (out []use) {
	text = exempt.ReplaceAllStringFunc(text, blank)
	for _, w := range banned {
		for _, at := range w.pattern.FindAllStringIndex(text, -1) {
			out = append(out, use{at[0], text[at[0]:at[1]], w.say})
		}
	}
	slices.SortStableFunc(out, func(a, b use) int { return cmp.Or(a.at-b.at, len(b.found)-len(a.found)) })
	end := 0
	return slices.DeleteFunc(out, func(u use) bool { // what a longer one covers
		covered := u.at+len(u.found) <= end
		end = max(end, u.at+len(u.found))
		return covered
	})
}

// blank returns as many bytes, and the same line breaks, of which no pattern matches any.
func blank(s string) string {
	b := []byte(s)
	for i := range b {
		if b[i] != '\n' {
			b[i] = '_'
		}
	}
	return string(b)
}
