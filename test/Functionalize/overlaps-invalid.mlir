// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file --verify-diagnostics

// Strides of 3 and 2 over two and two elements name four places, by each of them; of 2 and 1 over two and three some twice.

func.func @apart(%x: !jit.tensor<[8],f32>, %v: !jit.tensor<[2,2],f32>) -> !jit.tensor<[8],f32> {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %y = aten.relu %x : (!jit.tensor<[8],f32>) -> !jit.tensor<[8],f32>
  %size = jit.list %two, %two : (i64, i64) -> !jit.list<i64>
  %steps = jit.list %three, %two : (i64, i64) -> !jit.list<i64>
  %a = aten.as_strided %y, %size, %steps, %zero : (!jit.tensor<[8],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[2,2],f32>
  %w = jit.overwrite %a, %v : (!jit.tensor<[2,2],f32>, !jit.tensor<[2,2],f32>) -> !jit.tensor<[2,2],f32>
  return %y : !jit.tensor<[8],f32>
}

// -----

func.func @twice(%x: !jit.tensor<[8],f32>, %v: !jit.tensor<[2,3],f32>) -> !jit.tensor<[8],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %y = aten.relu %x : (!jit.tensor<[8],f32>) -> !jit.tensor<[8],f32>
  %size = jit.list %two, %three : (i64, i64) -> !jit.list<i64>
  %steps = jit.list %two, %one : (i64, i64) -> !jit.list<i64>
  %a = aten.as_strided %y, %size, %steps, %zero : (!jit.tensor<[8],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[2,3],f32>
  // expected-error @below {{expected a write to elements each of which certainly has a place of its own, got windows or strides that may overlap}}
  %w = jit.overwrite %a, %v : (!jit.tensor<[2,3],f32>, !jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
  return %y : !jit.tensor<[8],f32>
}

// -----

// So many places are not compared.

func.func @many(%x: !jit.tensor<[300000],f32>, %v: !jit.tensor<[2,70000],f32>) -> !jit.tensor<[300000],f32> {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %n = arith.constant 70000 : i64
  %y = aten.relu %x : (!jit.tensor<[300000],f32>) -> !jit.tensor<[300000],f32>
  %size = jit.list %two, %n : (i64, i64) -> !jit.list<i64>
  %steps = jit.list %three, %two : (i64, i64) -> !jit.list<i64>
  %a = aten.as_strided %y, %size, %steps, %zero : (!jit.tensor<[300000],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[2,70000],f32>
  // expected-error @below {{expected a write to elements each of which certainly has a place of its own, got windows or strides that may overlap}}
  %w = jit.overwrite %a, %v : (!jit.tensor<[2,70000],f32>, !jit.tensor<[2,70000],f32>) -> !jit.tensor<[2,70000],f32>
  return %y : !jit.tensor<[300000],f32>
}

// -----

// One element has a place of its own, whatever its strides are.

func.func @single(%x: !jit.tensor<[8],f32>, %v: !jit.tensor<[1,1],f32>) -> !jit.tensor<[8],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!jit.tensor<[8],f32>) -> !jit.tensor<[8],f32>
  %size = jit.list %one, %one : (i64, i64) -> !jit.list<i64>
  %steps = jit.list %zero, %zero : (i64, i64) -> !jit.list<i64>
  %a = aten.as_strided %y, %size, %steps, %zero : (!jit.tensor<[8],f32>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[1,1],f32>
  %w = jit.overwrite %a, %v : (!jit.tensor<[1,1],f32>, !jit.tensor<[1,1],f32>) -> !jit.tensor<[1,1],f32>
  return %y : !jit.tensor<[8],f32>
}
