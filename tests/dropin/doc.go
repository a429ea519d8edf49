// Package dropin holds the test that tilec, called tileiras, does for the released producer of Tile IR what the tool of that name does.
package dropin
