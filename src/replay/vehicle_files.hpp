// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A folder with a file for each vehicle, as some exports have it. Files are written in parts: ten thousand are not kept open. Those of an export that does
// not come to its end are removed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "replay/exports.hpp"
#include "replay/recording.hpp"

namespace volary::replay {

class VehicleFiles {
 public:
  VehicleFiles(std::string folder, std::string extension) : folder_(std::move(folder)), extension_(std::move(extension)) {}
  ~VehicleFiles();
  VehicleFiles(const VehicleFiles&) = delete;
  VehicleFiles& operator=(const VehicleFiles&) = delete;

  core::Status create(const Recording& recording);
  // vehicles are indices in the roster
  bool is_new(std::size_t vehicle) const { return tracks_[vehicle].text.empty() && !tracks_[vehicle].begun; }
  core::Status put(std::size_t vehicle, std::string_view bytes);
  core::Result<Exported> finish();  // everything is written: the files stay

 private:
  static constexpr std::size_t kPart = 64u << 10, kMostWaiting = 64u << 20;
  struct Track {
    std::string text;
    bool begun = false;
  };
  std::string path_of(std::size_t vehicle) const;
  core::Status flush(std::size_t vehicle);
  core::Status flush_all();

  std::string folder_, extension_;
  const Recording* r_ = nullptr;
  std::vector<Track> tracks_;
  std::size_t waiting_ = 0;  // bytes
  Exported done_;
  bool made_folder_ = false, finished_ = false;
};

}  // namespace volary::replay
