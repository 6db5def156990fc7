// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <utility>

#include <Python.h>

#include "flight.hpp"

namespace volary::python {

// Calls a function of Python that returns None or (values, ids). The function is kept alive by the world object of Python (volary/world.py), not by this.
class Controller final : public runner::Source {
 public:
  Controller(std::string flock, Many level, std::uint64_t every, PyObject* function) : flock_(std::move(flock)), level_(level), every_(every), function_(function) {}
  std::string name() const override { return "the controller of flock '" + flock_ + "'"; }
  core::Status give(const World& world, std::vector<Input>& inputs) override;
  core::Status refused(const Input& input, const std::string& why) override;

  std::exception_ptr failure;  // what the function raised

 private:
  std::string flock_;
  Many level_;
  std::uint64_t every_;
  PyObject* function_;
};

}  // namespace volary::python
