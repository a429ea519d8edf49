// Package check is the command tile check: it runs PTX of any compiler in the emulator, with its check of
// synchronization, and writes what that finds as text, JSON or SARIF.
//
// docs/check.md is its manual, docs/async-model.md states the rules.
package check
