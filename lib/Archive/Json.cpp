//===- Json.cpp - a JSON text as a tree, and reading it -------------------===//

#include "Json.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

namespace jit {

std::string_view JsonValue::kindName() const {
  static constexpr std::string_view names[] = {"null",     "a boolean", "an integer", "a number",
                                               "a string", "an array",  "an object"};
  return names[index()];
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {

/// Takes the parser's events: the tree grows in `stack`, whose depth is bounded. Returning false
/// ends the parse.
class TreeBuilder {
public:
  using Json = nlohmann::json;

  TreeBuilder(const std::string &member, const ArchiveLimits &limits, size_t bytes)
      : member(member), limits(limits), maxNodes(limits.maxJsonNodes + bytes / 8) {}

  // The names are the parser's.
  // NOLINTBEGIN(readability-identifier-naming)
  bool null() { return add({}); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(int64_t value) { return add(value); }
  bool number_unsigned(uint64_t value) {
    if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
      return fail(ErrorCode::LimitExceeded,
                  "expected integers of 64 bits, got " + std::to_string(value));
    return add(static_cast<int64_t>(value));
  }
  bool number_float(double value, const std::string &) { return add(value); }
  bool string(std::string &value) { return add(std::move(value)); }
  bool binary(Json::binary_t &) { return fail(ErrorCode::Malformed, "expected JSON text"); }

  bool start_object(size_t) { return open(JsonObject()); }
  bool key(std::string &name) {
    if (!keys.back().insert(name).second)
      return fail(ErrorCode::Malformed, "expected each key once, got '" + name + "' again");
    stack.back().key = std::move(name);
    return true;
  }
  bool end_object() { return close(); }
  bool start_array(size_t) { return open(JsonArray()); }
  bool end_array() { return close(); }

  bool parse_error(size_t position, const std::string &, const Json::exception &error) {
    if (!failure)
      failure = Error{ErrorCode::Malformed, "expected JSON: " + std::string(error.what()),
                      member + ": byte " + std::to_string(position)};
    return false;
  }
  // NOLINTEND(readability-identifier-naming)

  JsonValue root;
  std::optional<Error> failure;

private:
  struct Open {
    JsonValue value;
    /// Of the member that comes next, in an object.
    std::string key;
  };

  bool fail(ErrorCode code, std::string message) {
    failure = Error{code, std::move(message), member};
    return false;
  }

  bool open(JsonValue container) {
    if (stack.size() == limits.maxDepth)
      return fail(ErrorCode::LimitExceeded,
                  "values are nested deeper than " + std::to_string(limits.maxDepth));
    stack.push_back({std::move(container), {}});
    keys.emplace_back();
    return true;
  }

  bool close() {
    JsonValue value = std::move(stack.back().value);
    stack.pop_back();
    keys.pop_back();
    return add(std::move(value));
  }

  bool add(JsonValue value) {
    if (++nodes > maxNodes)
      return fail(ErrorCode::LimitExceeded,
                  "text holds more than " + std::to_string(maxNodes) + " values");
    if (stack.empty())
      root = std::move(value);
    else if (auto *array = std::get_if<JsonArray>(&stack.back().value))
      array->push_back(std::move(value));
    else
      std::get<JsonObject>(stack.back().value)
          .emplace_back(std::move(stack.back().key), std::move(value));
    return true;
  }

  const std::string &member;
  const ArchiveLimits &limits;
  std::vector<Open> stack;
  std::vector<std::unordered_set<std::string>> keys;
  uint64_t nodes = 0, maxNodes;
};

} // namespace

Result<JsonValue> parseJson(const std::string &member, std::string_view text,
                            const ArchiveLimits &limits) {
  TreeBuilder builder(member, limits, text.size());
  bool parsed = nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  if (builder.failure)
    return std::move(*builder.failure);
  if (!parsed)
    return Error{ErrorCode::Malformed, "expected JSON", member};
  return std::move(builder.root);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

std::string JsonPlace::path() const {
  if (!parent)
    return "";
  std::string path = parent->path();
  if (parent->value->as<JsonArray>())
    return path + "[" + std::to_string(index) + "]";
  return (path.empty() ? "" : path + ".") + std::string(key);
}

std::string JsonReader::where(const JsonPlace &place) const {
  std::string path = place.path();
  return path.empty() ? member : member + ": " + path;
}

void JsonReader::fail(const JsonPlace &place, ErrorCode code, std::string message) {
  if (!error)
    error = Error{code, std::move(message), where(place)};
}

void JsonReader::expected(const JsonPlace &place, const char *what) {
  fail(place, ErrorCode::Malformed,
       std::string("expected ") + what + ", got " + std::string(place.value->kindName()));
}

bool JsonReader::boolean(const JsonPlace &place) {
  if (const bool *value = place.value->as<bool>())
    return *value;
  expected(place, "a boolean");
  return false;
}

int64_t JsonReader::integer(const JsonPlace &place) {
  if (const int64_t *value = place.value->as<int64_t>())
    return *value;
  expected(place, "an integer");
  return 0;
}

double JsonReader::number(const JsonPlace &place) {
  if (const double *value = place.value->as<double>())
    return *value;
  if (const int64_t *value = place.value->as<int64_t>())
    return static_cast<double>(*value);
  const std::string *name = place.value->as<std::string>();
  if (name && *name == "Infinity")
    return std::numeric_limits<double>::infinity();
  if (name && *name == "-Infinity")
    return -std::numeric_limits<double>::infinity();
  if (name && *name == "NaN")
    return std::numeric_limits<double>::quiet_NaN();
  expected(place, "a number");
  return 0;
}

std::string JsonReader::text(const JsonPlace &place) {
  if (const std::string *value = place.value->as<std::string>())
    return *value;
  expected(place, "a string");
  return "";
}

const JsonObject *JsonReader::object(const JsonPlace &place) {
  const JsonObject *object = place.value->as<JsonObject>();
  if (!object)
    expected(place, "an object");
  return object;
}

void JsonReader::each(const JsonPlace &array, const Visitor &visit) {
  const JsonArray *items = array.value->as<JsonArray>();
  if (!items)
    return expected(array, "an array");
  for (size_t i = 0; i < items->size() && !failed(); ++i)
    visit({&(*items)[i], &array, {}, i});
}

void JsonReader::eachMember(const JsonPlace &place, const Visitor &visit) {
  const JsonObject *members = object(place);
  for (size_t i = 0; members && i < members->size() && !failed(); ++i)
    visit({&(*members)[i].second, &place, (*members)[i].first});
}

void JsonReader::optional(const JsonPlace &place, std::string_view key, const Visitor &visit) {
  const JsonObject *members = object(place);
  for (size_t i = 0; members && i < members->size() && !failed(); ++i)
    if ((*members)[i].first == key && !(*members)[i].second.isNull())
      visit({&(*members)[i].second, &place, (*members)[i].first});
}

void JsonReader::required(const JsonPlace &place, std::string_view key, const Visitor &visit) {
  bool found = false;
  optional(place, key, [&](const JsonPlace &value) {
    found = true;
    visit(value);
  });
  if (!found)
    fail(place, ErrorCode::Malformed, "expected a member '" + std::string(key) + "'");
}

void JsonReader::alternative(const JsonPlace &place, const Visitor &visit) {
  const JsonObject *members = object(place);
  if (members && members->size() != 1)
    fail(place, ErrorCode::Malformed,
         "expected an object of one member, got " + std::to_string(members->size()));
  eachMember(place, visit);
}

} // namespace jit
