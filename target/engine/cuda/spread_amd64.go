package cuda

// spreadAddress is that of spread, a C function.
var spreadAddress uintptr
