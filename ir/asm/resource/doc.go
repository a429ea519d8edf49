// Package resource describes the metadata at the end of a file, {-# ... #-}. A crash reproducer is such metadata.
package resource
