// RUN: jit-opt %s --jit-verify-stage=stage=normalize --split-input-file --verify-diagnostics

func.func private @other()
func.func @calls() {
  // expected-error @below {{expected no calls, objects, exceptions or modes after Normalize}}
  func.call @other() : () -> ()
  return
}

// -----

// expected-error @below {{expected no calls, objects, exceptions or modes after Normalize}}
func.func @takes_an_object(%self: !jit.object<"__torch__.M">) {
  return
}
