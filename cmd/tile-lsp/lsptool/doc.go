// Package lsptool is the tool tile-lsp as a library: the language server of package lsp on the standard streams, for
// editors to start.
package lsptool
