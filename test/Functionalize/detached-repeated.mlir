// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

!m = !jit.tensor<[3],f32>

// A part of a detached name that shows elements more than once: what it shows itself has places of its own.
// CHECK-LABEL: func.func @part
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[3],f32>, %[[V:.*]]: !jit.tensor<[3],f32>)
func.func @part(%x: !m, %v: !m) -> (!m, !jit.tensor<[2,3],f32>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %false = arith.constant false
  // CHECK: %[[Y:.*]] = aten.relu %[[X]]
  // CHECK: %[[CUT:.*]] = aten.detach %[[Y]]
  // CHECK: %[[FLAT:.*]] = aten.view %[[CUT]]
  // CHECK: %[[S:.*]] = aten.scatter.src %[[FLAT]]
  // CHECK: %[[W:.*]] = aten.view %[[S]]
  // CHECK: %[[N:.*]] = aten._with_elements %[[Y]], %[[W]]
  // CHECK: %[[E:.*]] = aten.expand %[[W]]
  // CHECK: return %[[N]], %[[E]]
  %y = aten.relu %x : (!m) -> !m
  %sizes = jit.list %two, %three : (i64, i64) -> !jit.list<i64>
  %e = aten.expand %y, %sizes, %false : (!m, !jit.list<i64>, i1) -> !jit.tensor<[2,3],f32>
  %cut = aten.detach %e : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
  %row = aten.select.int %cut, %zero, %one : (!jit.tensor<[2,3],f32>, i64, i64) -> !m
  %w = jit.overwrite %row, %v : (!m, !m) -> !m
  return %y, %cut : !m, !jit.tensor<[2,3],f32>
}
