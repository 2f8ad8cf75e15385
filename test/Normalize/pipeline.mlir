// RUN: jit-opt %s --jit-normalize --verify-each | FileCheck %s

// A network in the making: a flag that is off keeps a counter from being state.
// CHECK: jit.slot @count : i64 = 0 : i64{{$}}
jit.slot @training : i1 = false
jit.slot @count : i64 = 0 : i64
jit.slot @"sub.weight" : !jit.tensor<[3],f32> = #jit.storage<"data/0", 0, [1]>

// CHECK-LABEL: func.func @forward
// CHECK-SAME: (%[[X:.*]]: !jit.tensor {jit.name = "x"}) -> !jit.tensor
func.func @forward(%self: !jit.object<"M"> {jit.self}, %x: !jit.tensor {jit.name = "x"}) -> !jit.tensor {
  // CHECK-NEXT: %[[W:.*]] = jit.slot_get @sub.weight : !jit.tensor<[3],f32>
  // CHECK-NEXT: %[[Y:.*]] = aten.mul.Tensor %[[X]], %[[W]]
  // CHECK-NEXT: return %[[Y]]
  %y = func.call @"M.run"(%self, %x) : (!jit.object<"M">, !jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
}

func.func private @"M.run"(%self: !jit.object<"M">, %x: !jit.tensor) -> !jit.tensor {
  %training = jit.get_attr %self["training"] : (!jit.object<"M">) -> i1
  scf.if %training {
    %n = jit.get_attr %self["count"] : (!jit.object<"M">) -> i64
    %one = arith.constant 1 : i64
    %m = aten.add.int %n, %one : (i64, i64) -> i64
    jit.set_attr %self["count"] = %m : !jit.object<"M">, i64
  }
  %sub = jit.get_attr %self["sub"] : (!jit.object<"M">) -> !jit.object<"S">
  %w = jit.get_attr %sub["weight"] : (!jit.object<"S">) -> !jit.tensor
  %y = aten.mul.Tensor %x, %w : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
}
