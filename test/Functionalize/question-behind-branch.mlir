// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

// The transpose of a matrix of one row is contiguous: where data choose whether a call asks, those that do end there.
// CHECK-LABEL: func.func @forward
// CHECK: scf.if
// CHECK: jit.guard %{{.*}}, "jit.Unsupported", "expected strides that are known where a program asks for them"
// CHECK: scf.yield %{{.*}} : i1
!u = !jit.tensor<[?,?],f32>
func.func @forward(%x: !u, %c: i1) -> i1 {
  %y = aten.relu %x : (!u) -> !u
  %t = aten.t %y : (!u) -> !u
  %r = scf.if %c -> i1 {
    %s = aten.is_contiguous %t : (!u) -> i1
    scf.yield %s : i1
  } else {
    scf.yield %c : i1
  }
  return %r : i1
}
