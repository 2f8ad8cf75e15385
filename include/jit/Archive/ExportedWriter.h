//===- ExportedWriter.h - a program as torch.export saves it ----*- C++ -*-===//
//
// The mirror image of ExportedArchive.h, in the layout since torch 2.7.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_ARCHIVE_EXPORTEDWRITER_H
#define JIT_ARCHIVE_EXPORTEDWRITER_H

#include "jit/Archive/ByteSink.h"
#include "jit/Archive/ExportedProgram.h"

#include <span>
#include <string>

namespace jit::exported {

/// A tensor of the program's state.
struct StoredTensor {
  std::string name;
  bool isParameter = false;
  /// Of the program itself, and no state.
  bool isConstant = false;
  /// Of known sizes, strides and offset, which count in `storage`.
  TensorMeta meta;
  /// Tensors of one storage have its bytes in common. Its name tells it from others.
  std::string storageName;
  SharedBytes storage;
};

/// The JSON text that readProgram reads.
std::string programText(const Program &program);

/// Writes the program with its state; the storages are written from where they are.
void writeArchive(const Program &program, std::span<const StoredTensor> state,
                  const ByteSink &sink);

} // namespace jit::exported

#endif // JIT_ARCHIVE_EXPORTEDWRITER_H
