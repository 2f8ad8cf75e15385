//===- CommandLine.h - what jit-run is told ---------------------*- C++ -*-===//
#ifndef JIT_TOOLS_JIT_RUN_COMMANDLINE_H
#define JIT_TOOLS_JIT_RUN_COMMANDLINE_H

#include "jit/Session/Session.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace jit {

/// Where a compilation that fails by a fault of ours is written, if nobody says.
inline constexpr llvm::StringLiteral defaultBundle = "jit-failure.mlir";

struct CommandLine {
  std::string words; ///< the command line itself
  std::string file, method, repeatOver, output, drawing;
  std::vector<std::string> inputs;
  std::string tuned; ///< the table that --tune writes; empty: none
  SessionOptions session;
  unsigned timedRuns = 0;
  uint64_t seed = 0;
  bool listMethods = false;
  bool graphFor = false;
  bool gradients = false;
  unsigned trainingSteps = 0;
};

/// Parses the arguments; --help, --version and mistakes end the process, as LLVM's tools do.
CommandLine parseCommandLine(int argc, char **argv);

} // namespace jit

#endif // JIT_TOOLS_JIT_RUN_COMMANDLINE_H
