package cuda

import "unsafe"

// addressOf returns the address of pinned memory, for arrays of addresses that the driver reads during a call.
func addressOf(p *byte) uintptr { return uintptr(unsafe.Pointer(p)) }
