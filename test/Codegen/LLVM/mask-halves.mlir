// RUN: jit-opt %s --jit-mask-halves | FileCheck %s

// CHECK-LABEL: llvm.func @moved
//       CHECK:   %[[OLD:.*]] = llvm.bitcast %{{.*}} : vector<8xbf16> to vector<8xi16>
//       CHECK:   %[[BITS:.*]] = llvm.intr.masked.load %{{.*}}, %{{.*}}, %[[OLD]] {{.*}} -> vector<8xi16>
//       CHECK:   %[[V:.*]] = llvm.bitcast %[[BITS]] : vector<8xi16> to vector<8xbf16>
//       CHECK:   llvm.intr.masked.store %{{.*}} : vector<8xi16>, vector<8xi1> into !llvm.ptr
//       CHECK:   llvm.return %[[V]]
llvm.func @moved(%p: !llvm.ptr, %m: vector<8xi1>, %old: vector<8xbf16>) -> vector<8xbf16> {
  %v = llvm.intr.masked.load %p, %m, %old {alignment = 2 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xbf16>) -> vector<8xbf16>
  llvm.intr.masked.store %v, %p, %m {alignment = 2 : i32} : vector<8xbf16>, vector<8xi1> into !llvm.ptr
  llvm.return %v : vector<8xbf16>
}

// CHECK-LABEL: llvm.func @floats
//   CHECK-NOT:   bitcast
llvm.func @floats(%p: !llvm.ptr, %m: vector<8xi1>, %v: vector<8xf32>) {
  llvm.intr.masked.store %v, %p, %m {alignment = 4 : i32} : vector<8xf32>, vector<8xi1> into !llvm.ptr
  llvm.return
}
