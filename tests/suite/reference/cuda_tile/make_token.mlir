// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %t = make_token : token
  return
}
