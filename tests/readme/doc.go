// Package readme holds the test that the README tells the truth: each command in it prints what stands below it.
package readme
