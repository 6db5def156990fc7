// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/vehicle_files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace volary::replay {

namespace {

struct Close {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using File = std::unique_ptr<std::FILE, Close>;

// a name that is a file name everywhere
std::string file_name(const std::string& name) {
  std::string out;
  for (const char c : name.substr(0, 100)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    out += plain ? c : '_';
  }
  return out;
}

}  // namespace

VehicleFiles::~VehicleFiles() {
  if (finished_ || r_ == nullptr) return;
  std::error_code code;
  for (std::size_t k = 0; k < tracks_.size(); ++k)
    if (tracks_[k].begun) std::filesystem::remove(path_of(k), code);
  if (made_folder_) std::filesystem::remove(folder_, code);
}

std::string VehicleFiles::path_of(std::size_t vehicle) const {
  return fmt::format("{}/{}-{}.{}", folder_, vehicle, file_name(r_->roster()[vehicle].name), extension_);
}

core::Status VehicleFiles::create(const Recording& recording) {
  r_ = &recording;
  std::error_code code;
  made_folder_ = std::filesystem::create_directories(folder_, code);
  if (code) return core::Error{.message = "cannot be made: " + code.message(), .file = folder_};
  tracks_.resize(r_->roster().size());
  return core::ok();
}

core::Status VehicleFiles::put(std::size_t vehicle, std::string_view bytes) {
  tracks_[vehicle].text += bytes;
  waiting_ += bytes.size();
  if (tracks_[vehicle].text.size() > kPart) return flush(vehicle);
  return waiting_ > kMostWaiting ? flush_all() : core::ok();
}

core::Status VehicleFiles::flush(std::size_t k) {
  Track& t = tracks_[k];
  if (t.text.empty()) return core::ok();
  const std::string path = path_of(k);
  File f(std::fopen(path.c_str(), t.begun ? "ab" : "wxb"));
  const bool opened = f != nullptr, is_first = !t.begun;
  t.begun = t.begun || opened;
  if (!opened || std::fwrite(t.text.data(), 1, t.text.size(), f.get()) != t.text.size() || std::fflush(f.get()) != 0)
    return core::Error{
        .message = std::string("cannot be written: ") + std::strerror(errno), .file = path, .suggestion = errno == EEXIST ? "choose another folder" : ""};
  done_.files += is_first ? 1 : 0;
  done_.bytes += t.text.size();
  waiting_ -= t.text.size();
  t.text = {};
  return core::ok();
}

core::Status VehicleFiles::flush_all() {
  for (std::size_t k = 0; k < tracks_.size(); ++k)
    if (const core::Status s = flush(k); !s) return s;
  return core::ok();
}

core::Result<Exported> VehicleFiles::finish() {
  if (const core::Status s = flush_all(); !s) return s.error();
  finished_ = true;
  return done_;
}

}  // namespace volary::replay
