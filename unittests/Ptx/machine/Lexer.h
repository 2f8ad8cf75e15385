//===- Lexer.h - the words of a PTX text ------------------------*- C++ -*-===//
#ifndef JIT_UNITTESTS_PTX_LEXER_H
#define JIT_UNITTESTS_PTX_LEXER_H

#include <string>
#include <string_view>

namespace ptx {

/// Gives words and numbers (with their dots, % and $), strings, and single signs. After an error
/// all is at an end.
class Lexer {
public:
  explicit Lexer(std::string_view text) : text(text) { advance(); }

  /// The present word; empty at the end.
  std::string_view word() const { return current; }
  unsigned line() const { return currentLine; }
  bool isAtEnd() const { return current.empty(); }

  std::string_view take();
  bool takeIf(std::string_view expected);
  /// Fails where something else comes.
  void expect(std::string_view expected);

  void fail(const std::string &message);
  bool hasFailed() const { return !message.empty(); }
  const std::string &error() const { return message; }

private:
  void advance();
  void skipSpace();

  std::string_view text, current;
  size_t place = 0;
  unsigned line_ = 1, currentLine = 1;
  std::string message;
};

} // namespace ptx

#endif // JIT_UNITTESTS_PTX_LEXER_H
