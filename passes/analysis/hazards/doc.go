// Package hazards finds accesses that conflict with earlier ones of other threads, with no barrier in between. The pass that puts barriers there and the
// check of what it did (property.Synchronised) both rest on it.
//
// It walks the structured control flow of a kernel with the set of accesses since the last barrier on some way. Loops are walked until the set no longer
// grows. What it does not know it takes for an access that conflicts with every other.
package hazards
