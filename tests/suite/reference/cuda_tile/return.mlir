// RUN: tile-opt %s --verify-roundtrip

entry @example(%c: tile<i1>) {
  if %c {
    return
  }
  return
}
