// RUN: not jit-opt %s --jit-add-optimizer-steps="optimizer=sgd lr=0.5" --jit-infer-types --jit-expand-optimizer-steps --mlir-print-ir-after-failure -o /dev/null 2>&1 | FileCheck %s

// A loss whose gradient needs to know more ends the pass.

// CHECK: error: expected more to be known of the operands of 'aten.cumprod'
// CHECK: IR Dump After {{.*}}ExpandOptimizerSteps Failed
jit.slot parameter @w : !jit.tensor<[4],f32> = #jit.storage<"data/0", 0, [1]>
func.func @forward(%d: i64) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %w = jit.slot_get @w : !jit.tensor<[4],f32>
  %p = aten.cumprod %w, %d, %none : (!jit.tensor<[4],f32>, i64, !jit.none) -> !jit.tensor<[4],f32>
  %r = aten.sum %p, %none : (!jit.tensor<[4],f32>, !jit.none) -> !jit.tensor<[],f32>
  return %r : !jit.tensor<[],f32>
}
