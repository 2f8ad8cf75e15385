//===- ExportedJson.h - typed values to torch.export's JSON ---*- C++ -*-===//
#ifndef JIT_LIB_ARCHIVE_EXPORTEDJSON_H
#define JIT_LIB_ARCHIVE_EXPORTEDJSON_H

#include "jit/Archive/ExportedProgram.h"

#include <nlohmann/json.hpp>

namespace jit::exported {

using Json = nlohmann::ordered_json;

/// ExportedWriterGraph.cpp: tensors, arguments, nodes; ExportedWriter.cpp: what stands around them.
Json jsonOf(const TensorMeta &meta);
Json jsonOf(const Argument &argument);
Json jsonOf(const Graph &graph);
/// Infinities and NaN are strings there.
Json jsonOf(double number);

} // namespace jit::exported

#endif // JIT_LIB_ARCHIVE_EXPORTEDJSON_H
