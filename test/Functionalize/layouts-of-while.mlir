// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --split-input-file | FileCheck %s

// What a while loop carries, hands on to its body and gives lies as what it starts with, where each trip gives it so.
!t = !jit.tensor<[2,2],f32>

// CHECK-LABEL: func.func @kept
// CHECK-NOT: aten.is_contiguous
// CHECK-NOT: aten.storage_offset
// CHECK: return %{{.*}}, %{{.*}}, %{{.*}} : !jit.tensor<[2,2],f32>, i64, i1
func.func @kept(%x: !t, %z: !t) -> (!t, i64, i1) {
  %r = scf.while (%v = %x) : (!t) -> !t {
    %s = aten.any %v : (!t) -> !jit.tensor<[],i1>
    %flag = aten.Bool.Tensor %s : (!jit.tensor<[],i1>) -> i1
    scf.condition(%flag) %v : !t
  } do {
  ^bb0(%v: !t):
    %n = aten.relu %z : (!t) -> !t
    scf.yield %n : !t
  }
  %place = aten.storage_offset %r : (!t) -> i64
  %rows = aten.is_contiguous %r : (!t) -> i1
  return %r, %place, %rows : !t, i64, i1
}
