// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

// A part whose size data choose carries as many places as it has elements: only the sizes of what has memory of its own have to be known.
!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>
!o = !jit.tensor<[?],f32>
// CHECK-LABEL: func.func @forward
// CHECK: %[[LOOP:.*]]:2 = scf.for
// CHECK: %[[PART:.*]] = scf.if %{{.*}} -> (!jit.tensor<[?],i64>)
// CHECK: aten.select.int %[[LOOP]]#
// CHECK: aten.slice.Tensor
// CHECK: %[[MEMORY:.*]] = aten.scatter.src
// CHECK: %[[FLAT:.*]] = aten.reshape %[[PART]]
// CHECK: %[[ELEMENTS:.*]] = aten.gather %[[MEMORY]], %{{.*}}, %[[FLAT]]
// CHECK: %[[SHOWN:.*]] = aten.view_as %[[ELEMENTS]], %[[PART]]
// CHECK: return %{{.*}}, %{{.*}}, %[[SHOWN]]
func.func @forward(%x: !m, %v: !m, %n: i64, %c: i1) -> (!m, !m, !o) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %y = aten.relu %x : (!m) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    %e = aten.tanh %t : (!m) -> !m
    %w = jit.overwrite %t, %e : (!m, !m) -> !m
    %u = aten.t %t : (!m) -> !m
    scf.yield %u : !m
  }
  %part = scf.if %c -> !o {
    %row = aten.select.int %r, %zero, %one : (!m, i64, i64) -> !r
    %open = jit.derefine %row : !r to !o
    scf.yield %open : !o
  } else {
    %row = aten.select.int %r, %zero, %zero : (!m, i64, i64) -> !r
    %first = aten.slice.Tensor %row, %zero, %none, %one, %one : (!r, i64, !jit.none, i64, i64) -> !jit.tensor<[1],f32>
    %open = jit.derefine %first : !jit.tensor<[1],f32> to !o
    scf.yield %open : !o
  }
  %w = jit.overwrite %r, %v : (!m, !m) -> !m
  return %y, %r, %part : !m, !m, !o
}
