// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which elements and attributes of a URDF file are read: all others are told, or are errors where they are nearly one that is read.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/faults.hpp"
#include "scenario/urdf.hpp"
#include "scenario/xml_file.hpp"

namespace volary::scenario {

// remarks of the same words become one with several lines
class UrdfRemarks {
 public:
  explicit UrdfRemarks(std::vector<UrdfRemark>& list) : list_(list) {}
  void tell(const std::string& text, int line);

 private:
  std::vector<UrdfRemark>& list_;
  std::map<std::string, std::size_t> index_;
};

void check_urdf_grammar(const XmlFile& xml, UrdfRemarks& remarks, core::Faults& faults);

}  // namespace volary::scenario
