// Package dropin holds the tests that tilec, called tileiras, does for the producers of Tile IR what the tool of that
// name does, and that clients in other languages work.
package dropin
