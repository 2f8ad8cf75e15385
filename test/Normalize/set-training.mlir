// RUN: jit-opt %s --jit-set-training | FileCheck %s

// CHECK: jit.slot @training : i1 = true
// CHECK: jit.slot @block.norm.training : i1 = true
// CHECK: jit.slot @is_training : i1 = false
jit.slot @training : i1 = false
jit.slot @"block.norm.training" : i1 = false
jit.slot @is_training : i1 = false
