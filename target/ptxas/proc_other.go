//go:build !linux

package ptxas

import "syscall"

// dieWithParent asks for nothing: only Linux can tie a child's life to its parent's.
func dieWithParent() *syscall.SysProcAttr { return nil }
