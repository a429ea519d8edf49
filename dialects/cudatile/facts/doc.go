// Package facts says what analyses ask about the operations of cuda_tile.
//
//	does a load write memory?                     effects.go
//	where does a break continue?                  controlflow.go
//	what is the range of a tile block's index?    facts.go
//
// Rows name the capabilities of effects and control flow. [Attach] adds the others: ranges, divisibility, provenance of
// pointers, speculation, visibility of symbols.
package facts
