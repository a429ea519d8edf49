// Package sameness finds what is the same in all CTAs that share a tile block: what one of them can load for all, or two multiply together.
package sameness
