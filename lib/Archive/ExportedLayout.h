//===- ExportedLayout.h - where torch.export puts things --------*- C++ -*-===//
#ifndef JIT_LIB_ARCHIVE_EXPORTEDLAYOUT_H
#define JIT_LIB_ARCHIVE_EXPORTEDLAYOUT_H

#include "jit/Archive/ZipFile.h"

#include <string_view>

namespace jit {

namespace layout {
/// Since torch 2.7, all in one root folder; `models/NAME.json` goes with
/// `data/weights/NAME_weights_config.json` and the like.
inline constexpr std::string_view models = "models/";
inline constexpr std::string_view weights = "data/weights/";
inline constexpr std::string_view constants = "data/constants/";
/// Before, without a root folder.
inline constexpr std::string_view oldProgram = "serialized_exported_program.json";
inline constexpr std::string_view oldState = "serialized_state_dict.pt";
inline constexpr std::string_view oldConstants = "serialized_constants.pt";
} // namespace layout

/// The zip of a program of ours, with or without a root folder as its members say.
Result<ZipFile> openAnyLayout(SharedBytes bytes, const std::string &name,
                              const ArchiveLimits &limits);

} // namespace jit

#endif // JIT_LIB_ARCHIVE_EXPORTEDLAYOUT_H
