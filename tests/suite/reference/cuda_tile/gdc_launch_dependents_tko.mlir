// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %t = make_token : token
  %u = gdc_launch_dependents_tko token = %t -> token
  return
}
