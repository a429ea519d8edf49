// Package hostile holds the test that calls the tools as users do who are in a hurry, or mean harm: with files that
// are none, flags that do not go together, outputs that cannot be written, and signals. Each call is a process of its
// own. Whatever it is given, a tool ends in time with the right exit status, says in words for users what is wrong,
// and leaves neither half a file nor a temporary one.
package hostile
