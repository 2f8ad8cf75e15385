// RUN: jit-opt %s --jit-gpu-persistent-loops | FileCheck %s

// A loop of launches and copies is one kernel; what was a launch is a phase that walks its grid. Blocks meet where a phase may
// depend on what was done since, in the trip before as well: between the two launches, and before the first, which reads what the
// copy writes. The copy of another buffer than the second launch's needs no meeting.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<256xf32>, %[[W:[a-z0-9]+]]: memref<256xf32>, %[[Y:[a-z0-9]+]]: memref<8x256xf32>, %[[N:[a-z0-9]+]]: i64
// CHECK:         %[[T:.*]] = memref.alloc() : memref<256xf32>
// CHECK:         %[[COME:.*]] = memref.alloc() : memref<i32>
// CHECK:         gpu.launch
// CHECK:           memref.store %{{.*}}, %[[COME]][] : memref<i32>
// CHECK:         {jit.kernel = "scalar"}
// CHECK:         gpu.launch blocks(%[[B:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %c4{{.*}}, %{{.*}}) threads(%[[I:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %c128{{.*}},
// CHECK:           %[[BLOCKS:.*]] = gpu.grid_dim x
// CHECK:           scf.for %[[K:.*]] = %c0_i64 to %[[N]] step %c1_i64 iter_args(%[[BEFORE:.*]] = %c0_i32
// CHECK:             %[[MORE:.*]] = arith.index_cast %[[BLOCKS]] : index to i32
// CHECK:             %[[EXPECTED:.*]] = arith.addi %[[BEFORE]], %[[MORE]] : i32
// CHECK:             gpu.barrier
// CHECK:             %[[FIRST:.*]] = arith.cmpi eq, %[[I]], %c0
// CHECK:             scf.if %[[FIRST]] {
// CHECK:               llvm.fence syncscope("device") acq_rel
// CHECK:               memref.atomic_rmw addi %c1_i32{{.*}}, %[[COME]][]
// CHECK:               scf.while
// CHECK:                 %[[SEEN:.*]] = memref.atomic_rmw addi %c0_i32{{.*}}, %[[COME]][]
// CHECK:                 %[[AHEAD:.*]] = arith.subi %[[SEEN]], %[[EXPECTED]] : i32
// CHECK:                 arith.cmpi slt, %[[AHEAD]], %c0
// CHECK:               llvm.fence syncscope("device") acq_rel
// CHECK:             gpu.barrier
// A smaller block leaves threads out; what the loop writes is not read through the read-only cache.
// CHECK:             scf.for %[[P:.*]] = %[[B]] to %c4{{.*}} step %[[BLOCKS]] {
// CHECK:               %[[IN:.*]] = arith.cmpi ult, %[[I]], %c64
// CHECK:               scf.if %[[IN]] {
// CHECK:                 memref.load %[[X]][%{{.*}}] : memref<256xf32>
// CHECK:                 memref.load %[[W]][%{{.*}}] {jit.nc} : memref<256xf32>
// CHECK:                 memref.store %{{.*}}, %[[T]]
// CHECK:             gpu.barrier
// CHECK:             memref.atomic_rmw
// CHECK:             scf.while
// CHECK:             gpu.barrier
// CHECK:             scf.for %{{.*}} = %[[B]] to %c2{{.*}} step %[[BLOCKS]] {
// CHECK-NOT:           scf.if
// CHECK:               memref.store %{{.*}}, %[[Y]][
// CHECK-NOT:         gpu.barrier
// CHECK:             scf.for %{{.*}} = %[[B]] to %c2{{.*}} step %[[BLOCKS]] {
// CHECK:               memref.load %[[T]]
// CHECK:               memref.store %{{.*}}, %[[X]]
// CHECK:             scf.yield %{{.*}} : i32
// CHECK:         {jit.cooperative, jit.kernel = "loop"}
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @forward(%x: memref<256xf32>, %w: memref<256xf32>, %y: memref<8x256xf32>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %four = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  scf.for %k = %c0 to %n step %c1 : i64 {
    %at = arith.index_cast %k : i64 to index
    %t = memref.alloc() : memref<256xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %four, %gy = %one, %gz = %one)
        threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %one, %sz = %one) {
      %first = arith.muli %bx, %c64 : index
      %i = arith.addi %first, %tx : index
      %a = memref.load %x[%i] {jit.nc} : memref<256xf32>
      %b = memref.load %w[%i] {jit.nc} : memref<256xf32>
      %s = arith.addf %a, %b : f32
      memref.store %s, %t[%i] : memref<256xf32>
      gpu.terminator
    }
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %two, %gy = %one, %gz = %one)
        threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %one, %sz = %one) {
      %first = arith.muli %bx, %c128 : index
      %i = arith.addi %first, %tx : index
      %a = memref.load %t[%i] : memref<256xf32>
      memref.store %a, %y[%at, %i] : memref<8x256xf32>
      gpu.terminator
    }
    memref.copy %t, %x : memref<256xf32> to memref<256xf32>
  }
  return
}

