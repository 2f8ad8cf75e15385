// What LLVM's backend refuses is an error, and ends no process.
// RUN: jit-opt %s --split-input-file --verify-diagnostics --jit-emit-machine-code

// expected-error@below {{code generation failed: expected a module that translates to LLVM IR}}
module {
  // expected-error@below {{cannot be converted to LLVM IR}}
  func.func @isNoLLVM() {
    return
  }
}

// -----

// expected-error@below {{code generation failed: couldn't allocate input reg for constraint '{no-such}'}}
module {
  llvm.func @badConstraint(%x: i64) {
    llvm.inline_asm has_side_effects "nop", "{no-such}" %x : (i64) -> ()
    llvm.return
  }
}
