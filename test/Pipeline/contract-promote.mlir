// RUN: jit-opt %s --jit-verify-stage=stage=promote --split-input-file --verify-diagnostics

jit.slot @count : i64 = 0 : i64 {jit.mutable}
func.func @reads() -> i64 {
  // expected-error @below {{expected no module state to change, and only frozen slots to be read, after Promote}}
  %0 = jit.slot_get @count : i64
  return %0 : i64
}
