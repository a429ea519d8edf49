// Package reducetool is the tool tile-reduce as a library: it shrinks a module while a script of the user finds it interesting.
//
// The script is any program. It is called with the path of a candidate, as text, behind its own arguments, and says with exit status 0 that the
// candidate still has the property that is looked for: that a pass fails on it, say, or that two engines differ. Package reduce says how
// candidates are made.
package reducetool
