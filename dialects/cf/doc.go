// Package cf is the dialect of unstructured control flow of level 3: branches between the blocks of one region, which
// pass values as block arguments. It follows MLIR's cf.
package cf
