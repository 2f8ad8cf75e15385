// RUN: jit-opt %s --jit-lower-opaque --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @results
// CHECK-NEXT: %[[M:.*]] = jit.missing "not known" : !jit.str
// CHECK-NEXT: return %[[M]]
func.func @results(%x: !jit.tensor) -> !jit.str {
  %0:2 = jit.opaque "mine::a"(%x) because "not known" {types = ["int", "str"]} : (!jit.tensor) -> (i64, !jit.str) {
    jit.opaque "mine::inner"() because "not known" {types = []} : () -> ()
    jit.opaque_yield
  }
  return %0#1 : !jit.str
}

// CHECK-LABEL: func.func @effect
// CHECK-NEXT: jit.missing "not known" : !jit.tensor
// CHECK-NEXT: return
func.func @effect(%x: !jit.tensor) {
  jit.opaque "mine::a"(%x) because "not known" {types = []} : (!jit.tensor) -> ()
  return
}

// -----

func.func @module(%self: !jit.object<"__torch__.M"> {jit.self}) {
  // expected-error @below {{a call of 'forward'}}
  jit.opaque "prim::CallMethod"["name=\"forward\""](%self) because "a call of 'forward'" {types = []} : (!jit.object<"__torch__.M">) -> ()
  return
}
