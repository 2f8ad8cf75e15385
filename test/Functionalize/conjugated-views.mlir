// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --split-input-file | FileCheck %s

!c = !jit.tensor<[2,3],complex<f32>>
!t = !jit.tensor<[3,2],complex<f32>>
!p = !jit.tensor<[2,2],f32>

// What resolve_conj gives of a conjugated view is new memory: the write is not seen in x.
// CHECK-LABEL: func.func @conjugated
// CHECK: %[[X:.*]] = aten.exp
// CHECK: %[[W:.*]] = aten.tanh
// CHECK: return %[[X]], %[[W]]
func.func @conjugated(%a: !c) -> (!c, !c) {
  %x = aten.exp %a : (!c) -> !c
  %0 = aten.conj %x : (!c) -> !c
  %1 = aten.resolve_conj %0 : (!c) -> !c
  %2 = aten.tanh %1 : (!c) -> !c
  %3 = jit.overwrite %1, %2 : (!c, !c) -> !c
  return %x, %1 : !c, !c
}

// -----

!c = !jit.tensor<[2,3],complex<f32>>

// Conjugated twice it is x itself.
// CHECK-LABEL: func.func @conjugated_twice
// CHECK: %[[W:.*]] = aten.tanh
// CHECK: %[[BACK:.*]] = aten.conj %[[W]]
// CHECK: %[[X:.*]] = aten.conj %[[BACK]]
// CHECK: return %[[X]]
func.func @conjugated_twice(%a: !c) -> (!c, !c) {
  %x = aten.exp %a : (!c) -> !c
  %0 = aten.conj %x : (!c) -> !c
  %1 = aten.conj %0 : (!c) -> !c
  %2 = aten.resolve_conj %1 : (!c) -> !c
  %3 = aten.tanh %2 : (!c) -> !c
  %4 = jit.overwrite %2, %3 : (!c, !c) -> !c
  return %x, %2 : !c, !c
}

// -----

!c = !jit.tensor<[2,3],complex<f32>>
!r = !jit.tensor<[2,3],f32>
!p = !jit.tensor<[2],f32>

// as_strided of a real part counts the numbers of the complex memory: these two are imaginary parts.
// CHECK-LABEL: func.func @strided_part
// CHECK: %[[X:.*]] = aten.exp
// CHECK: %[[NUMBERS:.*]] = aten.view_as_real %[[X]]
// CHECK: aten.as_strided %[[NUMBERS]], {{.*}} {jit.of_memory, jit.shown = array<i1: false, false>}
func.func @strided_part(%a: !c) -> !p {
  %two = arith.constant 2 : i64
  %four = arith.constant 4 : i64
  %one = arith.constant 1 : i64
  %size = jit.list %two : (i64) -> !jit.list<i64>
  %stride = jit.list %four : (i64) -> !jit.list<i64>
  %x = aten.exp %a : (!c) -> !c
  %re = aten.real %x : (!c) -> !r
  %0 = aten.as_strided %re, %size, %stride, %one : (!r, !jit.list<i64>, !jit.list<i64>, i64) -> !p
  return %0 : !p
}
