// Flags for those who write passes.

// --print-ir-diff shows what a pass changed, and values by their names in front of it.
// RUN: tile-opt %s --canonicalize --cse --print-ir-diff -o %t 2>&1 | FileCheck %s --check-prefix=DIFF
// DIFF: // -----// IR Diff After Canonicalizer (canonicalize) //----- //
// DIFF-NEXT: --- before
// DIFF-NEXT: +++ after
// DIFF-NEXT: @@ -1,10 +1,8 @@
// DIFF-NOT: @@
// DIFF: {{^}}-{{ *}}%y = addi %x, %zero
// DIFF: {{^}}+{{ *}}%a = addi %x, %x
// DIFF: // -----// IR Diff After CSE (cse) //----- //
// DIFF: {{^}}-{{ *}}%b = addi %x, %x
// DIFF-NEXT: {{^}}-{{ *}}%c = muli %a, %b
// DIFF-NEXT: {{^}}+{{ *}}%c = muli %a, %a
// DIFF-NOT: IR Diff
// In colour when it must be; to a file, not.
// RUN: tile-opt %s --cse --print-ir-diff=colour -o %t 2>&1 | FileCheck %s --check-prefix=COLOUR
// COLOUR: [31m-
// RUN: tile-opt %s --canonicalize --cse --print-ir-diff --print-after=cse -o %t 2>&1 | FileCheck %s --check-prefix=ONE
// ONE-NOT: Canonicalizer
// ONE: IR Diff After CSE
// RUN: not tile-opt %s --cse --print-ir-diff=red 2>&1 | FileCheck %s --check-prefix=RED
// RED: --print-ir-diff must be auto, plain or colour, but got 'red'
// RUN: not tile-opt %s --cse --print-ir-diff --print-before-all 2>&1 | FileCheck %s --check-prefix=FRONT
// FRONT: --print-ir-diff is of the IR after passes, and cannot be combined with --print-before

// Pipelines that have names.
// RUN: tile-opt --list-pipelines | FileCheck %s --check-prefix=LIST
// LIST: cleanup  {{ *}}canonical form
// LIST-NEXT: {{^ *}}canonicalize,cse,dce{{$}}
// LIST: default-at-nvvm
// LIST-NEXT: nvvm.func(canonicalize,
// LIST: default-to-ptx
// RUN: tile-opt %s --pass-pipeline='builtin.module(cuda_tile.entry(cleanup))' --dump-pass-pipeline -o %t 2>&1 | FileCheck %s --check-prefix=NAMED
// NAMED: builtin.module(cuda_tile.entry(canonicalize,cse,dce))
// RUN: tile-opt %s --pass-pipeline='builtin.module(default-to-tileaa,nv_tileaa.func(default-at-tileaa))' -O1 --gpu-name=sm_80 | FileCheck %s --check-prefix=LOW
// LOW: nv_tileaa.func @sum
// RUN: not tile-opt %s --pass-pipeline='builtin.module(cleanup{x=1})' 2>&1 | FileCheck %s --check-prefix=OPT
// OPT: pipeline 'cleanup' has no options
// RUN: not tile-opt %s --pass-pipeline='builtin.module(cuda_tile.entry(default-to-tileaa))' 2>&1 | FileCheck %s --check-prefix=UNIT
// UNIT: pipeline 'default-to-tileaa' is for a module, not for 'cuda_tile.entry'

