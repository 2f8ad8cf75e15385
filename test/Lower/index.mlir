// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @cat(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[Y:.*]]: tensor<2x1xf32>
// CHECK: %[[E:.*]] = tensor.empty() : tensor<2x4xf32>
// CHECK: %[[A:.*]] = tensor.insert_slice %[[X]] into %[[E]][0, 0] [2, 3] [1, 1]
// CHECK: %[[B:.*]] = tensor.insert_slice %[[Y]] into %[[A]][0, 3] [2, 1] [1, 1]
// CHECK: return %[[B]]
func.func @cat(%x: !jit.tensor<[2,3],f32>, %y: !jit.tensor<[2,1],f32>) -> !jit.tensor<[2,4],f32> {
  %c1 = arith.constant 1 : i64
  %list = jit.list %x, %y : (!jit.tensor<[2,3],f32>, !jit.tensor<[2,1],f32>) -> !jit.list<!jit.tensor>
  %r = aten.cat %list, %c1 : (!jit.list<!jit.tensor>, i64) -> !jit.tensor<[2,4],f32>
  return %r : !jit.tensor<[2,4],f32>
}

// All indices are checked before any is used.
// CHECK-LABEL: func.func @embedding(
// CHECK-SAME: %[[W:.*]]: tensor<10x4xf32>, %[[I:.*]]: tensor<5xi64>
// CHECK: linalg.generic {{.*}} ["reduction"]} ins(%[[I]]
// CHECK: jit.guard %{{.*}}, "builtins.IndexError"
// CHECK: linalg.generic {{.*}} ["parallel", "parallel"]} ins(%[[I]]
// CHECK: tensor.extract %[[W]]
func.func @embedding(%w: !jit.tensor<[10,4],f32>, %i: !jit.tensor<[5],i64>) -> !jit.tensor<[5,4],f32> {
  %m1 = arith.constant -1 : i64
  %false = arith.constant false
  %r = aten.embedding %w, %i, %m1, %false, %false : (!jit.tensor<[10,4],f32>, !jit.tensor<[5],i64>, i64, i1, i1) -> !jit.tensor<[5,4],f32>
  return %r : !jit.tensor<[5,4],f32>
}

// A row that counts from the end is one of index.Tensor alone.
// CHECK-LABEL: func.func @from_front(
// CHECK: arith.cmpi sge, %{{.*}}, %c0_i64
// CHECK: jit.guard %{{.*}}, "builtins.IndexError"
// CHECK-LABEL: func.func @from_the_end(
// CHECK: arith.cmpi sge, %{{.*}}, %c-10_i64
// CHECK: jit.guard %{{.*}}, "builtins.IndexError"
func.func @from_front(%w: !jit.tensor<[10,4],f32>, %i: !jit.tensor<[5],i64>) -> !jit.tensor<[5,4],f32> {
  %c0 = arith.constant 0 : i64
  %r = aten.index_select %w, %c0, %i : (!jit.tensor<[10,4],f32>, i64, !jit.tensor<[5],i64>) -> !jit.tensor<[5,4],f32>
  return %r : !jit.tensor<[5,4],f32>
}
func.func @from_the_end(%w: !jit.tensor<[10,4],f32>, %i: !jit.tensor<[5],i64>) -> !jit.tensor<[5,4],f32> {
  %some = jit.derefine %i : !jit.tensor<[5],i64> to !jit.optional<!jit.tensor>
  %list = jit.list %some : (!jit.optional<!jit.tensor>) -> !jit.list<!jit.optional<!jit.tensor>>
  %r = aten.index.Tensor %w, %list : (!jit.tensor<[10,4],f32>, !jit.list<!jit.optional<!jit.tensor>>) -> !jit.tensor<[5,4],f32>
  return %r : !jit.tensor<[5,4],f32>
}

// A reflected border is a flipped slice.
// CHECK-LABEL: func.func @reflect(
// CHECK-SAME: %[[X:.*]]: tensor<1x6xf32>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[X]][0, 3] [1, 2] [1, 1]
// CHECK: linalg.generic
// CHECK: tensor.extract %[[S]]
// CHECK: tensor.insert_slice %[[X]] into
func.func @reflect(%x: !jit.tensor<[1,6],f32>) -> !jit.tensor<[1,8],f32> {
  %c0 = arith.constant 0 : i64
  %c2 = arith.constant 2 : i64
  %pad = jit.list %c0, %c2 : (i64, i64) -> !jit.list<i64>
  %mode = jit.constant !jit.str = "reflect"
  %none = jit.constant !jit.none = unit
  %r = aten.pad %x, %pad, %mode, %none : (!jit.tensor<[1,6],f32>, !jit.list<i64>, !jit.str, !jit.none) -> !jit.tensor<[1,8],f32>
  return %r : !jit.tensor<[1,8],f32>
}
