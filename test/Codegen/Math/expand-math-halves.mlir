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

// Doubles become halves in two steps, as in PyTorch, whatever the machine has.
// CHECK-LABEL: func.func @doubles(
// CHECK:         arith.truncf %{{.*}} : f64 to f32
// MACHINE-LABEL: func.func @doubles(
// MACHINE:         %[[S:.*]] = arith.truncf %{{.*}} : f64 to f32
// MACHINE:         arith.truncf %[[S]] : f32 to bf16
// MACHINE:         arith.extf %{{.*}} : bf16 to f32
// MACHINE:         arith.extf %{{.*}} : f32 to f64
func.func @doubles(%x: f64, %h: bf16) -> (bf16, f64) {
  %a = arith.truncf %x : f64 to bf16
  %b = arith.extf %h : bf16 to f64
  return %a, %b : bf16, f64
}

// Of a `copysign` that is rounded LLVM would make a rounded sign: it is taken by its bits.
// MACHINE-LABEL: func.func @signs(
// MACHINE:         arith.truncf %{{.*}} : f64 to f32
// MACHINE-NOT:     math.copysign
// MACHINE:         arith.extui %{{.*}} : i16 to i32
// MACHINE:         arith.ori
// MACHINE:         %[[R:.*]] = arith.bitcast %{{.*}} : i16 to f16
// MACHINE:         return %[[R]]
func.func @signs(%x: f64, %y: f64) -> f16 {
  %a = math.copysign %x, %y : f64
  %b = arith.truncf %a : f64 to f16
  return %b : f16
}

// Of two roundings LLVM would make one, which no machine has: the second is by its bits.
// MACHINE-LABEL: func.func @rounded(
// MACHINE:         arith.truncf %{{.*}} : f64 to f32
// MACHINE-NOT:     arith.truncf %{{.*}} : f32 to f16
// MACHINE:         %[[R:.*]] = arith.bitcast %{{.*}} : i16 to f16
// MACHINE:         return %[[R]]
func.func @rounded(%x: f64) -> f16 {
  %a = arith.truncf %x : f64 to f32
  %b = arith.truncf %a : f32 to f16
  return %b : f16
}
