// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/check.hpp"

// plain C in every build: the same picture is the same heights on every machine
#define STBI_NO_SIMD
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_NO_PIC
#define STBI_MAX_DIMENSIONS 8192
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wsign-compare"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace volary::scenario {

namespace {

// The decoder (stb_image before 2.29) writes past its tables when a JPEG has a Huffman table of more than 256 codes. No JPEG has: ITU-T T.81,
// B.2.4.2. Markers are followed as the decoder follows them, and further where it would stop.
class JpegTables {
 public:
  explicit JpegTables(const std::string& bytes) : bytes_(bytes) {}

  bool are_sound() {
    while (at_ < bytes_.size()) {
      if (next() != 0xff) continue;
      int marker = next();
      while (marker == 0xff) marker = next();
      if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd9)) continue;  // no segment follows
      const std::size_t segment = at_, high = static_cast<std::size_t>(next()), size = high << 8 | static_cast<std::size_t>(next());
      if (marker == 0xc4 && !is_sound(segment + size)) return false;
      at_ = std::max(at_, segment + size);
    }
    return true;
  }

 private:
  // one segment may hold several tables: a number, how many codes there are of each of 16 lengths, and what they mean
  bool is_sound(std::size_t end) {
    while (at_ < end && at_ < bytes_.size()) {
      next();
      std::size_t codes = 0;
      for (int length = 0; length < 16; ++length) codes += static_cast<std::size_t>(next());
      if (codes > 256) return false;
      at_ += codes;
    }
    return true;
  }
  // 0 past the end, as the decoder has it
  int next() {
    const std::size_t at = at_++;
    return at < bytes_.size() ? static_cast<unsigned char>(bytes_[at]) : 0;
  }

  const std::string& bytes_;
  std::size_t at_ = 0;
};

}  // namespace

core::Result<Image> decode_image(const std::string& bytes) {
  if (bytes.starts_with('\xff') && !JpegTables(bytes).are_sound())
    return core::Error{.message = "is a damaged picture: a Huffman table has more than 256 codes"};
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int size = static_cast<int>(bytes.size());  // files are at most 64 MiB (read_file)
  int width = 0, height = 0, channels = 0;
  if (stbi_info_from_memory(data, size, &width, &height, &channels) == 0)
    return core::Error{.message = "is no picture that can be read", .suggestion = "PNG, JPEG, BMP, GIF, TGA, PNM and PSD can"};
  if (width > STBI_MAX_DIMENSIONS || height > STBI_MAX_DIMENSIONS)
    return core::Error{.message = fmt::format("is {} x {} pixels: at most {} a side", width, height, STBI_MAX_DIMENSIONS)};
  const std::unique_ptr<stbi_us, void (*)(void*)> pixels(stbi_load_16_from_memory(data, size, &width, &height, &channels, 1), stbi_image_free);
  if (pixels == nullptr) return core::Error{.message = fmt::format("is a damaged picture: {}", stbi_failure_reason())};
  Image image{static_cast<std::size_t>(width), static_cast<std::size_t>(height), {}};
  image.brightness.assign(pixels.get(), pixels.get() + image.width * image.height);
  return image;
}

}  // namespace volary::scenario
