// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <utility>

#include <Python.h>

#include "flight.hpp"

namespace volary::python {

// Calls a function of Python that returns None or (values, ids): a controller, an estimator or a sensor of a flock. The function is kept alive by the world
// object of Python (volary/world.py), not by this.
class Controller final : public runner::Source {
 public:
  // what the function gives; of a reading: of which sensor
  struct Given {
    Many what = Many::Position;
    std::string sensor = {};
  };
  Controller(std::string flock, Given given, std::uint64_t every, PyObject* function)
      : flock_(std::move(flock)), given_(std::move(given)), every_(every), function_(function) {}
  std::string name() const override;
  core::Status give(const World& world, std::vector<Input>& inputs) override;
  core::Status refused(const Input& input, const std::string& why) override;

  std::exception_ptr failure;  // what the function raised

 private:
  std::string flock_;
  Given given_;
  std::uint64_t every_;
  PyObject* function_;
};

}  // namespace volary::python
