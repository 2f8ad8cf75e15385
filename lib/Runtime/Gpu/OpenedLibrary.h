//===- OpenedLibrary.h - a library found at run time -------------*- C++ -*-===//
//
// For what a machine may have: building needs none of it, and nothing of it is linked.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_RUNTIME_GPU_OPENEDLIBRARY_H
#define JIT_LIB_RUNTIME_GPU_OPENEDLIBRARY_H

#include <initializer_list>
#include <string>

#include <dlfcn.h>

namespace jit::runtime {

class OpenedLibrary {
public:
  /// The first of these that this process finds. It stays open: such libraries keep threads and
  /// kernels of their own.
  explicit OpenedLibrary(std::initializer_list<const char *> names) {
    for (const char *name : names)
      if (!handle)
        handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }

  bool isOpen() const { return handle != nullptr; }

  /// Sets `function` to the library's of this name. False where there is none: then missing() is
  /// the name.
  template <typename Function> bool find(const char *name, Function &function) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    if (!function)
      missingName = name;
    return function != nullptr;
  }
  const std::string &missing() const { return missingName; }

private:
  void *handle = nullptr;
  std::string missingName;
};

} // namespace jit::runtime

#endif // JIT_LIB_RUNTIME_GPU_OPENEDLIBRARY_H
