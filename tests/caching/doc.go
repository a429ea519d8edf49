// Package caching holds the test that many compilers share a cache: processes at once, one that is killed, batches.
package caching
