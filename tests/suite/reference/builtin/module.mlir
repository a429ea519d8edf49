// RUN: tile-opt %s --verify-roundtrip

// A file means a module around what stands in it. Modules can be nested.
module @outer {
  module @inner attributes {note = "kept"} {
  }
}
