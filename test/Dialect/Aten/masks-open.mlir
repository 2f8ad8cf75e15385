// RUN: jit-opt %s --canonicalize | FileCheck %s

// A mask over an open size is compared with it in the call, then it is the places where it holds.
// CHECK-LABEL: func.func @chosen
//   CHECK-DAG: %[[N:.*]] = aten.size.int %arg0
//   CHECK-DAG: %[[M:.*]] = aten.size.int %arg1
//       CHECK: %[[EQ:.*]] = arith.cmpi eq, %[[N]], %[[M]]
//       CHECK: jit.guard %[[EQ]], "builtins.IndexError", "expected a mask of size {} in dimension 0, got {}"(%[[N]], %[[M]]
//       CHECK: aten.nonzero %arg1
//       CHECK: aten.index.Tensor
func.func @chosen(%x: !jit.tensor<[?,4],f32>, %m: !jit.tensor<[?],i1>) -> !jit.tensor<[?,4],f32> {
  %list = jit.list %m : (!jit.tensor<[?],i1>) -> !jit.list<!jit.tensor<[?],i1>>
  %y = aten.index.Tensor %x, %list : (!jit.tensor<[?,4],f32>, !jit.list<!jit.tensor<[?],i1>>) -> !jit.tensor<[?,4],f32>
  return %y : !jit.tensor<[?,4],f32>
}

// One number needs no places.
// CHECK-LABEL: func.func @filled
//       CHECK: jit.guard
//   CHECK-NOT: aten.index_put
//       CHECK: aten.where.self %arg1, %{{.*}}, %arg0
func.func @filled(%x: !jit.tensor<[?],f32>, %m: !jit.tensor<[?],i1>, %v: !jit.tensor<[],f32>) -> !jit.tensor<[?],f32> {
  %false = arith.constant false
  %list = jit.list %m : (!jit.tensor<[?],i1>) -> !jit.list<!jit.tensor<[?],i1>>
  %y = aten.index_put %x, %list, %v, %false : (!jit.tensor<[?],f32>, !jit.list<!jit.tensor<[?],i1>>, !jit.tensor<[],f32>, i1) -> !jit.tensor<[?],f32>
  return %y : !jit.tensor<[?],f32>
}
