// RUN: not jit-translate --emit=svg %s 2>&1 | FileCheck %s
// RUN: echo 'module {}' > %t.mlir && not jit-translate --emit=svg %t.mlir 2>&1 | FileCheck %s --check-prefix=EMPTY

// CHECK: error: expected structured control flow to draw, got branches between blocks
func.func @blocks(%p: i1) {
  cf.cond_br %p, ^bb1, ^bb2
^bb1:
  cf.br ^bb2
^bb2:
  return
}

// EMPTY: error: expected a function to draw, got none
