// Package logs tests what --log and --debug-only of the tools trace.
package logs
