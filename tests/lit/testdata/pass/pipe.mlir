// RUN: show %s | FileCheck %s
// RUN: show %s | upper | FileCheck %s --check-prefix=CHECK-UP
// RUN: show %s | \
// RUN:   upper | FileCheck %s \
// RUN:   --check-prefixes=CHECK-UP

body

// CHECK: bo{{d}}y
// CHECK-UP: BODY
