// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the messages of both autopilots are gathered into before they become a flight: by the clock of the autopilot, north east down, forward right down.
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "logs/flight.hpp"
#include "logs/log.hpp"
#include "math/vec.hpp"

namespace volary::logs {

using Vec3d = math::Vec3<double>;
using Quatd = math::Quat<double>;

// Some columns of a table, which all have to be there.
class Picked {
 public:
  Picked(const Log& log, const char* table, std::initializer_list<const char*> columns, unsigned instance = 0);
  explicit operator bool() const { return table_ != nullptr; }
  std::size_t rows() const { return table_ == nullptr ? 0 : table_->rows(); }
  std::int64_t time_us(std::size_t row) const { return table_->time_us[row]; }
  double at(std::size_t row, std::size_t column, std::size_t element = 0) const { return table_->number(row, *columns_[column], element); }
  Vec3d vector(std::size_t row, std::size_t first) const { return {at(row, first), at(row, first + 1), at(row, first + 2)}; }
  const Table& table() const { return *table_; }
  // whether a column that may be missing is there and not zero; missing: `otherwise`
  bool flag(std::size_t row, const char* column, bool otherwise) const;

 private:
  const Table* table_ = nullptr;
  std::vector<const Column*> columns_;
};

struct FlightBuilder {
  struct Position {
    std::int64_t time_us;
    Vec3d position_N;                 // m
    std::optional<Vec3d> velocity_N;  // m/s; none: from the positions
  };
  std::vector<Position> positions = {};
  std::vector<std::pair<std::int64_t, Quatd>> attitudes = {};   // forward right down to north east down
  std::vector<std::pair<std::int64_t, Vec3d>> rates = {};       // rad/s, forward right down
  std::vector<std::pair<std::int64_t, Mode>> modes = {};
  std::vector<std::pair<std::int64_t, std::string>> notes = {};
  std::vector<Outputs> outputs = {};
  std::optional<std::pair<std::int64_t, double>> utc = {};      // s since 1970 at a time of the autopilot
  Flight flight = {};

  void use(const std::string& table) { flight.sources += (flight.sources.empty() ? "" : ", ") + table; }
  // positions of places on the Earth about the first of them, or about `origin`
  void add_place(std::int64_t time_us, const Place& place, std::optional<Vec3d> velocity_N);
  core::Result<Flight> finish(const Log& log) &&;
};

Vec3d ned_between(const Place& from, const Place& to);
Place place_at(const Place& origin, const Vec3d& position_N);

// the two kinds of logs
void gather_px4(const Log& log, FlightBuilder& to);
void gather_ardupilot(const Log& log, FlightBuilder& to);

// seconds since 1970 of a time that a receiver for satellites counts
double utc_of_gps(double week, double milliseconds);
// whether a time since 1970 can be that of a flight
inline bool is_a_date(double utc) { return utc > 946684800 && utc < 4102444800; }  // 2000 to 2100

}  // namespace volary::logs
