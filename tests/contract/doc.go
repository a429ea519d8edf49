// Package contract holds what the tools answer to the common mistakes of front ends, as a table: the input, the
// phrase, and who says that phrase. The package has no code outside its tests. The attributes that front ends may
// attach are in tests/suite/contract.
package contract
