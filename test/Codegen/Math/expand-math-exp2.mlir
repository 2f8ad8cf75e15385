// RUN: jit-opt %s --jit-expand-math=exp2 | FileCheck %s
// RUN: jit-opt %s --jit-expand-math | FileCheck %s --check-prefix=NONE

// A machine that approximates powers of two does so where the program allows that.
// CHECK-LABEL: func.func @powers(
// CHECK:         math.exp2 %arg0 fastmath<afn>
// CHECK-NOT:     math.exp
// NONE-NOT:      math.exp
func.func @powers(%x: f32) -> (f32, f32, f32) {
  %a = math.exp2 %x fastmath<afn> : f32
  %b = math.exp2 %x : f32
  %c = math.exp %x fastmath<afn> : f32
  return %a, %b, %c : f32, f32, f32
}
