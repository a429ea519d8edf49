// RUN: not fail 'one two' 2>&1 | FileCheck %s
// RUN: not fail "three" 2> %t
// RUN: FileCheck %s --input-file=%t --check-prefix=FILE
// RUN: upper < %S/../Inputs/text.txt | FileCheck %s --check-prefix=INPUT

// CHECK: failed: one two
// FILE: failed: three
// INPUT: FROM A FILE
