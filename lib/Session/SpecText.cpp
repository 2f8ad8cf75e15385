//===- SpecText.cpp - a value's spec in text ------------------------------===//

#include "SpecText.h"

using namespace jit;

static Result<void> appendSpec(std::string &spec, const Value &value);

static Result<void> appendAll(std::string &spec, std::span<const Value> values, const char *open,
                              const char *close) {
  spec += open;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i)
      spec += ',';
    if (auto done = appendSpec(spec, values[i]); !done)
      return done;
  }
  spec += close;
  return {};
}

static void appendTensor(std::string &spec, const Tensor &tensor) {
  if (!tensor.defined()) {
    spec += "undef";
    return;
  }
  spec += shortName(tensor.type());
  spec += '[';
  for (size_t i = 0; i < tensor.sizes().size(); ++i) {
    if (i)
      spec += ',';
    spec += std::to_string(tensor.sizes()[i]);
  }
  spec += tensor.requiresGrad() ? "]:grad" : "]";
}

static Result<void> appendSpec(std::string &spec, const Value &value) {
  if (auto *tensor = value.getIf<Tensor>()) {
    appendTensor(spec, *tensor);
  } else if (auto *number = value.getIf<int64_t>()) {
    spec += std::to_string(*number);
  } else if (value.getIf<double>()) {
    spec += "?float";
  } else if (auto *flag = value.getIf<bool>()) {
    spec += *flag ? "true" : "false";
  } else if (auto *text = value.getIf<std::string>()) {
    if (text->find('"') != std::string::npos)
      return Error{ErrorCode::Unsupported, "expected a string argument without quotation marks"};
    spec += '"' + *text + '"';
  } else if (auto *list = value.getIf<List>()) {
    return appendAll(spec, list->items, "[", "]");
  } else if (auto *tuple = value.getIf<Tuple>()) {
    return appendAll(spec, tuple->items, "(", ")");
  } else {
    spec += "none";
  }
  return {};
}

Result<std::string> jit::specText(const Value &value) {
  std::string spec;
  if (auto done = appendSpec(spec, value); !done)
    return done.takeError();
  return spec;
}
