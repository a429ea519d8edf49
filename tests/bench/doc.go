// Package bench holds the benchmarks: reading, passes and the emulator.
package bench
