// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A check compares the simulator with data that others published: it gives figures, each beside the threshold it has to keep,
// and curves for the report. One file per check; all_checks() is the list of them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/result.hpp"

namespace volary::validation {

enum class Sense { AtMost, AtLeast, NoBar };  // NoBar: told, not judged

struct Figure {
  std::string name;  // a path, such as nasa/01/altitude
  double value = 0;
  std::string unit;
  double threshold = 0;
  Sense sense = Sense::AtMost;

  bool judged() const { return sense != Sense::NoBar; }
  bool holds() const { return !judged() || (sense == Sense::AtMost ? value <= threshold : value >= threshold); }  // not a number holds no threshold
};

struct Curve {
  std::string name;
  std::vector<double> values;  // one for each x
};
// one panel of a picture; `thresholds` are drawn as dashed lines
struct Panel {
  std::string title, unit;
  std::vector<Curve> curves;
  std::vector<double> thresholds;
};
struct Picture {
  std::string name;  // of its file
  std::string title, x_title;
  std::vector<double> x;
  std::vector<Panel> panels;  // one below the other
};

struct CheckReport {
  std::string check;                               // its name; filled in by whoever runs it
  std::string title;
  std::string flown;                               // what flies, where it is not what the scenarios of people fly; filled in by whoever runs it
  std::vector<std::string> remarks;                // sentences above the table
  std::vector<std::string> header;                 // of the table
  std::vector<std::vector<std::string>> table;     // what a reader wants to see of the figures
  std::vector<Figure> figures;                     // all of them
  std::vector<Picture> pictures;
  std::vector<core::Error> errors;                 // parts of the data that could not be used
};

struct CheckOptions {
  std::string data;    // folder of published data
  std::string assets;  // the project's own
  std::optional<std::pair<double, double>> window = {};  // s, from and to: the part of a flight that is scored, instead of the one a check finds
  std::vector<std::string> flights = {};  // recordings to score, files or folders, instead of all that are found; known by their columns, not by their names
};

struct Check {
  const char* name;
  const char* about;
  const char* data;  // what it looks for, in words
  bool (*finds_data)(const CheckOptions& options);
  core::Result<CheckReport> (*run)(const CheckOptions& options);
  bool needs_data = true;  // false: it flies scenarios of the project, and the paper's figures are in it
  bool (*takes_flight)(const std::string& path) = nullptr;  // whether a recording is one that it scores; none: it scores no recordings
  const char* flown = "";  // whole sentences for the first lines of the report: how what it flies differs from what scenarios fly
};

std::span<const Check> all_checks();

// the list, one declaration each
extern const Check kAeroplaneCheck;
extern const Check kBenchesCheck;
extern const Check kCrazyflieCheck;
extern const Check kEarthCheck;
extern const Check kEstimatorLogsCheck;
extern const Check kFormationCheck;
extern const Check kInteractionCheck;
extern const Check kNasaCheck;
extern const Check kPlatformsCheck;
extern const Check kSensesCheck;
extern const Check kTrackingCheck;
extern const Check kUwbCheck;

}  // namespace volary::validation
