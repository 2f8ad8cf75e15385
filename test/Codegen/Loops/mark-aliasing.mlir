// RUN: jit-opt %s --jit-emit-entry --jit-mark-aliasing | FileCheck %s

// Two arguments never overlap; neither do disjoint ranges of the arena. Ranges that share bytes are not
// called distinct.
// CHECK-LABEL: func.func @forward(
// CHECK:         memref.load {{.*}} {jit.noalias = [#[[B:.*]], #[[C:.*]]], jit.scope = [#[[A:.*]]]}
// CHECK:         memref.store {{.*}} {jit.noalias = [#[[A]]], jit.scope = [#[[B]]]}
// CHECK:         memref.store {{.*}} {jit.noalias = [#[[A]]], jit.scope = [#[[C]]]}
func.func @forward(%x: memref<16xf32>, %arena: memref<128xi8> {jit.arena}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.view %arena[%c0][] : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c16][] : memref<128xi8> to memref<16xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    %v = memref.load %x[%i] : memref<16xf32>
    memref.store %v, %a[%i] : memref<16xf32>
    memref.store %v, %b[%i] : memref<16xf32>
  }
  return
}
