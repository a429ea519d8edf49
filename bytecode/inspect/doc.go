// Package inspect shows bytecode files to people: a summary of what a file holds, and a dump of its bytes with what
// they mean. It works on damaged files as far as they can be read, which is when it is needed most.
//
// What the bytes mean comes from package bytecode, whose Items follow the same tables as the reader; this package only
// formats.
package inspect
