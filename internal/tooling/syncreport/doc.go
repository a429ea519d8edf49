// Package syncreport writes what the check of synchronization finds in a launch, as text, JSON or SARIF 2.1.0, for
// `tile check`, `tile-run --sync-check` and Python. docs/check.md describes the three.
package syncreport
