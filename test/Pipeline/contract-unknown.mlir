// RUN: jit-opt %s --jit-verify-stage=stage=nonesuch --verify-diagnostics

// expected-error @below {{expected the name of a stage, got 'nonesuch'}}
module {}
