// LLVM's work is a pass, so that a bundle of a failure has it.
// RUN: jit-opt %s --jit-emit-machine-code | FileCheck %s

// CHECK-LABEL: llvm.func @addOne(
llvm.func @addOne(%x: !llvm.ptr) {
  %one = llvm.mlir.constant(1.0 : f32) : f32
  %a = llvm.load %x : !llvm.ptr -> f32
  %b = llvm.fadd %a, %one : f32
  llvm.store %b, %x : f32, !llvm.ptr
  llvm.return
}
