//===- KeptSignals.h - the handlers of the program that we are in -*- C++ -*-===//
#ifndef JIT_CODEGEN_PACKAGE_KEPTSIGNALS_H
#define JIT_CODEGEN_PACKAGE_KEPTSIGNALS_H

#include <array>
#include <csignal>

namespace jit::package {

/// LLVM catches every signal that ends a process before it writes a file by way of a temporary one,
/// and keeps them caught. The handlers are the host program's: at the end of this they are as they
/// were at its beginning.
class KeptSignals {
public:
  KeptSignals() {
    for (int number = 1; number < NSIG; ++number)
      isKnown[number] = sigaction(number, nullptr, &before[number]) == 0;
  }
  ~KeptSignals() {
    for (int number = 1; number < NSIG; ++number) {
      struct sigaction now;
      if (isKnown[number] && sigaction(number, nullptr, &now) == 0 &&
          now.sa_handler != before[number].sa_handler)
        sigaction(number, &before[number], nullptr);
    }
  }
  KeptSignals(const KeptSignals &) = delete;
  KeptSignals &operator=(const KeptSignals &) = delete;

private:
  std::array<struct sigaction, NSIG> before = {};
  std::array<bool, NSIG> isKnown = {};
};

} // namespace jit::package

#endif // JIT_CODEGEN_PACKAGE_KEPTSIGNALS_H
