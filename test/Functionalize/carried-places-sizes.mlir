// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse --split-input-file | FileCheck %s

// What has memory of its own, and sizes among which data choose, has as many places as the largest of them.
!m = !jit.tensor<[2,3],f32>
!o = !jit.tensor<[?,?],f32>
// Six for the argument, six for what a trip makes, six for what it hands on.
// CHECK-LABEL: func.func @chosen
// CHECK: aten.zeros {{.*}} -> !jit.tensor<[18],f32>
// CHECK: scf.for {{.*}} -> (!jit.tensor<[?,?],i64>, !jit.tensor<[18],f32>)
// CHECK: %[[COUNT:.*]] = aten.numel
// CHECK: %[[END:.*]] = arith.addi %[[COUNT]], %c6_i64
// CHECK: %[[AT:.*]] = aten.slice.Tensor %{{.*}}, %c0_i64, %c6_i64, %[[END]], %c1_i64
// CHECK: aten.view_as %[[AT]]
// CHECK: aten.scatter.src %{{.*}}, %c0_i64, %[[AT]]
func.func @chosen(%x: !m, %c: i1, %n: i64) -> (!m, !o) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %half = arith.constant 0.5 : f64
  %y = aten.relu %x : (!m) -> !m
  %first = jit.derefine %y : !m to !o
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %first) -> !o : i64 {
    %made = aten.mul.Scalar %t, %half : (!o, f64) -> !o
    %u = scf.if %c -> !o {
      %turned = aten.t %t : (!o) -> !o
      scf.yield %turned : !o
    } else {
      scf.yield %made : !o
    }
    %more = aten.add.Scalar %u, %half, %one : (!o, f64, i64) -> !o
    %w = jit.overwrite %u, %more : (!o, !o) -> !o
    scf.yield %u : !o
  }
  return %y, %r : !m, !o
}

// -----

// What is written has open sizes: the copy says whether they are those of the memory.
!m = !jit.tensor<[2,2],f32>
// CHECK-LABEL: func.func @written
// CHECK: scf.for
// CHECK: aten.copy %{{.*}}, %arg1
// CHECK: aten.scatter.src
func.func @written(%x: !m, %v: !jit.tensor<[?,2],f32>, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    %w = jit.overwrite %t, %v : (!m, !jit.tensor<[?,2],f32>) -> !m
    %u = aten.t %t : (!m) -> !m
    scf.yield %u : !m
  }
  return %r, %y : !m, !m
}
