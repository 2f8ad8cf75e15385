// RUN: jit-opt %s --jit-convert-to-llvm | FileCheck %s

// Alias scopes survive; math that LLVM has becomes an intrinsic, other math a call.
#d = #llvm.alias_scope_domain<id = distinct[0]<>>
#s = #llvm.alias_scope<id = distinct[1]<>, domain = #d>
// CHECK-LABEL: llvm.func @scopes(
// CHECK:         llvm.load {{.*}} {alias_scopes = [#{{.*}}]}
// CHECK:         llvm.intr.fabs
// CHECK:         llvm.call @cbrtf
func.func @scopes(%x: memref<4xf32>, %i: index) -> f32 {
  %v = memref.load %x[%i] {jit.scope = [#s]} : memref<4xf32>
  %a = math.absf %v : f32
  %b = math.cbrt %a : f32
  return %b : f32
}

// Copies of bf16 are copies of bits.
// CHECK-LABEL: llvm.func @brain(
// CHECK: llvm.load {{.*}} -> i16
// CHECK: llvm.store {{.*}} : i16
func.func @brain(%from: memref<4xbf16>, %to: memref<4xbf16>, %i: index) {
  %x = memref.load %from[%i] : memref<4xbf16>
  memref.store %x, %to[%i] : memref<4xbf16>
  return
}

// Only here do base pointers become descriptors.
// CHECK-LABEL: llvm.func @root(
// CHECK-SAME:    %[[POINTER:.*]]: !llvm.ptr
// CHECK:         llvm.insertvalue %[[POINTER]], %{{.*}}[1]
// CHECK-NOT:     unrealized_conversion_cast
func.func @root(%pointer: !llvm.ptr, %i: index) -> f32 {
  %x = builtin.unrealized_conversion_cast %pointer : !llvm.ptr to memref<4xf32> {jit.root}
  %v = memref.load %x[%i] : memref<4xf32>
  return %v : f32
}
