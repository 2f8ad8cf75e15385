// RUN: not jit-opt %s --jit-differentiate="seed=zeros" 2>&1 | FileCheck %s --check-prefix=SEED
// RUN: not jit-opt %s --jit-differentiate="entry=elsewhere" 2>&1 | FileCheck %s --check-prefix=EXTERNAL
// RUN: not jit-opt %s --jit-add-optimizer-steps="optimizer=rprop" 2>&1 | FileCheck %s --check-prefix=OPTIMIZER
// RUN: not jit-opt %s --jit-add-optimizer-steps="entry=absent optimizer=sgd" 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not jit-opt %s --jit-add-optimizer-steps="entry=elsewhere optimizer=sgd" 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// RUN: not jit-opt %s --jit-add-optimizer-steps="entry=nothing optimizer=sgd" 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not jit-opt %s --jit-add-optimizer-steps="entry=empty optimizer=sgd" 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not jit-opt %s --jit-differentiate="entry=absent" 2>&1 | FileCheck %s --check-prefix=NO-FUNCTION
// RUN: not jit-opt %s --jit-expand-optimizer-steps="entry=absent" 2>&1 | FileCheck %s --check-prefix=NO-FUNCTION
// RUN: not jit-opt %s --jit-expand-optimizer-steps="entry=elsewhere" 2>&1 | FileCheck %s --check-prefix=EXTERNAL
// RUN: not jit-opt %s --jit-partition-gradients="entry=absent" 2>&1 | FileCheck %s --check-prefix=NO-FUNCTION
// RUN: not jit-opt %s --jit-partition-gradients="entry=elsewhere" 2>&1 | FileCheck %s --check-prefix=EXTERNAL
// RUN: not jit-opt %s --jit-partition-gradients 2>&1 | FileCheck %s --check-prefix=NO-GRADIENT
// RUN: not jit-opt %s --jit-partition-gradients="entry=outputs" 2>&1 | FileCheck %s --check-prefix=NO-GRADIENT
// RUN: jit-opt %s --jit-expand-optimizer-steps | FileCheck %s --check-prefix=NO-STEP

// What passes are asked for and do not do.

// SEED: expected seed=ones or seed=arguments, got 'zeros'
// EXTERNAL: expected a function called 'elsewhere'
// OPTIMIZER: expected the optimizer sgd, adam or adamw, got 'rprop'
// ABSENT: expected a method called 'absent'
// ELSEWHERE: expected a method called 'elsewhere'
// NO-FUNCTION: expected a function called 'absent'
// NO-GRADIENT: expected a result that is a gradient
// NO-STEP: func.func @forward
// NOTHING: expected a method that returns the loss, a tensor, first
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}) -> !jit.tensor<[4],f32> {
  %0 = aten.exp %x : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %0 : !jit.tensor<[4],f32>
}

func.func private @elsewhere(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>

func.func @nothing(%x: !jit.tensor<[4],f32>) {
  return
}

func.func @empty(%x: !jit.tensor<[4],f32>) -> !jit.tuple<> {
  %0 = jit.tuple : () -> !jit.tuple<>
  return %0 : !jit.tuple<>
}

func.func @outputs(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> attributes {jit.outputs = [{value = 0 : i64}]} {
  return %x : !jit.tensor<[4],f32>
}
