// RUN: jit-translate --to=fuse --args="f32[4]" %s | FileCheck %s --check-prefix=TEXT
// RUN: jit-translate --to=fuse --args="f32[4]" --emit=svg %s | FileCheck %s --check-prefix=DRAWN
// RUN: not jit-translate --to=fusion %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not jit-translate --import %s %s 2>&1 | FileCheck %s --check-prefix=TWICE

// Stages run before a program is printed or drawn, so that its groups are there.
//    TEXT: jit.group
//   DRAWN: >group 1: tanh, exp</text>
// UNKNOWN: error: expected one of the stages normalize, {{.*}}fuse, lower, got 'fusion'
//   TWICE: expected one file to import
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %0 = aten.tanh %x : (!jit.tensor) -> !jit.tensor
  %1 = aten.exp %0 : (!jit.tensor) -> !jit.tensor
  return %1 : !jit.tensor
}
