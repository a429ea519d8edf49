// Package scalar writes and rewrites scalar arithmetic: a builder with one method for each shape of arith operation, and a driver that replaces
// operations by what rules build for them. The passes that expand and legalise arithmetic share it.
package scalar
