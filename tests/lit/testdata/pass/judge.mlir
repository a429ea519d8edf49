// REQUIRES: ptxas
// RUN: ptxas --version | FileCheck %s
// RUN: not ptxas --nosuch

// CHECK: Ptx optimizing assembler
