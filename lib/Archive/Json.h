//===- Json.h - a JSON text as a tree, and reading it -----------*- C++ -*-===//
#ifndef JIT_LIB_ARCHIVE_JSON_H
#define JIT_LIB_ARCHIVE_JSON_H

#include "jit/Archive/Limits.h"
#include "jit/Result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace jit {

struct JsonValue;
using JsonArray = std::vector<JsonValue>;
/// In the order of the text; no key stands twice.
using JsonObject = std::vector<std::pair<std::string, JsonValue>>;

/// A value; its depth is bounded, so whoever walks it may recurse.
struct JsonValue
    : std::variant<std::monostate, bool, int64_t, double, std::string, JsonArray, JsonObject> {
  using variant::variant;

  template <typename T> const T *as() const { return std::get_if<T>(this); }
  bool isNull() const { return index() == 0; }
  /// "a string", ... for messages.
  std::string_view kindName() const;
};

/// Reads one text. Errors name \p member and the byte.
Result<JsonValue> parseJson(const std::string &member, std::string_view text,
                            const ArchiveLimits &limits);

/// A value and the way that led to it. Lives on the stack while that is walked.
struct JsonPlace {
  const JsonValue *value;
  const JsonPlace *parent = nullptr;
  /// In an object; else the index in an array.
  std::string_view key = {};
  size_t index = 0;

  /// "graph_module.graph.nodes[3]".
  std::string path() const;
};

/// Reads typed values. The first error is kept and what is read after it means nothing, so that
/// callers look once, at the end.
class JsonReader {
public:
  JsonReader(std::string member, const ArchiveLimits &limits)
      : member(std::move(member)), limits(limits) {}

  /// "member: path".
  std::string where(const JsonPlace &place) const;
  /// Of \p place, if it is the first.
  void fail(const JsonPlace &place, ErrorCode code, std::string message);
  bool failed() const { return error.has_value(); }
  Error takeError() { return std::move(*error); }

  bool boolean(const JsonPlace &place);
  int64_t integer(const JsonPlace &place);
  /// Infinities and NaN are written as strings.
  double number(const JsonPlace &place);
  std::string text(const JsonPlace &place);

  using Visitor = std::function<void(const JsonPlace &)>;
  void each(const JsonPlace &array, const Visitor &visit);
  /// Each member; its name is the place's key.
  void eachMember(const JsonPlace &object, const Visitor &visit);
  void required(const JsonPlace &object, std::string_view key, const Visitor &visit);
  /// Nothing where there is no such member or it is null.
  void optional(const JsonPlace &object, std::string_view key, const Visitor &visit);
  /// The one member of an object that stands for a union: its name is the place's key.
  void alternative(const JsonPlace &object, const Visitor &visit);

protected:
  void expected(const JsonPlace &place, const char *what);
  const JsonObject *object(const JsonPlace &place);

  std::string member;
  ArchiveLimits limits;

private:
  std::optional<Error> error;
};

} // namespace jit

#endif // JIT_LIB_ARCHIVE_JSON_H
