// Package docs holds the tables and schedules in PIPELINE.md to what the compiler does.
//
// TILEWRIGHT_UPDATE=1 writes them.
package docs
