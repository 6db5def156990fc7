// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/exports.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "replay/export_file.hpp"
#include "replay/modes.hpp"

namespace volary::replay {

namespace {

struct Close {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using File = std::unique_ptr<std::FILE, Close>;

core::Error cannot_write(const std::string& path) { return core::Error{.message = std::string("cannot be written: ") + std::strerror(errno), .file = path}; }

// a field of a table: quoted when it has to be
std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

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

core::Status need_view(const Recording& r) {
  if (r.has_view()) return core::ok();
  return core::Error{.message = "has no trajectories to export: it was recorded without them, or they were lost",
                     .file = r.path(),
                     .suggestion = "volary replay FILE --at 0 --branch --record NEW simulates it again with trajectories"};
}

core::Status each_frame(const Recording& r, const ExportOptions& o, const std::function<core::Status(const Frame&)>& f) {
  if (const core::Status s = need_view(r); !s) return s;
  const double step = o.rate > 0 ? 1 / (o.rate * r.head().tick_seconds()) : 1;
  const auto first = static_cast<double>(r.first_tick()), last = static_cast<double>(r.last_tick());
  for (std::uint64_t k = 0;; ++k) {
    const double tick = first + static_cast<double>(k) * step;
    if (!(tick <= last)) return core::ok();
    const auto frame = r.at_tick(tick);
    if (!frame) return frame.error();
    if (const core::Status s = f(frame.value()); !s) return s;
  }
}

core::Result<Exported> export_csv(const Recording& r, const std::string& path, const ExportOptions& o) {
  if (const core::Status s = need_view(r); !s) return s.error();
  auto made = NewFile::create(path);
  if (!made) return made.error();
  NewFile& file = made.value();
  fmt::memory_buffer text;
  auto out = std::back_inserter(text);
  fmt::format_to(
      out,
      "time [s],vehicle,name,flock,world,east [m ENU],north [m ENU],up [m ENU],velocity_east [m/s ENU],velocity_north [m/s ENU],velocity_up [m/s ENU],"
      "attitude_w [- body FLU to ENU],attitude_x,attitude_y,attitude_z,mode\n");
  Exported done{1, 0, 0, 0};
  const core::Status s = each_frame(r, o, [&](const Frame& frame) -> core::Status {
    for (const VehicleAt& v : frame.vehicles) {
      const RosterEntry& e = r.roster()[v.vehicle];
      const std::string flock = e.flock < r.head().flocks.size() ? r.head().flocks[e.flock].name : "";
      const Pose& p = v.pose;
      fmt::format_to(out, "{:.9g},{},{},{},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.6f},{:.6f},{:.6f},{:.6f},{}\n", frame.time, VehicleId{e.id}.number(), csv_text(e.name),
                     csv_text(flock), e.world, p.position[0], p.position[1], p.position[2], p.velocity[0], p.velocity[1], p.velocity[2], p.attitude[0],
                     p.attitude[1], p.attitude[2], p.attitude[3], mode_name(v.mode));
    }
    done.samples += frame.vehicles.size();
    done.missing += frame.missing.size();
    file.put(text.data(), text.size());
    text.clear();
    return file.status();
  });
  if (!s) return s.error();
  done.bytes = file.size();
  if (const core::Status written = file.finish(); !written) return written.error();
  return done;
}

core::Result<Exported> export_tum(const Recording& r, const std::string& folder, const ExportOptions& o) {
  if (const core::Status s = need_view(r); !s) return s.error();
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) return core::Error{.message = "cannot be made: " + code.message(), .file = folder};
  // written vehicle by vehicle in parts: ten thousand files are not kept open
  std::vector<fmt::memory_buffer> text(r.roster().size());
  std::vector<bool> begun(r.roster().size(), false);
  Exported done;
  auto flush = [&](std::size_t k) -> core::Status {
    if (text[k].size() == 0) return core::ok();
    const std::string path = fmt::format("{}/{}-{}.tum", folder, k, file_name(r.roster()[k].name));
    File f(std::fopen(path.c_str(), begun[k] ? "ab" : "wxb"));
    if (f == nullptr || std::fwrite(text[k].data(), 1, text[k].size(), f.get()) != text[k].size() || std::fflush(f.get()) != 0) return cannot_write(path);
    done.files += begun[k] ? 0 : 1;
    done.bytes += text[k].size();
    begun[k] = true;
    text[k].clear();
    return core::ok();
  };
  const core::Status s = each_frame(r, o, [&](const Frame& frame) -> core::Status {
    for (const VehicleAt& v : frame.vehicles) {
      const Pose& p = v.pose;
      fmt::format_to(std::back_inserter(text[v.vehicle]), "{:.9f} {:.6f} {:.6f} {:.6f} {:.7f} {:.7f} {:.7f} {:.7f}\n", frame.time, p.position[0], p.position[1],
                     p.position[2], p.attitude[1], p.attitude[2], p.attitude[3], p.attitude[0]);
      constexpr std::size_t kPart = 64u << 10;
      if (text[v.vehicle].size() > kPart)
        if (const core::Status f = flush(v.vehicle); !f) return f;
    }
    done.samples += frame.vehicles.size();
    done.missing += frame.missing.size();
    return core::ok();
  });
  if (!s) return s.error();
  for (std::size_t k = 0; k < text.size(); ++k)
    if (const core::Status f = flush(k); !f) return f.error();
  return done;
}

}  // namespace volary::replay
