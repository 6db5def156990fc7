// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// TUM trajectories: a folder with a file for each vehicle, and lines of timestamp tx ty tz qx qy qz qw.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "replay/export_writer.hpp"

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

// Files are written in parts: ten thousand are not kept open. Those of an export that does not come to its end are removed.
class TumWriter final : public ExportWriter {
 public:
  explicit TumWriter(std::string folder) : folder_(std::move(folder)) {}
  ~TumWriter() override;

  core::Status begin(const ExportHead& head) override;
  core::Status moment(const Moment& moment) override;
  core::Result<Exported> finish() override;

 private:
  static constexpr std::size_t kPart = 64u << 10, kMostWaiting = 64u << 20;
  struct Track {
    fmt::memory_buffer text;
    bool begun = false;
  };
  std::string path_of(std::size_t vehicle) const { return fmt::format("{}/{}-{}.tum", folder_, vehicle, file_name(r_->roster()[vehicle].name)); }
  core::Status flush(std::size_t vehicle);
  core::Status flush_all();

  std::string folder_;
  const Recording* r_ = nullptr;
  std::string header_;
  std::vector<Track> tracks_;
  std::size_t waiting_ = 0;  // bytes
  Exported done_;
  bool made_folder_ = false, finished_ = false;
};

TumWriter::~TumWriter() {
  if (finished_ || r_ == nullptr) return;
  std::error_code code;
  for (std::size_t k = 0; k < tracks_.size(); ++k)
    if (tracks_[k].begun) std::filesystem::remove(path_of(k), code);
  if (made_folder_) std::filesystem::remove(folder_, code);
}

core::Status TumWriter::begin(const ExportHead& head) {
  r_ = &head.recording;
  std::error_code code;
  made_folder_ = std::filesystem::create_directories(folder_, code);
  if (code) return core::Error{.message = "cannot be made: " + code.message(), .file = folder_};
  tracks_.resize(r_->roster().size());
  const Bounds& b = r_->head().bounds;
  header_ = fmt::format("# timestamp [s] tx ty tz [m, ENU, error {:g}] qx qy qz qw [FLU to ENU, error {:g}]\n# {}\n", head.exact ? 0 : b.position,
                        head.exact ? 0 : b.angle / 2, describe_source(head));
  return core::ok();
}

core::Status TumWriter::flush(std::size_t k) {
  Track& t = tracks_[k];
  if (t.text.size() == 0) return core::ok();
  const std::string path = path_of(k);
  File f(std::fopen(path.c_str(), t.begun ? "ab" : "wxb"));
  const std::string head = t.begun ? "" : header_;
  const bool opened = f != nullptr;
  t.begun = t.begun || opened;
  if (!opened || std::fwrite(head.data(), 1, head.size(), f.get()) != head.size() || std::fwrite(t.text.data(), 1, t.text.size(), f.get()) != t.text.size() ||
      std::fflush(f.get()) != 0)
    return core::Error{.message = std::string("cannot be written: ") + std::strerror(errno), .file = path, .suggestion = errno == EEXIST ? "choose another folder" : ""};
  done_.files += head.empty() ? 0 : 1;
  done_.bytes += head.size() + t.text.size();
  waiting_ -= t.text.size();
  t.text.clear();
  return core::ok();
}

core::Status TumWriter::flush_all() {
  for (std::size_t k = 0; k < tracks_.size(); ++k)
    if (const core::Status s = flush(k); !s) return s;
  return core::ok();
}

core::Status TumWriter::moment(const Moment& m) {
  for (const FlockMoment& flock : m.flocks)
    for (std::size_t k = 0; k < flock.vehicles.size(); ++k) {
      fmt::memory_buffer& text = tracks_[flock.vehicles[k]].text;
      const ExportPose& p = flock.poses[k];
      const std::size_t before = text.size();
      fmt::format_to(std::back_inserter(text), "{} {} {} {} {} {} {} {}\n", m.time, p[0], p[1], p[2], p[4], p[5], p[6], p[3]);
      waiting_ += text.size() - before;
      if (text.size() > kPart)
        if (const core::Status s = flush(flock.vehicles[k]); !s) return s;
    }
  return waiting_ > kMostWaiting ? flush_all() : core::ok();
}

core::Result<Exported> TumWriter::finish() {
  if (const core::Status s = flush_all(); !s) return s.error();
  finished_ = true;
  return done_;
}

}  // namespace

std::unique_ptr<ExportWriter> tum_writer(const std::string& folder) { return std::make_unique<TumWriter>(folder); }

}  // namespace volary::replay
