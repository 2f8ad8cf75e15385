// RUN: jit-opt %s --split-input-file --verify-diagnostics

func.func @height(%x: tensor<1x30x30x8xf32>, %w: tensor<1x36x8x16xf32>, %y: tensor<1x30x28x16xf32>) {
  // expected-error @+1 {{expected a height of 28, got 30}}
  %r = winograd.conv tile 4 taps 3 ins(%x, %w : tensor<1x30x30x8xf32>, tensor<1x36x8x16xf32>)
                                   outs(%y : tensor<1x30x28x16xf32>) -> tensor<1x30x28x16xf32>
  return
}

// -----

func.func @points(%x: tensor<1x30x30x8xf32>, %w: tensor<1x16x8x16xf32>, %y: tensor<1x28x28x16xf32>) {
  // expected-error @+1 {{expected weights at points 36, got 16}}
  %r = winograd.conv tile 4 taps 3 ins(%x, %w : tensor<1x30x30x8xf32>, tensor<1x16x8x16xf32>)
                                   outs(%y : tensor<1x28x28x16xf32>) -> tensor<1x28x28x16xf32>
  return
}

// -----

func.func @features(%x: tensor<1x30x30x8xf32>, %w: tensor<2x36x8x16xf32>, %y: tensor<1x28x28x16xf32>) {
  // expected-error @+1 {{expected weights of 16 features in whole blocks}}
  %r = winograd.conv tile 4 taps 3 ins(%x, %w : tensor<1x30x30x8xf32>, tensor<2x36x8x16xf32>)
                                   outs(%y : tensor<1x28x28x16xf32>) -> tensor<1x28x28x16xf32>
  return
}

// -----

func.func @tile(%x: tensor<1x30x30x8xf32>, %w: tensor<1x64x8x16xf32>, %y: tensor<1x28x28x16xf32>) {
  // expected-error @+1 {{expected tiles of 2 or 4 and 3 taps, got 6 and 3}}
  %r = winograd.conv tile 6 taps 3 ins(%x, %w : tensor<1x30x30x8xf32>, tensor<1x64x8x16xf32>)
                                   outs(%y : tensor<1x28x28x16xf32>) -> tensor<1x28x28x16xf32>
  return
}

// -----

func.func @open(%x: tensor<?x30x30x8xf32>, %w: tensor<1x36x8x16xf32>, %y: tensor<?x28x28x16xf32>) {
  // expected-error @+1 {{expected known sizes}}
  %r = winograd.conv tile 4 taps 3 ins(%x, %w : tensor<?x30x30x8xf32>, tensor<1x36x8x16xf32>)
                                   outs(%y : tensor<?x28x28x16xf32>) -> tensor<?x28x28x16xf32>
  return
}
