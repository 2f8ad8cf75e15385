// RUN: jit-opt %s --split-input-file --jit-infer-types --verify-diagnostics

func.func @threeColumns(%x: !jit.tensor<[3,3],f32>, %s: !jit.tensor<[3],f32>) {
  %t = arith.constant 5.0e-01 : f64
  // expected-error @below {{expected boxes of sizes [boxes, 4] and scores of sizes [boxes], both of f32 or both of f64}}
  // expected-error @below {{failed to infer returned types}}
  %a = aten.nms %x, %s, %t : (!jit.tensor<[3,3],f32>, !jit.tensor<[3],f32>, f64) -> !jit.tensor
  return
}

// -----

func.func @otherScores(%x: !jit.tensor<[3,4],f32>, %s: !jit.tensor<[3],f64>) {
  %t = arith.constant 5.0e-01 : f64
  // expected-error @below {{expected boxes of sizes [boxes, 4] and scores of sizes [boxes], both of f32 or both of f64}}
  // expected-error @below {{failed to infer returned types}}
  %a = aten.nms %x, %s, %t : (!jit.tensor<[3,4],f32>, !jit.tensor<[3],f64>, f64) -> !jit.tensor
  return
}

// -----

func.func @fourColumns(%x: !jit.tensor<[2,12,9,11],f32>, %r: !jit.tensor<[3,4],f32>) {
  %scale = arith.constant 1.0 : f64
  %2 = arith.constant 2 : i64
  // expected-error @below {{expected rois of sizes [boxes, 5]}}
  // expected-error @below {{failed to infer returned types}}
  %a:2 = aten.roi_pool %x, %r, %scale, %2, %2 : (!jit.tensor<[2,12,9,11],f32>, !jit.tensor<[3,4],f32>, f64, i64, i64) -> (!jit.tensor, !jit.tensor)
  return
}

// -----

func.func @halves(%x: !jit.tensor<[2,12,9,11],f16>, %r: !jit.tensor<[3,5],f16>) {
  %scale = arith.constant 1.0 : f64
  %2 = arith.constant 2 : i64
  // expected-error @below {{expected elements of f32 or f64}}
  // expected-error @below {{failed to infer returned types}}
  %a:2 = aten.roi_pool %x, %r, %scale, %2, %2 : (!jit.tensor<[2,12,9,11],f16>, !jit.tensor<[3,5],f16>, f64, i64, i64) -> (!jit.tensor, !jit.tensor)
  return
}

// -----

func.func @noBins(%x: !jit.tensor<[2,12,9,11],f32>, %r: !jit.tensor<[3,5],f32>) {
  %scale = arith.constant 1.0 : f64
  %2 = arith.constant 2 : i64
  %0 = arith.constant 0 : i64
  // expected-error @below {{expected a pooled_height and a pooled_width of 1 or more, got 0 and 2}}
  // expected-error @below {{failed to infer returned types}}
  %a:2 = aten.roi_pool %x, %r, %scale, %0, %2 : (!jit.tensor<[2,12,9,11],f32>, !jit.tensor<[3,5],f32>, f64, i64, i64) -> (!jit.tensor, !jit.tensor)
  return
}

// -----

func.func @channelsLeftOver(%x: !jit.tensor<[2,12,9,11],f32>, %r: !jit.tensor<[3,5],f32>) {
  %scale = arith.constant 1.0 : f64
  %2 = arith.constant 2 : i64
  %5 = arith.constant 5 : i64
  // expected-error @below {{expected channels for each of the 5 by 2 bins, got 12}}
  // expected-error @below {{failed to infer returned types}}
  %a:2 = aten.ps_roi_pool %x, %r, %scale, %5, %2 : (!jit.tensor<[2,12,9,11],f32>, !jit.tensor<[3,5],f32>, f64, i64, i64) -> (!jit.tensor, !jit.tensor)
  return
}

// -----

func.func @gradientOfOtherBins(%g: !jit.tensor<[3,12,2,2],f32>, %r: !jit.tensor<[3,5],f32>) {
  %scale = arith.constant 1.0 : f64
  %2 = arith.constant 2 : i64
  %3 = arith.constant 3 : i64
  %no = arith.constant false
  // expected-error @below {{expected a gradient of pooled_height by pooled_width, got 2 by 2}}
  // expected-error @below {{failed to infer returned types}}
  %a = aten._roi_align_backward %g, %r, %scale, %2, %3, %2, %3, %3, %3, %2, %no : (!jit.tensor<[3,12,2,2],f32>, !jit.tensor<[3,5],f32>, f64, i64, i64, i64, i64, i64, i64, i64, i1) -> !jit.tensor
  return
}

// -----

func.func @negativeSize(%g: !jit.tensor<[3,12,2,2],f32>, %r: !jit.tensor<[3,5],f32>) {
  %scale = arith.constant 1.0 : f64
  %2 = arith.constant 2 : i64
  %m1 = arith.constant -1 : i64
  %no = arith.constant false
  // expected-error @below {{expected sizes of 0 or more, got -1}}
  // expected-error @below {{failed to infer returned types}}
  %a = aten._roi_align_backward %g, %r, %scale, %2, %2, %2, %m1, %2, %2, %2, %no : (!jit.tensor<[3,12,2,2],f32>, !jit.tensor<[3,5],f32>, f64, i64, i64, i64, i64, i64, i64, i64, i1) -> !jit.tensor
  return
}

// -----

func.func @offsetsOfOtherSizes(%x: !jit.tensor<[1,4,5,5],f32>, %w: !jit.tensor<[2,4,3,3],f32>, %o: !jit.tensor<[1,9,3,3],f32>,
                               %m: !jit.tensor<[1,9,3,3],f32>, %b: !jit.tensor<[2],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %yes = arith.constant true
  // expected-error @below {{expected sizes, steps and groups of a convolution, with an offset for each tap in two directions, and elements of f32 or f64 in all tensors}}
  // expected-error @below {{failed to infer returned types}}
  %r = aten.deform_conv2d %x, %w, %o, %m, %b, %1, %1, %0, %0, %1, %1, %1, %1, %yes : (!jit.tensor<[1,4,5,5],f32>, !jit.tensor<[2,4,3,3],f32>, !jit.tensor<[1,9,3,3],f32>, !jit.tensor<[1,9,3,3],f32>, !jit.tensor<[2],f32>, i64, i64, i64, i64, i64, i64, i64, i64, i1) -> !jit.tensor
  return
}