// Threads of a block that share memory wait before the next block writes it.
// CHECK-LABEL: func.func @shared(
// CHECK:         gpu.launch {{.*}} workgroup(%[[S:.*]] : memref<32xf32, #gpu.address_space<workgroup>>)
// CHECK:           gpu.grid_dim x
// CHECK:             scf.while
// CHECK:             scf.for
// CHECK:               gpu.barrier
// CHECK:               memref.store %{{.*}}, %[[S]]
func.func @shared(%x: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  scf.for %k = %c0 to %c8 step %c1 {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1)
        workgroup(%s : memref<32xf32, #gpu.address_space<workgroup>>) {
      %a = memref.load %x[%tx] : memref<32xf32>
      memref.store %a, %s[%tx] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %j = arith.subi %c31, %tx : index
      %b = memref.load %s[%j] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %b, %x[%tx] : memref<32xf32>
      gpu.terminator
    }
  }
  return
}

// Phases have memory of one type one after the other: two pieces of it, which is what one of them has.
// CHECK-LABEL: func.func @in_turns(
// CHECK:         gpu.launch {{.*}} workgroup(%[[S:[^,]*]] : memref<32xf32, #gpu.address_space<workgroup>>, %[[T:[^,]*]] : memref<32xf32, #gpu.address_space<workgroup>>)
// CHECK:             gpu.barrier
// CHECK:             memref.store %{{.*}}, %[[S]]
// CHECK:             gpu.barrier
// CHECK:             memref.store %{{.*}}, %[[S]]
// CHECK:             memref.store %{{.*}}, %[[T]]
func.func @in_turns(%x: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  scf.for %k = %c0 to %c8 step %c1 {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1)
        workgroup(%s : memref<32xf32, #gpu.address_space<workgroup>>) {
      %a = memref.load %x[%tx] : memref<32xf32>
      memref.store %a, %s[%tx] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.terminator
    }
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1)
        workgroup(%s : memref<32xf32, #gpu.address_space<workgroup>>, %t : memref<32xf32, #gpu.address_space<workgroup>>) {
      %a = memref.load %x[%tx] : memref<32xf32>
      memref.store %a, %s[%tx] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %a, %t[%tx] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.terminator
    }
  }
  return
}

// To round to tf32 is a thread's own affair.
// CHECK-LABEL: func.func @rounded(
// CHECK:         nvvm.convert.float.to.tf32
// CHECK:         {jit.cooperative, jit.kernel = "loop"}
func.func @rounded(%x: memref<32xi32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  scf.for %k = %c0 to %c8 step %c1 {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
      %r = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rna>}
      memref.store %r, %x[%tx] : memref<32xi32>
      gpu.terminator
    }
  }
  return
}
