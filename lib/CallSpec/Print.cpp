//===- Print.cpp - the text of a call's spec ------------------------------===//
#include "jit/CallSpec/CallSpec.h"
#include "jit/QuotedText.h"

#include <charconv>
#include <cmath>

using namespace jit;

static void append(std::string &text, const ValueSpec &spec);

/// `append(item)` for each item, with commas between.
template <typename Items, typename Append>
static void appendAll(std::string &text, const Items &items, Append append) {
  bool isFirst = true;
  for (const auto &item : items) {
    text += isFirst ? "" : ",";
    isFirst = false;
    append(item);
  }
}

static void appendElements(std::string &text, const ValueSpec &spec, char open, char close) {
  text += open;
  appendAll(text, spec.elements, [&](const ValueSpec &element) { append(text, element); });
  text += close;
}

/// The shortest text that reads back as the same number, and not as an int.
static void appendFloat(std::string &text, double value) {
  char digits[32];
  std::string_view number(digits, std::to_chars(std::begin(digits), std::end(digits), value).ptr);
  text += std::isnan(value) ? "nan" : number;
  if (number.find_first_not_of("-0123456789") == number.npos)
    text += ".0";
}

static void appendTensor(std::string &text, const ValueSpec &spec) {
  text += shortName(spec.dtype);
  text += '[';
  for (size_t i = 0; i < spec.sizes.size(); ++i) {
    text += i ? "," : "";
    bool hasName = !spec.sizeNames.empty() && !spec.sizeNames[i].empty();
    text += spec.sizes[i] >= 0 ? std::to_string(spec.sizes[i]) : hasName ? spec.sizeNames[i] : "?";
  }
  text += ']';
  if (spec.device != "cpu")
    text += "@" + spec.device;
  if (!spec.strides.empty()) {
    text += ":strides[";
    appendAll(text, spec.strides, [&](int64_t stride) {
      text += stride == ValueSpec::unknownStride ? "?" : std::to_string(stride);
    });
    text += ']';
  }
  if (spec.part)
    text += ":part[" + std::to_string(spec.part->memory) + "," + std::to_string(spec.part->offset) +
            "," + std::to_string(spec.part->extent) + "]";
}

static void append(std::string &text, const ValueSpec &spec) {
  using Kind = ValueSpec::Kind;
  switch (spec.kind) {
  case Kind::Default:
    text += "default";
    break;
  case Kind::None:
    text += "none";
    break;
  case Kind::Tensor:
    appendTensor(text, spec);
    break;
  case Kind::Undefined:
    text += "undef";
    break;
  case Kind::Int:
    text += spec.isOpen ? "?int" : std::to_string(spec.intValue);
    break;
  case Kind::Float:
    spec.isOpen ? void(text += "?float") : appendFloat(text, spec.floatValue);
    break;
  case Kind::Bool:
    text += spec.isOpen ? "?bool" : spec.boolValue ? "true" : "false";
    break;
  case Kind::Str:
    text += quoted(spec.text);
    break;
  case Kind::Tuple:
    appendElements(text, spec, '(', ')');
    break;
  case Kind::List:
    text += spec.isDict ? "dict" : "";
    appendElements(text, spec, '[', ']');
    break;
  case Kind::File:
    text += "@" + spec.text;
    break;
  }
  text += spec.requiresGrad ? ":grad" : "";
}

std::string ValueSpec::str() const {
  std::string text;
  append(text, *this);
  return text;
}

std::string CallSpec::str() const {
  std::string text;
  appendAll(text, arguments, [&](const ValueSpec &argument) { append(text, argument); });
  return text;
}
