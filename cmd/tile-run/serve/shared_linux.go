package serve

import (
	"os"

	"golang.org/x/sys/unix"
)

// seal makes a file one that cannot shrink any more, and reports whether it is.
func seal(f *os.File) (sealed bool) {
	err := control(f, func(fd int) error {
		unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK) // fails if it was sealed before
		seals, err := unix.FcntlInt(uintptr(fd), unix.F_GET_SEALS, 0)
		sealed = seals&unix.F_SEAL_SHRINK != 0
		return err
	})
	return err == nil && sealed
}

// mapShared maps the first n bytes of a file. The mapping outlives the descriptor; it ends with the process.
func mapShared(f *os.File, n int) (data []byte, err error) {
	err = control(f, func(fd int) error {
		data, err = unix.Mmap(fd, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
		return err
	})
	return data, err
}

// control calls use with the descriptor of a file, which stays open during the call. The file owns the number.
func control(f *os.File, use func(fd int) error) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := conn.Control(func(fd uintptr) { failed = use(int(fd)) }); err != nil {
		return err
	}
	return failed
}
