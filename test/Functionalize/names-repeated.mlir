// RUN: jit-opt %s --jit-functionalize-tensors --cse --split-input-file | FileCheck %s --implicit-check-not=aten.arange

!m = !jit.tensor<[3,3],f32>
!r = !jit.tensor<[3],f32>

// One way of a branch gives a row three times, and only the other way writes: the elements of the row need no places.
// CHECK-LABEL: func.func @read_alone
// CHECK: %[[R:.*]]:{{.*}} = scf.if
// CHECK: aten.expand
func.func @read_alone(%x: !m, %c: i1) -> !m {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %no = arith.constant false
  %second = aten.select.int %x, %one, %one : (!m, i64, i64) -> !r
  %0 = scf.if %c -> (!m) {
    %row = aten.select.int %x, %zero, %one : (!m, i64, i64) -> !r
    %new = aten.relu %row : (!r) -> !r
    %sizes = jit.list %three, %three : (i64, i64) -> !jit.list<i64>
    %rows = aten.expand %new, %sizes, %no : (!r, !jit.list<i64>, i1) -> !m
    scf.yield %rows : !m
  } else {
    %v = aten.tanh %second : (!r) -> !r
    %w = jit.overwrite %second, %v : (!r, !r) -> !r
    scf.yield %x : !m
  }
  return %0 : !m
}
