// Package sharedmemory knows which buffers of a kernel are in use at the same time. The pass that places them and the check of what it did
// (property.SharedAllocated) both rest on it, since a life that is too short is wrong for both, and is found by the emulator.
package sharedmemory
