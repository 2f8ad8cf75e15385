// RUN: jit-opt %s --jit-specialize="args=7,\"hello\",1.5,?float,(2,true)" | FileCheck %s

// PyTorch's hashes: of an int the int, of strings and floats those of its C++ library, which are constants where these are known.
// CHECK-LABEL: func.func @forward(
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: f64
//       CHECK:   %[[BITS:.*]] = arith.bitcast %[[X]] : f64 to i64
//       CHECK:   arith.muli %[[BITS]]
//       CHECK:   %[[ZERO:.*]] = arith.cmpf oeq, %[[X]]
//       CHECK:   arith.select %[[ZERO]]
func.func @forward(%i: i64, %s: !jit.str, %k: f64, %x: f64, %t: !jit.tuple<i64, i1>) -> (i64, i64, i64, i64, i64) {
  %0 = aten.hash.generic %i : (i64) -> i64
  %1 = aten.hash.generic %s : (!jit.str) -> i64
  %2 = aten.hash.generic %k : (f64) -> i64
  %3 = aten.hash.generic %x : (f64) -> i64
  %4 = aten.hash.generic %t : (!jit.tuple<i64, i1>) -> i64
  return %0, %1, %2, %3, %4 : i64, i64, i64, i64, i64
}
