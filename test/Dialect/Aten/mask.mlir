// RUN: jit-opt %s --jit-fold-known --jit-infer-types --canonicalize | FileCheck %s

// A mask stands for the places where it holds: one index for each of its dimensions.
// CHECK-LABEL: func.func @read(
//  CHECK-SAME:   %[[X:.*]]: !jit.tensor<[2,3,4],f32>, %[[M:.*]]: !jit.tensor<[2,3],i1>
//       CHECK:   %[[P:.*]] = aten.nonzero %[[M]] : (!jit.tensor<[2,3],i1>) -> !jit.tensor<[?,2],i64>
//       CHECK:   aten.select.int %[[P]]
//       CHECK:   aten.select.int %[[P]]
//       CHECK:   aten.index.Tensor {{.*}} -> !jit.tensor<[?,4],f32>
func.func @read(%x: !jit.tensor<[2,3,4],f32>, %m: !jit.tensor<[2,3],i1>) -> !jit.tensor<[?,4],f32> {
  %list = jit.list %m : (!jit.tensor<[2,3],i1>) -> !jit.list<!jit.tensor>
  %r = aten.index.Tensor %x, %list : (!jit.tensor<[2,3,4],f32>, !jit.list<!jit.tensor>) -> !jit.tensor<[?,4],f32>
  return %r : !jit.tensor<[?,4],f32>
}

// One value for all places is a choice: no size depends on data.
// CHECK-LABEL: func.func @write_one(
//   CHECK-NOT:   aten.nonzero
//       CHECK:   aten.where.self
func.func @write_one(%x: !jit.tensor<[2,3],f32>, %m: !jit.tensor<[2,3],i1>, %v: !jit.tensor<[],f32>) -> !jit.tensor<[2,3],f32> {
  %no = arith.constant false
  %list = jit.list %m : (!jit.tensor<[2,3],i1>) -> !jit.list<!jit.tensor>
  %r = aten.index_put %x, %list, %v, %no : (!jit.tensor<[2,3],f32>, !jit.list<!jit.tensor>, !jit.tensor<[],f32>, i1) -> !jit.tensor<[2,3],f32>
  return %r : !jit.tensor<[2,3],f32>
}

// One element fills whatever the mask picks, of more dimensions than that, too.
// CHECK-LABEL: func.func @write_one_of_more_dimensions(
//   CHECK-NOT:   aten.nonzero
//       CHECK:   aten.view %{{.*}} -> !jit.tensor<[],f32>
//       CHECK:   aten.where.self
func.func @write_one_of_more_dimensions(%x: !jit.tensor<[2,3],f32>, %m: !jit.tensor<[2,3],i1>, %v: !jit.tensor<[1,1,1],f32>) -> !jit.tensor<[2,3],f32> {
  %no = arith.constant false
  %list = jit.list %m : (!jit.tensor<[2,3],i1>) -> !jit.list<!jit.tensor>
  %r = aten.index_put %x, %list, %v, %no : (!jit.tensor<[2,3],f32>, !jit.list<!jit.tensor>, !jit.tensor<[1,1,1],f32>, i1) -> !jit.tensor<[2,3],f32>
  return %r : !jit.tensor<[2,3],f32>
}

// A value for each place goes to the places.
// CHECK-LABEL: func.func @write_each(
//       CHECK:   aten.nonzero
//       CHECK:   aten.index_put
func.func @write_each(%x: !jit.tensor<[2,3],f32>, %m: !jit.tensor<[2,3],i1>, %v: !jit.tensor<[4],f32>) -> !jit.tensor<[2,3],f32> {
  %no = arith.constant false
  %list = jit.list %m : (!jit.tensor<[2,3],i1>) -> !jit.list<!jit.tensor>
  %r = aten.index_put %x, %list, %v, %no : (!jit.tensor<[2,3],f32>, !jit.list<!jit.tensor>, !jit.tensor<[4],f32>, i1) -> !jit.tensor<[2,3],f32>
  return %r : !jit.tensor<[2,3],f32>
}

// A mask of other sizes than what it chooses from stays, to be refused.
// CHECK-LABEL: func.func @other_sizes(
//   CHECK-NOT:   aten.nonzero
//       CHECK:   aten.index.Tensor
func.func @other_sizes(%x: !jit.tensor<[2,3],f32>, %m: !jit.tensor<[3],i1>) -> !jit.tensor {
  %list = jit.list %m : (!jit.tensor<[3],i1>) -> !jit.list<!jit.tensor>
  %r = aten.index.Tensor %x, %list : (!jit.tensor<[2,3],f32>, !jit.list<!jit.tensor>) -> !jit.tensor
  return %r : !jit.tensor
}
