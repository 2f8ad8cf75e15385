// RUN: jit-opt %s --jit-expand-math | FileCheck %s --check-prefix=HALVES
// RUN: jit-opt %s --jit-expand-math=ldexp | FileCheck %s --check-prefix=LDEXP

// A power of two below the normal numbers is multiplied in two halves, unless the machine scales.
// HALVES-LABEL: func.func @power(
// HALVES:         arith.shrsi
// HALVES-NOT:     llvm.intr.ldexp

// LDEXP-LABEL: func.func @power(
// LDEXP-NOT:     arith.shrsi
// LDEXP:         %[[Y:.*]] = llvm.intr.ldexp(%{{.*}}, %{{.*}}) : (f32, i32) -> f32
// LDEXP-NEXT:    return %[[Y]]
func.func @power(%x: f32) -> f32 {
  %a = math.exp %x : f32
  return %a : f32
}
