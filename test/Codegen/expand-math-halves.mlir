// RUN: jit-opt %s --jit-expand-math='f16=false bf16=false' | FileCheck %s
// RUN: jit-opt %s --jit-expand-math | FileCheck %s --check-prefix=MACHINE

// Without instructions conversions are integer arithmetic, on vectors too.
// CHECK-LABEL: func.func @there_and_back(
// CHECK-NOT: arith.extf
// CHECK-NOT: arith.truncf
// CHECK: arith.bitcast %{{.*}} : vector<4xi16> to vector<4xf16>
// MACHINE-LABEL: func.func @there_and_back(
// MACHINE: arith.extf
// MACHINE: arith.truncf
func.func @there_and_back(%x: vector<4xf16>) -> vector<4xf16> {
  %wide = arith.extf %x : vector<4xf16> to vector<4xf32>
  %sum = arith.addf %wide, %wide : vector<4xf32>
  %half = arith.truncf %sum : vector<4xf32> to vector<4xf16>
  return %half : vector<4xf16>
}

// CHECK-LABEL: func.func @brain(
// CHECK-NOT: arith.truncf
// CHECK: return
// MACHINE-LABEL: func.func @brain(
// MACHINE: arith.truncf
func.func @brain(%x: f32) -> bf16 {
  %half = arith.truncf %x : f32 to bf16
  return %half : bf16
}
