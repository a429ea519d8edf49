// Package viewtool is the tool tile-view as a library: it serves the report of a kernel to a browser on the same
// machine (package view).
package viewtool
