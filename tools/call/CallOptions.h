//===- CallOptions.h - the options that say which call is meant --*- C++ -*-===//
#ifndef JIT_TOOLS_CALL_CALLOPTIONS_H
#define JIT_TOOLS_CALL_CALLOPTIONS_H

#include "jit/Session/CallProgram.h"
#include "llvm/Support/CommandLine.h"

namespace jit {

/// One call of a program, as a command line says it.
struct NamedCall {
  std::string file, method;
  std::vector<std::string> inputs, operators;
  uint64_t seed = 0; ///< of random inputs
  bool gradients = false;

  /// The program of it. Errors are those of makeInputs and CallProgram::of.
  Result<CallProgram> program(Session &session) const;
};

/// Registers the options that tools which take one call apart have in common, and takes those of
/// LLVM's libraries away. Made where a tool begins: options that always are would be those of all
/// tools in libjit.
class CallOptions {
public:
  explicit CallOptions(llvm::cl::OptionCategory &category);

  /// After the command line has been parsed.
  NamedCall call() const;

private:
  struct Reset {
    Reset() { llvm::cl::ResetCommandLineParser(); }
  } reset;
  llvm::cl::opt<std::string> file, method;
  llvm::cl::list<std::string> inputs, operators;
  llvm::cl::opt<uint64_t> seed;
  llvm::cl::opt<bool> gradients;
};

} // namespace jit

#endif // JIT_TOOLS_CALL_CALLOPTIONS_H
