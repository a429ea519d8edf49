// Package tiles makes kernels of one operation, or a few, on tiles of any size: what compilers must turn into loops
// when the tile is larger than the registers. Tests run them on every engine, and the command measure compiles them
// in sizes up to the largest legal tile.
package tiles
