// Package crowd counts how many registers a thread needs at once for the values of a block.
package crowd
