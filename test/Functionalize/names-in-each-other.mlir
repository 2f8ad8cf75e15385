// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

!m = !jit.tensor<[2,2],f32>

// The second result shows the first one's memory in one way of the branch, and the first one the second one's in the other. There is a result more for the
// memory of the other way, of which both show all or a part.
// CHECK-LABEL: func.func @in_each_other
//       CHECK: %[[B:[0-9]+]]:2 = scf.if
//       CHECK: %[[V:[0-9]+]] = aten.exp %[[B]]#0
//       CHECK: %[[P:[0-9]+]] = scf.if
//       CHECK:   aten.numpy_T %[[V]]
//       CHECK: } else {
//       CHECK:   aten.t
//       CHECK: return %[[P]], %[[V]]
func.func @in_each_other(%x: !m, %c: i1) -> (!m, !m) {
  %b:2 = scf.if %c -> (!m, !m) {
    %p = aten.sin %x : (!m) -> !m
    %q = aten.t %p : (!m) -> !m
    scf.yield %p, %q : !m, !m
  } else {
    %q = aten.cos %x : (!m) -> !m
    %p = aten.t %q : (!m) -> !m
    scf.yield %p, %q : !m, !m
  }
  %v = aten.exp %b#1 : (!m) -> !m
  %w = jit.overwrite %b#1, %v : (!m, !m) -> !m
  return %b#0, %b#1 : !m, !m
}
