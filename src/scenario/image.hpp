// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures as brightness. The only file that knows the decoder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace volary::scenario {

struct Image {
  std::size_t width = 0, height = 0;
  std::vector<std::uint16_t> brightness;  // 0 black to 65535 white, row by row from the top
};

// PNG, JPEG, BMP, GIF, TGA, PNM, PSD; colours by their luma, eight bits stretched to sixteen
core::Result<Image> decode_image(const std::string& bytes);

}  // namespace volary::scenario