// Passes before and after others.
// RUN: tile-opt %s --lower-to=tileaa --before=cse:op-count,dce --after=convert-cuda-tile-to-tileaa:cleanup --dump-pass-pipeline -o %t 2>&1 | FileCheck %s --check-prefix=SPLICE
// SPLICE: cuda_tile.entry(canonicalize,op-count,dce,cse,licm,
// SPLICE-SAME: convert-cuda-tile-to-tileaa,canonicalize,cse,dce
// RUN: tile-opt %s --lower-to=ptx --after=licm#nvvm:dce --dump-pass-pipeline -o %t 2>&1 | FileCheck %s --check-prefix=STEP
// STEP: cuda_tile.entry(canonicalize,cse,licm,loop-to-for
// STEP-SAME: licm{max-live=48},dce,
// RUN: tile-opt %s --lower-to=ptx --disable-pass=licm#2 --dump-pass-pipeline -o %t 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: tile-opt %s --lower-to=ptx -d=licm#tileaa/off --dump-pass-pipeline -o %t 2>&1 | FileCheck %s --check-prefix=OFF
// OFF: cse,licm,loop-to-for
// OFF-SAME: dce,tileaa-mask-loads,tileaa-coalesce-loops,tileaa-partition-cluster
// OFF-SAME: licm{max-live=48}
// A pass that stands in several nests is meant where what is put beside it can run.
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_90 --before=canonicalize:tileaa-prune-tokens --dump-pass-pipeline -o %t 2>&1 | FileCheck %s --check-prefix=FITS
// FITS: cuda_tile.entry(canonicalize,cse
// FITS: nv_tileaa.func(tileaa-prune-tokens,canonicalize
// RUN: not tile-opt %s --lower-to=tileaa --after=cse:tileas-plan-copies 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: error: pass 'tileas-plan-copies' runs on 'nv_tileas.func', and cannot be put beside 'cse', which stands in a nest for 'cuda_tile.entry'
// RUN: not tile-opt %s --lower-to=tileaa --before='symbol-dce:nv_tileas.func(tileas-plan-copies)' 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: error: pass 'tileas-plan-copies' requires level 'tileas'
// RUN: not tile-opt %s --lower-to=tileaa --after=sce:dce 2>&1 | FileCheck %s --check-prefix=WHO
// WHO: --after=sce:dce: unknown pass 'sce' (did you mean 'cse'
// RUN: not tile-opt %s --lower-to=tileaa --after=cse#nvmm:dce 2>&1 | FileCheck %s --check-prefix=LABEL
// LABEL: 'cse#nvmm' names no occurrence of pass 'cse': after '#' comes a number from 1, or the label of a step (did you mean 'nvvm'?)
// RUN: not tile-opt %s --lower-to=tileaa --after=cse#7:dce 2>&1 | FileCheck %s --check-prefix=SEVEN
// SEVEN: pass 'cse#7' does not stand in the pipeline

// One pass treated apart: its statistics, the IR after it, and how many of its rewrites are made.
// RUN: tile-opt %s --canonicalize --cse -d=cse/stats,dump=%t.dump,rewrites=0 2>%t.stats | FileCheck %s --check-prefix=KEPT
// RUN: FileCheck %s --check-prefix=STATS --input-file=%t.stats
// RUN: FileCheck %s --check-prefix=KEPT --input-file=%t.dump
// STATS-NOT: num-folded
// STATS: (S) 0 num-merged
// KEPT: %a = addi %x, %x
// KEPT-NEXT: %b = addi %x, %x
// RUN: tile-opt %s --lower-to=tileaa -d=canonicalize/rewrites=1 --debug-only=rewrites -o %t 2>&1 | FileCheck %s --check-prefix=TRACED
// TRACED: TRC rewrote at={{.*}}authors.mlir:{{[0-9]+}}:{{[0-9]+}} component=rewrites number=1 on=cuda_tile.
// TRACED-NOT: number=2 {{.*}} pass=canonicalize
// RUN: not tile-opt %s --cse -d=cse/fast 2>&1 | FileCheck %s --check-prefix=FAST
// FAST: -d=cse/fast: unknown setting 'fast'; there is off, stats, dump=FILE and rewrites=N
// RUN: not tile-opt %s --cse --debug-only=rewrite 2>&1 | FileCheck %s --check-prefix=COMP
// COMP: unknown component 'rewrite' (did you mean 'rewrites'?)

// Who uses a value.
// RUN: tile-opt %s --print-value-users | FileCheck %s --check-prefix=USERS
// USERS: %y = addi %x, %zero : tile<i32> // users: %a, %b
// USERS: store_ptr_tko weak %p, %c : tile<ptr<i32>>, tile<i32> -> token{{$}}
// USERS: // %p users: %t; %x users: %y

entry @sum(%p: tile<ptr<i32>>, %x: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %y = addi %x, %zero : tile<i32>
  %a = addi %y, %y : tile<i32>
  %b = addi %y, %y : tile<i32>
  %c = muli %a, %b : tile<i32>
  %t = store_ptr_tko weak %p, %c : tile<ptr<i32>>, tile<i32> -> token
  return
}
