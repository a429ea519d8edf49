//go:build !amd64

package cuda

const spreadAddress = 0
