// Package readme holds the tests that pages tell the truth: each command that a page shows with a prompt prints what the
// page shows below it.
package readme
