// RUN: jit-opt %s --jit-carry-in-place | FileCheck %s

// What a loop inside makes of the buffer that others read before only lies in its place: no copy.
// CHECK-LABEL: func.func @read_before(
// CHECK: scf.for {{.*}} iter_args([[A:%[a-z0-9]+]] =
// CHECK: tensor.extract [[A]]
// CHECK: [[IN:%[a-z0-9]+]] = scf.for {{.*}} iter_args(%{{.*}} = [[A]])
// CHECK: scf.yield
// CHECK-NOT: linalg.copy
// CHECK: scf.yield [[IN]]
func.func @read_before(%t: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %t) -> tensor<4xf32> {
    %e = tensor.extract %a[%zero] : tensor<4xf32>
    %in = scf.for %j = %zero to %n step %one iter_args(%b = %a) -> tensor<4xf32> {
      %w = tensor.insert %e into %b[%j] : tensor<4xf32>
      scf.yield %w : tensor<4xf32>
    }
    scf.yield %in : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// What others read afterwards must not be written: the loop inside gets a buffer of its own.
// CHECK-LABEL: func.func @read_after(
// CHECK: scf.for {{.*}} iter_args([[A:%[a-z0-9]+]] =
// CHECK: [[IN:%[a-z0-9]+]] = scf.for
// CHECK: tensor.extract [[A]]
// CHECK: [[COPY:%[a-z0-9]+]] = linalg.copy ins([[IN]]
// CHECK: bufferization.materialize_in_destination [[COPY]] in [[A]]
func.func @read_after(%t: tensor<4xf32>, %n: index) -> (tensor<4xf32>, f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %f = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %t, %s = %f) -> (tensor<4xf32>, f32) {
    %in = scf.for %j = %zero to %n step %one iter_args(%b = %a) -> tensor<4xf32> {
      %w = tensor.insert %s into %b[%j] : tensor<4xf32>
      scf.yield %w : tensor<4xf32>
    }
    %e = tensor.extract %a[%zero] : tensor<4xf32>
    scf.yield %in, %e : tensor<4xf32>, f32
  }
  return %r#0, %r#1 : tensor<4xf32>, f32
}

// The loop goes on with what a branch gave, which may be the buffer or what another loop made of it: it gets a
// buffer of its own.
// CHECK-LABEL: func.func @after_branch(
// CHECK: scf.for {{.*}} iter_args([[A:%[a-z0-9]+]] =
// CHECK: [[GIVEN:%[a-z0-9]+]] = scf.if
// CHECK: [[IN:%[a-z0-9]+]] = scf.for {{.*}} iter_args(%{{.*}} = [[GIVEN]])
// CHECK: [[COPY:%[a-z0-9]+]] = linalg.copy ins([[IN]]
// CHECK: bufferization.materialize_in_destination [[COPY]] in [[A]]
func.func @after_branch(%t: tensor<4xf32>, %n: index, %asked: i1) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %f = arith.constant 0.0 : f32
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %t) -> tensor<4xf32> {
    %given = scf.if %asked -> tensor<4xf32> {
      scf.yield %a : tensor<4xf32>
    } else {
      %made = scf.for %j = %zero to %n step %one iter_args(%b = %a) -> tensor<4xf32> {
        %w = tensor.insert %f into %b[%j] : tensor<4xf32>
        scf.yield %w : tensor<4xf32>
      }
      scf.yield %made : tensor<4xf32>
    }
    %in = scf.for %j = %zero to %n step %one iter_args(%b = %given) -> tensor<4xf32> {
      %w = tensor.insert %f into %b[%j] : tensor<4xf32>
      scf.yield %w : tensor<4xf32>
    }
    scf.yield %in : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// A branch that gives what a loop inside made of the buffer or, in its other way, a tensor that others see: that one is copied, or both were one buffer.
// CHECK-LABEL: func.func @made_inside_or_seen(
// CHECK-SAME:      %[[T:[a-z0-9]+]]: tensor<4xf32>
// CHECK: scf.for {{.*}} iter_args(%[[A:[a-z0-9]+]] =
// CHECK:   scf.if
// CHECK:     scf.for {{.*}} iter_args(%{{.*}} = %[[A]])
// CHECK:   } else {
// CHECK:     %[[COPY:[a-z0-9]+]] = linalg.copy ins(%[[T]]
// CHECK:     scf.yield %[[COPY]]
func.func @made_inside_or_seen(%t: tensor<4xf32>, %n: index, %c: i1) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %t) -> tensor<4xf32> {
    %made = scf.if %c -> tensor<4xf32> {
      %in = scf.for %j = %zero to %n step %one iter_args(%b = %a) -> tensor<4xf32> {
        %e = tensor.extract %a[%j] : tensor<4xf32>
        %w = tensor.insert %e into %b[%j] : tensor<4xf32>
        scf.yield %w : tensor<4xf32>
      }
      scf.yield %in : tensor<4xf32>
    } else {
      scf.yield %t : tensor<4xf32>
    }
    scf.yield %made : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
