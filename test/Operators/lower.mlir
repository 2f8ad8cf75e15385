// RUN: clang -shared -fPIC -I%S/../../include %S/Inputs/operators.c -o %t.so
// RUN: jit-opt %s --operators=%t.so --jit-infer-types --jit-lower | FileCheck %s

// Strings, None and lists are said by the layout; numbers and tensors are inputs in its order.
// CHECK: foreign.call "test_blend" "test::blend({{.*}}" {{\[}}[f32, f32], unit, "double", [i64, i64], i1]
// CHECK-SAME: ins(%arg0, %arg1, %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>, i64, i64, i1)
// CHECK-SAME: outs(%{{.*}} : tensor<4xf32>) [f32] -> tensor<4xf32>
func.func @forward(%x: !jit.tensor<[4],f32>, %y: !jit.tensor<[4],f32>) -> !jit.tensor {
  %all = arith.constant true
  %xs = jit.list %x, %y : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.list<!jit.tensor>
  %none = jit.constant !jit.none = unit
  %mode = jit.constant !jit.str = "double"
  %two = arith.constant 2 : i64
  %five = arith.constant 5 : i64
  %more = jit.list %two, %five : (i64, i64) -> !jit.list<i64>
  %0 = aten.custom %xs, %none, %mode, %more, %all
      {signature = "test::blend(Tensor[] xs, float? by, str mode, int[] more, bool all) -> Tensor"}
      : (!jit.list<!jit.tensor>, !jit.none, !jit.str, !jit.list<i64>, i1) -> !jit.tensor
  return %0 : !jit.tensor
}
