// Package reducetool is the tool tile-reduce as a library: it shrinks a module while a script of the user finds it
// interesting.
//
// The script is any program. It is called with its own arguments and the path of a candidate, as text. Exit status 0
// says that the candidate still has the property: for example, that a pass fails on it, or that two engines differ.
// Package shrink says how candidates are made.
package reducetool
