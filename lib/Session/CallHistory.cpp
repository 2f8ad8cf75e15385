//===- CallHistory.cpp - what of a method's calls changes -----------------===//

#include "CallHistory.h"

namespace jit {

void CallHistory::addSizes(const std::vector<int64_t> &now) {
  size_t at = tensor++;
  if (at == sizes.size())
    sizes.push_back(now);
  for (size_t dim = 0; sizes[at].size() == now.size() && dim < now.size(); ++dim)
    if (sizes[at][dim] != now[dim])
      open.insertSize(at, dim);
  sizes[at] = now;
}

void CallHistory::addInt(int64_t now) {
  size_t at = number++;
  if (at == ints.size())
    ints.push_back(now);
  if (ints[at] != now)
    open.insertInt(at);
}

void CallHistory::add(const ValueSpec &value) {
  for (const ValueSpec &element : value.elements)
    add(element);
  if (value.kind == ValueSpec::Kind::Tensor)
    addSizes(value.sizes);
  if (value.kind == ValueSpec::Kind::Int)
    addInt(value.intValue);
}

const runtime::OpenParts &CallHistory::add(std::span<const ValueSpec> arguments) {
  tensor = number = 0;
  for (const ValueSpec &argument : arguments)
    add(argument);
  return open;
}

} // namespace jit
