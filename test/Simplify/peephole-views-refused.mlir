// RUN: jit-opt %s --split-input-file --jit-peephole | FileCheck %s

// What was written is not what is read at another place, along another dimension, or before it was converted.

// CHECK-LABEL: func.func @read_elsewhere
// CHECK-COUNT-3: aten.select.int
//       CHECK: return
func.func @read_elsewhere(%x: !jit.tensor<[4,4],f32>, %row: !jit.tensor<[4],f32>, %wide: !jit.tensor<[4],f64>, %k: i64, %l: i64)
    -> (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %a = aten.select_scatter %x, %row, %0, %k : (!jit.tensor<[4,4],f32>, !jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[4,4],f32>
  %b = aten.select_scatter %x, %wide, %0, %k : (!jit.tensor<[4,4],f32>, !jit.tensor<[4],f64>, i64, i64) -> !jit.tensor<[4,4],f32>
  %other = aten.select.int %a, %0, %l : (!jit.tensor<[4,4],f32>, i64, i64) -> !jit.tensor<[4],f32>
  %column = aten.select.int %a, %1, %k : (!jit.tensor<[4,4],f32>, i64, i64) -> !jit.tensor<[4],f32>
  %converted = aten.select.int %b, %0, %k : (!jit.tensor<[4,4],f32>, i64, i64) -> !jit.tensor<[4],f32>
  return %other, %column, %converted : !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>
}

// -----

// Which dimensions these are is known at the call alone.

// CHECK-LABEL: func.func @unknown_dimensions
//       CHECK: aten.select.int
//       CHECK: return
func.func @unknown_dimensions(%x: !jit.tensor<[4,4],f32>, %row: !jit.tensor<[4],f32>, %d: i64, %e: i64, %k: i64) -> !jit.tensor<[4],f32> {
  %a = aten.select_scatter %x, %row, %d, %k : (!jit.tensor<[4,4],f32>, !jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[4,4],f32>
  %read = aten.select.int %a, %e, %k : (!jit.tensor<[4,4],f32>, i64, i64) -> !jit.tensor<[4],f32>
  return %read : !jit.tensor<[4],f32>
}

// -----

// 2^53 + 1 is no f64, 2^40 no i32, half a one no i64, and bf16 is not what f16 was; a bool is all there in i64, and so are an i32 and a
// byte.

// CHECK-LABEL: func.func @conversions
//  CHECK-SAME: (%[[I:[a-z0-9]+]]: !jit.tensor<[4],i64>, %[[H:[a-z0-9]+]]: {{.*}}, %[[B:[a-z0-9]+]]: !jit.tensor<[4],i1>, %[[N:[a-z0-9]+]]: !jit.tensor<[4],i32>, %[[U:[a-z0-9]+]]: {{.*}})
// CHECK-COUNT-8: aten.to.dtype
//   CHECK-NOT: aten.to.dtype
//       CHECK: return %{{.*}}, %{{.*}}, %{{.*}}, %[[B]], %[[N]], %{{.*}}, %[[U]]
func.func @conversions(%i: !jit.tensor<[4],i64>, %h: !jit.tensor<[4],f16>, %b: !jit.tensor<[4],i1>, %n: !jit.tensor<[4],i32>, %u: !jit.tensor<[4],ui8>)
    -> (!jit.tensor<[4],i64>, !jit.tensor<[4],i64>, !jit.tensor<[4],bf16>, !jit.tensor<[4],i1>, !jit.tensor<[4],i32>, !jit.tensor<[4],f16>, !jit.tensor<[4],ui8>) {
  %byte = arith.constant 0 : i64
  %short = arith.constant 2 : i64
  %half = arith.constant 5 : i64
  %int = arith.constant 3 : i64
  %long = arith.constant 4 : i64
  %single = arith.constant 6 : i64
  %double = arith.constant 7 : i64
  %bool = arith.constant 11 : i64
  %bfloat = arith.constant 15 : i64
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %i0 = aten.to.dtype %i, %double, %false, %false, %none : (!jit.tensor<[4],i64>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],f64>
  %i1 = aten.to.dtype %i0, %long, %false, %false, %none : (!jit.tensor<[4],f64>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],i64>
  %j0 = aten.to.dtype %i, %int, %false, %false, %none : (!jit.tensor<[4],i64>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],i32>
  %j1 = aten.to.dtype %j0, %long, %false, %false, %none : (!jit.tensor<[4],i32>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],i64>
  %h0 = aten.to.dtype %h, %single, %false, %false, %none : (!jit.tensor<[4],f16>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],f32>
  %h1 = aten.to.dtype %h0, %bfloat, %false, %false, %none : (!jit.tensor<[4],f32>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],bf16>
  %b0 = aten.to.dtype %b, %long, %false, %false, %none : (!jit.tensor<[4],i1>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],i64>
  %b1 = aten.to.dtype %b0, %bool, %false, %false, %none : (!jit.tensor<[4],i64>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],i1>
  %n0 = aten.to.dtype %n, %long, %false, %false, %none : (!jit.tensor<[4],i32>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],i64>
  %n1 = aten.to.dtype %n0, %int, %false, %false, %none : (!jit.tensor<[4],i64>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],i32>
  %k0 = aten.to.dtype %h, %long, %false, %false, %none : (!jit.tensor<[4],f16>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],i64>
  %k1 = aten.to.dtype %k0, %half, %false, %false, %none : (!jit.tensor<[4],i64>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],f16>
  %u0 = aten.to.dtype %u, %short, %false, %false, %none : (!jit.tensor<[4],ui8>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],i16>
  %u1 = aten.to.dtype %u0, %byte, %false, %false, %none : (!jit.tensor<[4],i16>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],ui8>
  return %i1, %j1, %h1, %b1, %n1, %k1, %u1 : !jit.tensor<[4],i64>, !jit.tensor<[4],i64>, !jit.tensor<[4],bf16>, !jit.tensor<[4],i1>, !jit.tensor<[4],i32>, !jit.tensor<[4],f16>, !jit.tensor<[4],ui8>
}

// -----

// A row that becomes three rows; a matrix, transposed once, and to where it was.

// CHECK-LABEL: func.func @other_sizes
//  CHECK-SAME: (%[[R:[a-z0-9]+]]: {{.*}}, %[[X:[a-z0-9]+]]: !jit.tensor<[3,4],f32>, %[[U:[a-z0-9]+]]: !jit.tensor<[?,?],f32>)
//       CHECK: aten.expand %[[R]]
//       CHECK: aten.transpose.int %[[U]]
//       CHECK: aten.transpose.int
//       CHECK: return %{{.*}}, %[[X]], %{{.*}}
func.func @other_sizes(%r: !jit.tensor<[1,4],f32>, %x: !jit.tensor<[3,4],f32>, %u: !jit.tensor<[?,?],f32>)
    -> (!jit.tensor<[3,4],f32>, !jit.tensor<[3,4],f32>, !jit.tensor<[?,?],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %3 = arith.constant 3 : i64
  %4 = arith.constant 4 : i64
  %false = arith.constant false
  %sizes = jit.list %3, %4 : (i64, i64) -> !jit.list<i64>
  %order = jit.list %0, %1 : (i64, i64) -> !jit.list<i64>
  %e = aten.expand %r, %sizes, %false : (!jit.tensor<[1,4],f32>, !jit.list<i64>, i1) -> !jit.tensor<[3,4],f32>
  %p = aten.permute %x, %order : (!jit.tensor<[3,4],f32>, !jit.list<i64>) -> !jit.tensor<[3,4],f32>
  %t = aten.transpose.int %u, %0, %1 : (!jit.tensor<[?,?],f32>, i64, i64) -> !jit.tensor<[?,?],f32>
  %t1 = aten.transpose.int %t, %0, %1 : (!jit.tensor<[?,?],f32>, i64, i64) -> !jit.tensor<[?,?],f32>
  return %e, %p, %t1 : !jit.tensor<[3,4],f32>, !jit.tensor<[3,4],f32>, !jit.tensor<[?,?],f32>
}
