// RUN: jit-opt %s --jit-specialize="args=c128[],1.5,2,?float" | FileCheck %s
// RUN: not jit-opt %s --jit-specialize="args=c64[],1.5,2,?float" 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: not jit-opt %s --jit-specialize="args=c128[1],1.5,2,?float" 2>&1 | FileCheck %s --check-prefix=SIZED
// RUN: not jit-opt %s --jit-specialize="args=f64[],1.5,2,?float" 2>&1 | FileCheck %s --check-prefix=REAL
// RUN: not jit-opt %s --jit-specialize="args=c128[],?int,2,?float" 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not jit-opt %s --jit-specialize="args=c128[],true,2,?float" 2>&1 | FileCheck %s --check-prefix=BOOL

// A complex number comes as a tensor of rank 0 and of the widest type. Floats and ints go where one is asked for, with an imaginary part of 0; bools and open ints do not.

// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[A:[a-z0-9]+]]: !jit.tensor<[],complex<f64>> {jit.arg = array<i64: 0>}, %[[D:[a-z0-9]+]]: f64 {jit.arg = array<i64: 3>})
// CHECK-SAME: jit.outputs = [{value = ["complex", 0]}, {value = ["complex", 1]}, {value = ["complex", 2]}, {value = ["complex", 3]}]
// CHECK: aten.real %[[A]]
// CHECK: aten.imag %[[A]]
// CHECK: %[[B:.*]] = arith.constant 1.5{{.*}} : f64
// CHECK: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f64
// CHECK: jit.complex %[[B]], %[[ZERO]]
// CHECK: %[[C:.*]] = arith.constant 2.0{{.*}} : f64
// CHECK: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f64
// CHECK: jit.complex %[[C]], %[[ZERO]]
// CHECK: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f64
// CHECK: jit.complex %[[D]], %[[ZERO]]

// NARROW: expected argument 0 of type complex, got a tensor
// SIZED: expected argument 0 of type complex, got a tensor
// REAL: expected argument 0 of type complex, got a tensor
// OPEN: expected argument 1 of type complex, got a number of another kind
// BOOL: expected argument 1 of type complex, got a bool
func.func @forward(%a: complex<f64>, %b: complex<f64>, %c: complex<f64>, %d: complex<f64>) -> (complex<f64>, complex<f64>, complex<f64>, complex<f64>) {
  return %a, %b, %c, %d : complex<f64>, complex<f64>, complex<f64>, complex<f64>
}
