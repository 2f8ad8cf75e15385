// Counts the members of an archive.
#include "jit/Archive/TorchScriptArchive.h"

#include <cstdio>

int main(int, char **argv) {
  auto archive = jit::TorchScriptArchive::open(argv[1]);
  std::puts(archive ? "an archive" : archive.error().str().c_str());
  return archive ? 0 : 1;
}
