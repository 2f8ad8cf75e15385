// RUN: jit-opt %s --split-input-file --jit-specialize="args=f32[2]" --canonicalize | FileCheck %s

// A list that changes is the longer one by every name that it has and in every list that it is in; a copy stays as it was.

// CHECK-LABEL: func.func @forward
// CHECK-SAME: value = ["tuple", ["list", ["list", 0, 1], ["list", 2, 3]], ["list", 4], 5]
// CHECK: %[[TWO:.*]] = arith.constant 2 : i64
// CHECK: return %arg0, %arg0, %arg0, %arg0, %arg0, %[[TWO]]
!tensors = !jit.list<!jit.tensor>
!result = !jit.tuple<!jit.list<!tensors>, !tensors, i64>
func.func @forward(%x: !jit.tensor) -> !result {
  %one = arith.constant 1 : i64
  %l = jit.list %x : (!jit.tensor) -> !tensors
  %copy = aten.copy.t %l : (!tensors) -> !tensors
  %ll = jit.list %l, %l : (!tensors, !tensors) -> !jit.list<!tensors>
  %row = aten.__getitem__.t %ll, %one : (!jit.list<!tensors>, i64) -> !tensors
  jit.append %row, %x : !tensors, !jit.tensor
  %n = aten.len.t %l : (!tensors) -> i64
  %t = jit.tuple %ll, %copy, %n : (!jit.list<!tensors>, !tensors, i64) -> !result
  return %t : !result
}

// -----

// What a list takes over from another is its own: later changes of the other are not seen.

// CHECK-LABEL: func.func @forward
// CHECK-SAME: value = ["tuple", ["list", 0], ["list", 1, 2]]
!tensors = !jit.list<!jit.tensor>
func.func @forward(%x: !jit.tensor) -> !jit.tuple<!tensors, !tensors> {
  %zero = arith.constant 0 : i64
  %a = jit.list : () -> !tensors
  %b = jit.list %x : (!jit.tensor) -> !tensors
  %both = jit.list %a, %b : (!tensors, !tensors) -> !jit.list<!tensors>
  %first = aten.__getitem__.t %both, %zero : (!jit.list<!tensors>, i64) -> !tensors
  %sum = aten.add.t %first, %b : (!tensors, !tensors) -> !tensors
  jit.replace %first, %sum : !tensors, !tensors
  jit.append %b, %x : !tensors, !jit.tensor
  %t = jit.tuple %a, %b : (!tensors, !tensors) -> !jit.tuple<!tensors, !tensors>
  return %t : !jit.tuple<!tensors, !tensors>
}

// -----

// A loop that changes lists from outside is written out.

// CHECK-LABEL: func.func @forward
// CHECK-SAME: value = ["list", 0, 1, 2]
// CHECK-NOT: scf.for
!tensors = !jit.list<!jit.tensor>
func.func @forward(%x: !jit.tensor) -> !tensors {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %l = jit.list %x : (!jit.tensor) -> !tensors
  %ll = jit.list %l : (!tensors) -> !jit.list<!tensors>
  scf.for %i = %zero to %two step %one : i64 {
    %row = aten.__getitem__.t %ll, %zero : (!jit.list<!tensors>, i64) -> !tensors
    jit.append %row, %x : !tensors, !jit.tensor
  }
  return %l : !tensors
}

// -----

// Which list changes data tell: what follows is evaluated for each.

// CHECK-LABEL: func.func @forward
// CHECK-SAME: ["either", {{[0-9]+}}, ["list", ["list", {{[0-9]+}}, {{[0-9]+}}], ["list", {{[0-9]+}}]], ["list", ["list", {{[0-9]+}}], ["list", {{[0-9]+}}, {{[0-9]+}}]]]
!tensors = !jit.list<!jit.tensor>
func.func @forward(%x: !jit.tensor) -> !jit.list<!tensors> {
  %a = jit.list %x : (!jit.tensor) -> !tensors
  %b = jit.list %x : (!jit.tensor) -> !tensors
  %both = jit.list %a, %b : (!tensors, !tensors) -> !jit.list<!tensors>
  %any = aten.any %x : (!jit.tensor) -> !jit.tensor
  %c = aten.Bool.Tensor %any : (!jit.tensor) -> i1
  %one = scf.if %c -> (!tensors) {
    scf.yield %a : !tensors
  } else {
    scf.yield %b : !tensors
  }
  jit.append %one, %x : !tensors, !jit.tensor
  return %both : !jit.list<!tensors>
}
