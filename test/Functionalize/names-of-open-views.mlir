// For any sizes, too, a matrix that is transposed twice is that matrix, and the same view by another operation is the same: a branch
// gives each memory in each way that it may lie in, once. What may be another part, as a column, counts by itself.
// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

!m = !jit.tensor<[?,?],f32>

// CHECK-LABEL: func.func @transposed(
// Three tensors, and nine conditions, as of known sizes.
// CHECK: %{{.*}}:12 = scf.if %arg1
func.func @transposed(%x: !m, %c: i1, %d: i1, %e: i1, %f: i1) -> (!m, !m) {
  %one = arith.constant 1.0 : f64
  %i = arith.constant 1 : i64
  %w = aten.mul.Scalar %x, %one : (!m, f64) -> !m
  %r = scf.if %c -> !m {
    %0 = scf.if %d -> !m {
      %t = aten.t %w : (!m) -> !m
      scf.yield %t : !m
    } else {
      scf.yield %w : !m
    }
    %1 = scf.if %e -> !m {
      %t = aten.t %0 : (!m) -> !m
      scf.yield %t : !m
    } else {
      scf.yield %0 : !m
    }
    %2 = scf.if %f -> !m {
      %t = aten.numpy_T %1 : (!m) -> !m
      scf.yield %t : !m
    } else {
      scf.yield %1 : !m
    }
    scf.yield %2 : !m
  } else {
    scf.yield %x : !m
  }
  %v = aten.add.Scalar %r, %one, %i : (!m, f64, i64) -> !m
  %o = jit.overwrite %r, %v : (!m, !m) -> !m
  return %w, %r : !m, !m
}

// Columns from the second on are no view that is only in another order: they count beside the matrix.
// CHECK-LABEL: func.func @parts(
// CHECK: %{{.*}}:7 = scf.if %arg1
func.func @parts(%x: !m, %c: i1, %d: i1, %e: i1) -> (!m, !m) {
  %one = arith.constant 1.0 : f64
  %i = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %w = aten.mul.Scalar %x, %one : (!m, f64) -> !m
  %r = scf.if %c -> !m {
    %0 = scf.if %d -> !m {
      %t = aten.slice.Tensor %w, %i, %i, %none, %i : (!m, i64, i64, !jit.none, i64) -> !m
      scf.yield %t : !m
    } else {
      scf.yield %w : !m
    }
    %1 = scf.if %e -> !m {
      %t = aten.slice.Tensor %0, %i, %i, %none, %i : (!m, i64, i64, !jit.none, i64) -> !m
      scf.yield %t : !m
    } else {
      scf.yield %0 : !m
    }
    scf.yield %1 : !m
  } else {
    scf.yield %x : !m
  }
  %v = aten.add.Scalar %r, %one, %i : (!m, f64, i64) -> !m
  %o = jit.overwrite %r, %v : (!m, !m) -> !m
  return %w, %r : !m, !m
}
