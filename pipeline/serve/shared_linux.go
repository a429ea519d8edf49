package serve

import (
	"os"
	"syscall"
)

// From linux/fcntl.h.
const (
	addSeals   = 1033 // F_ADD_SEALS
	getSeals   = 1034 // F_GET_SEALS
	sealShrink = 2    // F_SEAL_SHRINK
)

// seal makes a file one that cannot shrink any more, and reports whether it is.
func seal(f *os.File) bool {
	syscall.Syscall(syscall.SYS_FCNTL, f.Fd(), addSeals, sealShrink)
	seals, _, errno := syscall.Syscall(syscall.SYS_FCNTL, f.Fd(), getSeals, 0)
	return errno == 0 && seals&sealShrink != 0
}

func mapShared(f *os.File, n int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
}
