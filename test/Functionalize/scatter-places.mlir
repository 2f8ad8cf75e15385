// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse --split-input-file | FileCheck %s

// Writes to elements that are no whole part of a tensor, one by one.

// One number may be written to an element several times.
// CHECK-LABEL: func.func @one_number
// CHECK: %[[Y:.*]] = aten.relu
// CHECK: %[[F:.*]] = aten.fill.Scalar
// CHECK: %[[WHERE:.*]] = aten.expand %{{.*}} -> !jit.tensor<[2,2],i64>
// CHECK-NOT: jit.guard
// CHECK: %[[TO:.*]] = aten.view %[[Y]]
// CHECK: %[[AT:.*]] = aten.view %[[WHERE]]
// CHECK: %[[WHAT:.*]] = aten.view %[[F]]
// CHECK: aten.scatter.src %[[TO]], %c0_i64, %[[AT]], %[[WHAT]]
func.func @one_number(%x: !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32> {
  %two = arith.constant 2 : i64
  %three = arith.constant 3.0 : f64
  %false = arith.constant false
  %sizes = jit.list %two, %two : (i64, i64) -> !jit.list<i64>
  %y = aten.relu %x : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %e = aten.expand %y, %sizes, %false : (!jit.tensor<[2],f32>, !jit.list<i64>, i1) -> !jit.tensor<[2,2],f32>
  %f = aten.fill.Scalar %e, %three : (!jit.tensor<[2,2],f32>, f64) -> !jit.tensor<[2,2],f32>
  %w = jit.overwrite %e, %f : (!jit.tensor<[2,2],f32>, !jit.tensor<[2,2],f32>) -> !jit.tensor<[2,2],f32>
  return %y : !jit.tensor<[2],f32>
}

// -----

// CHECK-LABEL: func.func @one_number_open
// CHECK-NOT: jit.guard
// CHECK: return
func.func @one_number_open(%x: !jit.tensor<[?],f32>, %n: i64) -> !jit.tensor<[?],f32> {
  %three = arith.constant 3.0 : f64
  %false = arith.constant false
  %sizes = jit.list %n, %n : (i64, i64) -> !jit.list<i64>
  %y = aten.relu %x : (!jit.tensor<[?],f32>) -> !jit.tensor<[?],f32>
  %e = aten.expand %y, %sizes, %false : (!jit.tensor<[?],f32>, !jit.list<i64>, i1) -> !jit.tensor<[?,?],f32>
  %f = aten.fill.Scalar %e, %three : (!jit.tensor<[?,?],f32>, f64) -> !jit.tensor<[?,?],f32>
  %w = jit.overwrite %e, %f : (!jit.tensor<[?,?],f32>, !jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
  return %y : !jit.tensor<[?],f32>
}

// -----

// A program for any sizes lets another one serve the call in which two places are one.
// CHECK-LABEL: func.func @symbolic
// CHECK: jit.guard %{{.*}}, "jit.UnequalSizes", "expected a write to elements each of which has a place of its own
func.func @symbolic(%x: !jit.tensor<[?],f32> {jit.size_names = ["n"]}, %v: !jit.tensor<[?,?],f32>, %n: i64) -> !jit.tensor<[?],f32> attributes {jit.symbolic} {
  %false = arith.constant false
  %sizes = jit.list %n, %n : (i64, i64) -> !jit.list<i64>
  %y = aten.relu %x : (!jit.tensor<[?],f32>) -> !jit.tensor<[?],f32>
  %e = aten.expand %y, %sizes, %false : (!jit.tensor<[?],f32>, !jit.list<i64>, i1) -> !jit.tensor<[?,?],f32>
  %w = jit.overwrite %e, %v : (!jit.tensor<[?,?],f32>, !jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
  return %y : !jit.tensor<[?],f32>
}

// -----

// Windows side by side have no place in common, however many they are.
// CHECK-LABEL: func.func @windows
// CHECK-NOT: jit.guard
// CHECK: return
func.func @windows(%x: !jit.tensor<[140000],f32>, %v: !jit.tensor<[70000,2],f32>) -> !jit.tensor<[140000],f32> {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!jit.tensor<[140000],f32>) -> !jit.tensor<[140000],f32>
  %s = aten.unfold %y, %zero, %two, %two : (!jit.tensor<[140000],f32>, i64, i64, i64) -> !jit.tensor<[70000,2],f32>
  %w = jit.overwrite %s, %v : (!jit.tensor<[70000,2],f32>, !jit.tensor<[70000,2],f32>) -> !jit.tensor<[70000,2],f32>
  return %y : !jit.tensor<[140000],f32>
}

// -----

!u = !jit.tensor<[3,3],f32>
!w = !jit.tensor<[3,3,1],f32>

// Gradients do not see what is written behind a detach.
// CHECK-LABEL: func.func @detached
// CHECK: %[[Y:.*]] = aten.relu
// CHECK: %[[NEW:.*]] = aten.scatter.src
// CHECK: %[[ELEMENTS:.*]] = aten.view %[[NEW]]
// CHECK: %[[Y2:.*]] = aten._with_elements %[[Y]], %[[ELEMENTS]]
// CHECK: return %[[Y2]]
func.func @detached(%x: !u, %v: !w) -> !u {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!u) -> !u
  %c = aten.detach %y : (!u) -> !u
  %s = aten.unfold %c, %zero, %one, %one : (!u, i64, i64, i64) -> !w
  %w = jit.overwrite %s, %v : (!w, !w) -> !w
  return %y : !u
}

// -----

!c = !jit.tensor<[3],complex<f32>>
!r = !jit.tensor<[3,2],f32>
!s = !jit.tensor<[3,2,1],f32>

// The numbers that complex ones are made of have places; what they are made into again is the tensor.
// CHECK-LABEL: func.func @complex
// CHECK: %[[Y:.*]] = aten.neg
// CHECK: %[[PARTS:.*]] = aten.view_as_real %[[Y]]
// CHECK: %[[TO:.*]] = aten.view %[[PARTS]]
// CHECK: %[[NEW:.*]] = aten.scatter.src %[[TO]]
// CHECK: %[[BACK:.*]] = aten.view %[[NEW]]
// CHECK: %[[Y2:.*]] = aten.view_as_complex %[[BACK]]
// CHECK: return %[[Y2]]
func.func @complex(%x: !c, %v: !s) -> !c {
  %one = arith.constant 1 : i64
  %y = aten.neg %x : (!c) -> !c
  %r = aten.view_as_real %y : (!c) -> !r
  %s = aten.unfold %r, %one, %one, %one : (!r, i64, i64, i64) -> !s
  %w = jit.overwrite %s, %v : (!s, !s) -> !s
  return %y : !c
}
