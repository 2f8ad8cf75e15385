// Parts of a tensor that is written are views of it; those of any other tensor stay elements of a list.
// RUN: jit-opt %s --jit-element-views --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @unbound(
// CHECK: %[[ROW:.*]] = aten.select.int %arg0, %{{.*}}, %arg1
// CHECK: jit.overwrite %[[ROW]], %arg2
func.func @unbound(%x: !jit.tensor, %i: i64, %v: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %rows = aten.unbind.int %x, %zero : (!jit.tensor, i64) -> !jit.list<!jit.tensor>
  %row = aten.__getitem__.t %rows, %i : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  %w = jit.overwrite %row, %v : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %x : !jit.tensor
}

// -----

// CHECK-LABEL: func.func @chunks(
// CHECK: %[[LENGTH:.*]] = aten.size.int %arg0, %[[DIM:.*]] :
// CHECK: %[[SIZE:.*]] = arith.ceildivsi %[[LENGTH]], %{{.*}}
// CHECK: %[[START:.*]] = arith.muli %{{.*}}, %[[SIZE]]
// CHECK: %[[END:.*]] = arith.addi %[[START]], %[[SIZE]]
// CHECK: %[[FIRST:.*]] = aten.slice.Tensor %arg0, %[[DIM]], %[[START]], %[[END]]
// CHECK: %[[SECOND:.*]] = aten.slice.Tensor %arg0
// CHECK: %[[COUNT:.*]] = aten.len.t
// CHECK: %[[FITS:.*]] = arith.cmpi eq, %[[COUNT]]
// CHECK: jit.guard %[[FITS]], "builtins.RuntimeError", "expected 2 values to unpack, got {}"(%[[COUNT]] : i64)
// CHECK: jit.overwrite %[[FIRST]], %[[SECOND]]
func.func @chunks(%x: !jit.tensor) -> !jit.tensor {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %parts = aten.chunk %x, %two, %one : (!jit.tensor, i64, i64) -> !jit.list<!jit.tensor>
  %a, %b = jit.list_unpack %parts : (!jit.list<!jit.tensor>) -> (!jit.tensor, !jit.tensor)
  %w = jit.overwrite %a, %b : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %x : !jit.tensor
}

// -----

// A place that is not known may be counted from the back.
// CHECK-LABEL: func.func @from_the_back(
// CHECK: aten.__getitem__.t
func.func @from_the_back(%x: !jit.tensor, %i: i64, %v: !jit.tensor) -> !jit.tensor {
  %one = arith.constant 1 : i64
  %parts = aten.split.Tensor %x, %one, %one : (!jit.tensor, i64, i64) -> !jit.list<!jit.tensor>
  %a = aten.__getitem__.t %parts, %i : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  %w = jit.overwrite %a, %v : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %x : !jit.tensor
}

// -----

// CHECK-LABEL: func.func @read(
// CHECK: aten.__getitem__.t
// CHECK-NOT: aten.select
func.func @read(%x: !jit.tensor, %i: i64) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %rows = aten.unbind.int %x, %zero : (!jit.tensor, i64) -> !jit.list<!jit.tensor>
  %row = aten.__getitem__.t %rows, %i : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  return %row : !jit.tensor
}

// -----

// Rows of what the tensor is where it is split, not of what it is where a row is taken. Where sizes change in place a row
// is one tensor, however often it is taken: it stays an element.
// CHECK-LABEL: func.func @transposed(
// CHECK: %[[SPLIT:.*]] = aten.alias %arg0
// CHECK: %[[ROWS:.*]] = aten.unbind.int %[[SPLIT]]
// CHECK: jit.become %arg0
// CHECK: aten.__getitem__.t %[[ROWS]], %arg1
func.func @transposed(%x: !jit.tensor, %i: i64) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %rows = aten.unbind.int %x, %zero : (!jit.tensor, i64) -> !jit.list<!jit.tensor>
  %t = aten.t %x : (!jit.tensor) -> !jit.tensor
  %became = jit.become %x, %t : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %row = aten.__getitem__.t %rows, %i : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  return %row : !jit.tensor
}

// -----

// An out= tensor takes the sizes of the result.
// CHECK-LABEL: func.func @of_out(
// CHECK: %[[SPLIT:.*]] = aten.alias %arg0
// CHECK: jit.overwrite %arg0
// CHECK: aten.select.int %[[SPLIT]], %{{.*}}, %arg1
func.func @of_out(%x: !jit.tensor, %i: i64, %v: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %rows = aten.unbind.int %x, %zero : (!jit.tensor, i64) -> !jit.list<!jit.tensor>
  %w = jit.overwrite %x, %v {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %row = aten.__getitem__.t %rows, %i : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  return %row : !jit.tensor
}
