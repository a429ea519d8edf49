package opttool

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// mostUsers bounds how many users of a value are named.
const mostUsers = 16

// printUsers prints a comment that names the users of what an operation defines: of its result, of each where it has
// several, and of the arguments of its blocks. A user is named by its first result, or, without one, by what it does.
func printUsers(p ir.AsmPrinter, op ir.Op) {
	sep := "  // "
	say := func(v ir.Value, name func()) {
		if !v.HasUses() {
			return
		}
		p.Str(sep)
		sep = "; "
		name()
		p.Str("users: ")
		for i, user := range usersOf(v) {
			if i > 0 {
				p.Str(", ")
			}
			if i == mostUsers {
				p.Str("...")
				return
			}
			if user.NumResults() > 0 {
				p.Operand(user.Result(0))
			} else {
				p.Str(user.Name())
			}
		}
	}
	for i, v := range op.Results() {
		say(v, func() {
			if op.NumResults() > 1 {
				p.Str("#")
				p.Int(int64(i))
				p.Str(" ")
			}
		})
	}
	for i := range op.NumRegions() {
		for b := range op.Region(i).Blocks() {
			for _, v := range b.Args() {
				say(v, func() { p.Operand(v); p.Str(" ") })
			}
		}
	}
}

// usersOf returns the users of a value, each once. Uses are listed the latest first, which in most IR is the last in
// the text.
func usersOf(v ir.Value) (users []ir.Op) {
	seen := make(map[ir.Op]bool)
	for u := range v.Uses() {
		if user := u.Owner(); !seen[user] {
			seen[user] = true
			users = append(users, user)
		}
	}
	slices.Reverse(users)
	return users
}
