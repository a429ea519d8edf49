// Package suggest finds the known names that a misspelt one may stand for, by Levenshtein distance.
package suggest

import (
	"fmt"
	"sort"
	"strings"
)

const (
	maxNames  = 3  // more are no help
	maxLength = 64 // longer names are not compared, so that hostile input costs nothing
)

// Nearest returns up to three known names that are close to name, the closest first.
func Nearest(name string, known []string) []string {
	if len(name) > maxLength {
		return nil
	}
	type candidate struct {
		name string
		dist int
	}
	var found []candidate
	limit := 1 + len(name)/4
	for _, k := range known {
		if len(k) > maxLength {
			continue
		}
		d := Distance(name, k)
		if d <= limit || len(name) >= 3 && (strings.HasPrefix(k, name) || strings.HasPrefix(name, k)) {
			found = append(found, candidate{k, d})
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].dist < found[j].dist })
	var names []string
	for _, c := range found[:min(len(found), maxNames)] {
		names = append(names, c.name)
	}
	return names
}

// maxListed is how many names an error lists: one screen line or two, whatever the input holds.
const maxListed = 16

// List joins names for a message. Of many, and of long ones, it shows the first.
func List(names []string) string {
	shown := make([]string, 0, maxListed)
	for _, n := range names[:min(len(names), maxListed)] {
		if len(n) > 2*maxLength {
			n = n[:2*maxLength] + "..."
		}
		shown = append(shown, n)
	}
	if more := len(names) - len(shown); more > 0 {
		return strings.Join(shown, ", ") + fmt.Sprintf(", and %d more", more)
	}
	return strings.Join(shown, ", ")
}

// DidYouMean returns " (did you mean 'a' or 'b'?)" for the nearest names, or "" when there are none.
func DidYouMean(name string, known []string) string {
	near := Nearest(name, known)
	if len(near) == 0 {
		return ""
	}
	return " (did you mean '" + strings.Join(near, "' or '") + "'?)"
}

// Distance is the number of insertions, deletions and replacements of bytes, and of swaps of neighbours, that make
// one text of the other.
func Distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range len(b) {
			cost := last[j]
			if a[i] != b[j] {
				cost++
			}
			row[j+1] = min(cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
