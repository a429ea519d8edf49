// Package readme holds the tests that the README and the page about cases tell the truth: each command in them prints what stands below it.
package readme
