// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/pictures.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenario/image.hpp"
#include "server/action.hpp"
#include "server/http.hpp"
#include "server/write_file.hpp"

namespace volary::server {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostPictures = 200;  // in the user's folder

core::Error refuse(std::string message, std::string suggestion = "") { return core::Error{.message = std::move(message), .suggestion = std::move(suggestion)}; }

bool is_there(const fs::path& path) {
  std::error_code code;
  return fs::exists(fs::symlink_status(path, code));
}

std::size_t pictures_in(const fs::path& folder) {
  std::size_t n = 0;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) n += entry->path().extension() == ".png" ? 1 : 0;
  return n;
}

// A picture beside a scenario hides one of the same name in assets/terrain from every scenario there.
core::Status check_name(const ScenarioFolders& f, const std::string& name) {
  if (!is_plain_name(name)) return refuse("'" + name.substr(0, 70) + "' is not a name to save under", "a-z, 0-9, _ and -, at most 64");
  if (f.user.empty()) return refuse("this server has no folder to save into");
  if (is_there(fs::path(f.shipped) / (name + ".yaml")) || is_there(fs::path(f.assets) / "terrain" / (name + ".png")))
    return refuse("'" + name + "' comes with Volary and is not overwritten", "save it under another name");
  return core::ok();
}

core::Result<scenario::Image> check_bytes(const std::string& png) {
  constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
  if (png.empty()) return refuse("the picture is empty");
  if (png.size() > kMostPictureBytes) return refuse(fmt::format("the picture has {} bytes: at most {}", png.size(), kMostPictureBytes), "make it smaller");
  if (!png.starts_with(kSignature)) return refuse("this is no PNG", "the page makes one of any picture that the browser can read");
  core::Result<scenario::Image> image = scenario::decode_image(png);
  if (!image) return refuse("the picture " + image.error().message, image.error().suggestion);
  if (image.value().width < 2 || image.value().height < 2)
    return refuse(fmt::format("the picture is {} x {} pixels: two a side are needed", image.value().width, image.value().height));
  return image;
}

}  // namespace

core::Result<std::string> save_picture(const ScenarioFolders& f, const std::string& name, const std::string& png, bool replace) {
  if (const core::Status good = check_name(f, name); !good) return good.error();
  const core::Result<scenario::Image> image = check_bytes(png);
  if (!image) return image.error();
  const std::string file = name + ".png";
  const fs::path path = fs::path(f.user) / file;
  std::error_code code;
  fs::create_directories(f.user, code);
  if (code) return refuse("cannot make the folder " + f.user);
  const bool taken = is_there(path);
  if (taken && !fs::is_regular_file(fs::symlink_status(path, code))) return refuse("'" + file + "' is no plain file and is not overwritten");
  if (taken && !replace) return refuse("there is a " + file + " already", "save it under another name, or say that it is to be replaced");
  if (!taken && pictures_in(f.user) >= kMostPictures) return refuse(fmt::format("there are {} pictures already", kMostPictures));
  if (const core::Status written = write_whole(path.string(), png); !written) return written.error();
  return dump(nlohmann::json{{"file", file}, {"width", image.value().width}, {"height", image.value().height}, {"bytes", png.size()}});
}

}  // namespace volary::server
