// A crash within LLVM is an error where a bundle is asked for, and seen again by it.
// RUN: not jit-opt %s --jit-emit-machine-code --mlir-pass-pipeline-crash-reproducer=%t 2>&1 | FileCheck %s
// RUN: not --crash jit-opt --run-reproducer %t 2>&1 | FileCheck %s --check-prefix=AGAIN

// CHECK: reproducer generated at
// AGAIN: unsupported GC: no-such
llvm.func @f() attributes {garbageCollector = "no-such"} {
  llvm.return
}
