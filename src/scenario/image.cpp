// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/image.hpp"

#include <fmt/format.h>

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

core::Result<Image> decode_image(const std::string& bytes) {
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
