//===- QuotedText.h - strings inside of texts -------------------*- C++ -*-===//
//
// How a string stands in the text of a call, of a package's pattern and of a result's structure:
// between quotation marks, with the escapes of Python that it needs, so that Python reads it too.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_QUOTEDTEXT_H
#define JIT_QUOTEDTEXT_H

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace jit {

/// `say "hi"` as `"say \"hi\""`; control characters as \xHH.
inline std::string quoted(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      result += '\\';
    if (byte < 0x20 || byte == 0x7f)
      result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    else
      result += c;
  }
  return result + '"';
}

/// Takes what quoted() wrote, up to its closing mark, from the front of `rest`, which is behind the
/// opening one. Nullopt where there is no closing mark, or another escape.
inline std::optional<std::string> takeQuoted(std::string_view &rest) {
  std::string result;
  for (size_t i = 0; i < rest.size(); ++i) {
    char c = rest[i];
    if (c == '"') {
      rest.remove_prefix(i + 1);
      return result;
    }
    if (c == '\\') {
      if (++i == rest.size())
        return std::nullopt;
      c = rest[i];
      if (c == 'x') {
        unsigned char byte = 0;
        const char *end = rest.data() + std::min(i + 3, rest.size());
        if (std::from_chars(rest.data() + i + 1, end, byte, 16).ptr != rest.data() + i + 3)
          return std::nullopt;
        c = static_cast<char>(byte);
        i += 2;
      } else if (c != '"' && c != '\\') {
        return std::nullopt;
      }
    }
    result += c;
  }
  return std::nullopt;
}

} // namespace jit

#endif // JIT_QUOTEDTEXT_H
