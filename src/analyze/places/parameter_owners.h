// Which module owns the parameter whose gradient is accumulated. autograd does not say it, but it accumulates
// a gradient right after the operator that made it: so the module of that operator and the gradient's shape
// tell.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace/trace.h"

namespace skyline::analyze {

class ParameterOwners {
 public:
  explicit ParameterOwners(const Trace& trace);

  // `module` is the qualified name of the producer's module, `input_dims` those of the accumulation. A
  // parameter of several modules belongs to the one that the model names first. Nothing if it cannot be
  // told.
  std::optional<std::string_view> find(std::string_view module, std::string_view input_dims) const;

 private:
  struct Parameter {
    std::string_view module;  // as its own name says
    std::string_view owner;   // as the storage's first name says
  };
  std::unordered_map<std::string, std::vector<Parameter>> by_dims_;  // as inputs of an accumulation
};

}  // namespace skyline::analyze
