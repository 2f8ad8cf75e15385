//===- SpecText.cpp - a value's spec in text ------------------------------===//

#include "SpecText.h"
#include "jit/QuotedText.h"

using namespace jit;
using namespace jit::runtime;

namespace {
class Writer {
public:
  Writer(SizePolicy sizes, unsigned &names) : sizes(sizes), names(names) {}

  Result<void> append(const Value &value);
  std::string text;

private:
  Result<void> appendAll(std::span<const Value> values, const char *open, const char *close);
  void appendTensor(const Tensor &tensor);

  SizePolicy sizes;
  unsigned &names;
};
} // namespace

Result<void> Writer::appendAll(std::span<const Value> values, const char *open, const char *close) {
  text += open;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i)
      text += ',';
    if (auto done = append(values[i]); !done)
      return done;
  }
  text += close;
  return {};
}

void Writer::appendTensor(const Tensor &tensor) {
  if (!tensor.defined()) {
    text += "undef";
    return;
  }
  text += shortName(tensor.type());
  text += '[';
  for (size_t i = 0; i < tensor.sizes().size(); ++i) {
    int64_t size = tensor.sizes()[i];
    if (i)
      text += ',';
    text += sizes == SizePolicy::Symbolic && size > 1 ? "s" + std::to_string(names++)
                                                      : std::to_string(size);
  }
  text += tensor.requiresGrad() ? "]:grad" : "]";
}

Result<void> Writer::append(const Value &value) {
  if (auto *tensor = value.getIf<Tensor>()) {
    appendTensor(*tensor);
  } else if (auto *number = value.getIf<int64_t>()) {
    text += std::to_string(*number);
  } else if (value.getIf<double>()) {
    text += "?float";
  } else if (auto *flag = value.getIf<bool>()) {
    text += *flag ? "true" : "false";
  } else if (auto *string = value.getIf<std::string>()) {
    text += quoted(*string);
  } else if (auto *list = value.getIf<List>()) {
    return appendAll(list->items, "[", "]");
  } else if (auto *tuple = value.getIf<Tuple>()) {
    return appendAll(tuple->items, "(", ")");
  } else {
    text += "none";
  }
  return {};
}

Result<std::string> jit::specText(const Value &value, SizePolicy sizes, unsigned &names) {
  Writer writer(sizes, names);
  if (auto done = writer.append(value); !done)
    return done.takeError();
  return std::move(writer.text);
}
