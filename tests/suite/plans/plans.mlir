// RUN: plans tileaa | golden %S/tileaa.plan
// RUN: plans tileas | golden %S/tileas.plan
// RUN: plans nvvm | golden %S/nvvm.plan
// RUN: plans ptx | golden %S/ptx.plan

// The default pipelines from the input to each level.
