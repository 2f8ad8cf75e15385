// RUN: jit-opt %s --jit-specialize="args=f32[2]" | FileCheck %s

// Defaults of numbers, of a complex one, of a device and a string, and of an Optional that is there.
// CHECK: jit.outputs = [{value = ["complex", 0]}, {value = ["device", "cpu"]}, {value = "text"}, {value = 1 : i64}, {value = 2 : i64}, {value = ["list", "a", "b"]}]
// CHECK-DAG: %[[RE:.*]] = arith.constant 1.0{{.*}} : f64
// CHECK-DAG: %[[IM:.*]] = arith.constant 2.0{{.*}} : f64
// CHECK-DAG: jit.complex %[[RE]], %[[IM]]
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i64
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK: return %{{.*}}, %[[THREE]], %[[TRUE]]
func.func @forward(
    %x: !jit.tensor, %c: complex<f64> {jit.default = [1.0, 2.0]}, %d: !jit.device {jit.default = "cpu"}, %s: !jit.str {jit.default = "text"},
    %n: !jit.optional<i64> {jit.default = 3 : i64}, %b: i1 {jit.default = true}, %l: !jit.list<!jit.str> {jit.default = ["a", "b"]})
    -> (complex<f64>, !jit.device, !jit.str, !jit.optional<i64>, i1, !jit.list<!jit.str>) {
  return %c, %d, %s, %n, %b, %l : complex<f64>, !jit.device, !jit.str, !jit.optional<i64>, i1, !jit.list<!jit.str>
}
