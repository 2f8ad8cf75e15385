// RUN: jit-opt %s --jit-specialize="args=f32[n,8],f32[n]" | FileCheck %s
// RUN: jit-opt %s --jit-specialize="args=f32[n,8],f32[?]" | FileCheck %s --check-prefix=OPEN

// A size with a name is open in the type; the names stay with the arguments. The function is symbolic if every open
// size has one.

//      CHECK: func.func @forward(%{{.*}}: !jit.tensor<[?,8],f32> {jit.arg = array<i64: 0>, jit.size_names = ["n", ""]},
// CHECK-SAME:   %{{.*}}: !jit.tensor<[?],f32> {jit.arg = array<i64: 1>, jit.size_names = ["n"]})
// CHECK-SAME:   jit.symbolic

//     OPEN: func.func @forward(
// OPEN-NOT:   jit.symbolic
func.func @forward(%x: !jit.tensor, %y: !jit.tensor) -> !jit.tensor {
  %0 = aten.matmul %y, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %0 : !jit.tensor
}
