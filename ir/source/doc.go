// Package source shows lines of the user's sources: the files that locations name, read where they may be read, and a
// line of one with a caret under a column.
//
// Locations are part of the input, so a hostile module may name any file of the machine and hold any character. What
// is shown goes to terminals, logs of continuous integration and reports for others. A Reader therefore reads only
// plain files of moderate size whose names are those of sources, and Printable spells what a terminal would take for
// a command.
package source
