package fp

import (
	"math"
)

// These four name conversions that would otherwise stand in three packages with their casts.
func Float32(v uint64) float32 { return math.Float32frombits(uint32(v)) }
func Bits32(f float32) uint64  { return uint64(math.Float32bits(f)) }
func Float64(v uint64) float64 { return math.Float64frombits(v) }
func Bits64(f float64) uint64  { return math.Float64bits(f) }
