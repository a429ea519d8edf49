package ptxas

import "syscall"

// dieWithParent has the kernel kill the assembler when this process is killed.
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
