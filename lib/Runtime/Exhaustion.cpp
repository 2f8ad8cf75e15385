//===- Exhaustion.cpp - exhausted memory beyond one thread ----------------===//
#include "jit/Runtime/Exhaustion.h"

#include <new>
#include <stdexcept>
#include <system_error>

bool jit::runtime::completes(const std::function<void()> &work) {
  try {
    work();
    return true;
  } catch (const std::bad_alloc &) {
    return false;
  } catch (const std::length_error &) {
    return false;
  } catch (const std::system_error &) {
    return false;
  }
}

void jit::runtime::failForMemory() { throw std::bad_alloc(); }
