// RUN: jit-opt %s --jit-specialize="args=f32[2,3],f16[5],i64[5],f32[5]" --split-input-file | FileCheck %s

// An out= tensor takes the sizes of a result that PyTorch casts to its element type, and has then elements of that type; where PyTorch does not cast the write is left, for an error.

// Within a category.
// CHECK-LABEL: func.func @forward
// CHECK: %[[V:.*]] = aten.relu %arg0
// CHECK: %[[H:.*]] = aten.to.dtype %[[V]], {{.*}} -> !jit.tensor<[2,3],f16>
// CHECK-NOT: jit.overwrite
// CHECK: aten.tanh %[[H]]
func.func @forward(%x: !jit.tensor, %h: !jit.tensor, %i: !jit.tensor, %f: !jit.tensor) -> !jit.tensor {
  %y = aten.sigmoid %h : (!jit.tensor) -> !jit.tensor
  %v = aten.relu %x : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %y, %v {jit.out, jit.cast = "category"} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %t = aten.tanh %w : (!jit.tensor) -> !jit.tensor
  return %t : !jit.tensor
}

// -----

// The same type, where no other one will do.
// CHECK-LABEL: func.func @forward
// CHECK: %[[V:.*]] = aten.relu %arg0
// CHECK-NOT: aten.to.dtype
// CHECK-NOT: jit.overwrite
// CHECK: aten.tanh %[[V]]
func.func @forward(%x: !jit.tensor, %h: !jit.tensor, %i: !jit.tensor, %f: !jit.tensor) -> !jit.tensor {
  %y = aten.sigmoid %f : (!jit.tensor) -> !jit.tensor
  %v = aten.relu %x : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %y, %v {jit.out, jit.cast = "same"} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %t = aten.tanh %w : (!jit.tensor) -> !jit.tensor
  return %t : !jit.tensor
}

// -----

// Another one of the category, where no other one will do.
// CHECK-LABEL: func.func @forward
// CHECK: jit.overwrite {{.*}}jit.out
func.func @forward(%x: !jit.tensor, %h: !jit.tensor, %i: !jit.tensor, %f: !jit.tensor) -> !jit.tensor {
  %y = aten.sigmoid %h : (!jit.tensor) -> !jit.tensor
  %v = aten.relu %x : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %y, %v {jit.out, jit.cast = "same"} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %t = aten.tanh %w : (!jit.tensor) -> !jit.tensor
  return %t : !jit.tensor
}

// -----

// Floats do not become integers.
// CHECK-LABEL: func.func @forward
// CHECK: jit.overwrite {{.*}}jit.out
func.func @forward(%x: !jit.tensor, %h: !jit.tensor, %i: !jit.tensor, %f: !jit.tensor) -> !jit.tensor {
  %y = aten.neg %i : (!jit.tensor) -> !jit.tensor
  %v = aten.relu %x : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %y, %v {jit.out, jit.cast = "category"} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %t = aten.tanh %w : (!jit.tensor) -> !jit.tensor
  return %t : !jit.tensor
}

// -----

// The same of a memory that has to become larger: a part of it is what is written to.
// CHECK-LABEL: func.func @forward
// CHECK: jit.overwrite {{.*}}jit.out
func.func @forward(%x: !jit.tensor, %h: !jit.tensor, %i: !jit.tensor, %f: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %y = aten.neg %i : (!jit.tensor) -> !jit.tensor
  %p = aten.slice.Tensor %y, %zero, %one, %three, %one : (!jit.tensor, i64, i64, i64, i64) -> !jit.tensor
  %v = aten.relu %x : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %p, %v {jit.out, jit.cast = "category"} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %p, %y : !jit.tensor, !jit.tensor
}

// -----

// Where it is cast all that shows the memory shows a larger one, of its own element type: its first element, and the six of the result.
// CHECK-LABEL: func.func @forward
// CHECK: %[[Y:.*]] = aten.sigmoid %arg1
// CHECK: %[[V:.*]] = aten.relu %arg0
// CHECK: %[[ROWS:.*]] = aten.reshape %[[V]]
// CHECK: %[[H:.*]] = aten.to.dtype %[[ROWS]], {{.*}} -> !jit.tensor<[6],f16>
// CHECK: %[[KEPT:.*]] = aten.as_strided %[[Y]]
// CHECK: %[[BOTH:.*]] = jit.list %[[KEPT]], %[[H]]
// CHECK: %[[LARGER:.*]] = aten.cat %[[BOTH]], {{.*}} -> !jit.tensor<[7],f16>
// CHECK: aten.as_strided %[[LARGER]], {{.*}} -> !jit.tensor<[2,3],f16>
func.func @forward(%x: !jit.tensor, %h: !jit.tensor, %i: !jit.tensor, %f: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %y = aten.sigmoid %h : (!jit.tensor) -> !jit.tensor
  %p = aten.slice.Tensor %y, %zero, %one, %three, %one : (!jit.tensor, i64, i64, i64, i64) -> !jit.tensor
  %v = aten.relu %x : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %p, %v {jit.out, jit.cast = "category"} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %p, %y : !jit.tensor, !jit.tensor
}
