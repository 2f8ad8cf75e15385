// RUN: jit-opt %s --split-input-file --jit-specialize="args=f32[2,3]" --canonicalize | FileCheck %s

// An out= tensor of other sizes takes new memory where nothing else shows its own.

// Whose elements were written before, and read, has its memory for itself all the same.
// CHECK-LABEL: func.func @forward
// CHECK: %[[T:.*]] = aten.clone
// CHECK: jit.overwrite %[[T]], %arg0
// CHECK: %[[C:.*]] = aten.exp %[[T]]
// CHECK: %[[E:.*]] = aten.exp
// CHECK-NOT: jit.overwrite
// CHECK: return %[[E]], %c2_i64, %[[C]]
func.func @forward(%x: !jit.tensor) -> (!jit.tensor, i64, !jit.tensor) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %w0 = jit.overwrite %t, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %d = jit.derefine %w0 : !jit.tensor to !jit.optional<!jit.tensor>
  %n = aten.size.int %t, %zero : (!jit.tensor, i64) -> i64
  %c = aten.exp %t : (!jit.tensor) -> !jit.tensor
  %row = aten.select.int %x, %zero, %zero : (!jit.tensor, i64, i64) -> !jit.tensor
  %e = aten.exp %row : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %t, %e {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %t, %n, %c : !jit.tensor, i64, !jit.tensor
}

// -----

// Of which a view was taken, under the name that a write gave it, has not.
// CHECK-LABEL: func.func @forward
// CHECK: %[[T:.*]] = aten.clone
// CHECK: %[[W:.*]] = jit.overwrite %[[T]], %arg0
// CHECK: %[[V:.*]] = aten.t %[[W]]
// CHECK: %[[E:.*]] = aten.exp
// CHECK: %[[P:.*]] = aten.as_strided %[[T]]
// CHECK: jit.overwrite %[[P]], %[[E]]
// CHECK: return %[[P]], %[[V]]
func.func @forward(%x: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %w0 = jit.overwrite %t, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %v = aten.t %w0 : (!jit.tensor) -> !jit.tensor
  %row = aten.select.int %x, %zero, %zero : (!jit.tensor, i64, i64) -> !jit.tensor
  %e = aten.exp %row : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %t, %e {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %t, %v : !jit.tensor, !jit.tensor
}

// -----

// Of the element type of the result it is the result; of another one that is converted.
// CHECK-LABEL: func.func @forward
// CHECK: %[[E:.*]] = aten.exp
// CHECK: %[[F:.*]] = aten.exp
// CHECK: %[[W:.*]] = aten.to.dtype %[[F]], %c7_i64
// CHECK: return %[[E]], %[[W]]
func.func @forward(%x: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %double = arith.constant 7 : i64
  %false = arith.constant false
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %u = aten.to.dtype %x, %double, %false, %false, %none : (!jit.tensor, i64, i1, i1, !jit.none) -> !jit.tensor
  %row = aten.select.int %x, %zero, %zero : (!jit.tensor, i64, i64) -> !jit.tensor
  %e = aten.exp %row : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %t, %e {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %f = aten.exp %row : (!jit.tensor) -> !jit.tensor
  %w2 = jit.overwrite %u, %f {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %t, %u : !jit.tensor, !jit.tensor
}
