// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/image.hpp"

#include <gtest/gtest.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wunused-function"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace volary::scenario {
namespace {

void append(void* to, void* data, int size) { static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size)); }

// a grey JPEG of 16 x 8 pixels
std::string jpeg() {
  const std::vector<unsigned char> grey(16 * 8 * 3, 128);
  std::string bytes;
  stbi_write_jpg_to_func(append, &bytes, 16, 8, 3, grey.data(), 90);
  return bytes;
}
// FF C4, the length of the segment, and a table with so many codes of each of 16 lengths
std::string huffman_table(int codes_of_each) {
  const int size = 2 + 17 + 16 * codes_of_each;
  std::string s = "\xff\xc4";
  s += static_cast<char>(size >> 8), s += static_cast<char>(size & 255);
  return s + '\0' + std::string(16, static_cast<char>(codes_of_each)) + std::string(static_cast<std::size_t>(16 * codes_of_each), '\0');
}

TEST(image, a_jpeg_is_read_as_brightness) {
  const auto image = decode_image(jpeg());
  ASSERT_TRUE(image) << image.error().text();
  EXPECT_EQ(image.value().width, 16u);
  EXPECT_EQ(image.value().height, 8u);
  for (const std::uint16_t b : image.value().brightness) EXPECT_NEAR(b, 128 * 257, 3 * 257);
}

// ITU-T T.81, B.2.4.2: at most 256 codes; the decoder would write past its table
TEST(image, a_jpeg_with_a_table_that_is_too_large_is_refused_wherever_it_stands) {
  const std::string whole = jpeg(), bad = huffman_table(255);
  for (const std::string& text :
       {whole.substr(0, 2) + bad + whole.substr(2), std::string("\xff") + whole.substr(0, 2) + bad + whole.substr(2),
        whole.substr(0, 2) + "xx" + bad + whole.substr(2), whole.substr(0, whole.size() - 2) + bad + whole.substr(whole.size() - 2)}) {
    const auto image = decode_image(text);
    ASSERT_FALSE(image);
    EXPECT_NE(image.error().message.find("Huffman"), std::string::npos) << image.error().message;
  }
  // bytes that look like one inside another segment are no table
  std::string comment = "\xff\xfe";
  comment += static_cast<char>((bad.size() + 2) >> 8), comment += static_cast<char>((bad.size() + 2) & 255);
  EXPECT_TRUE(decode_image(whole.substr(0, 2) + comment + bad + whole.substr(2)));
}

TEST(image, a_jpeg_that_is_cut_off_or_has_a_byte_turned_is_never_a_crash) {
  const std::string whole = jpeg();
  for (std::size_t n = 0; n < whole.size(); ++n) {
    std::string turned = whole;
    turned[n] = static_cast<char>(~turned[n]);
    for (const std::string& text : {whole.substr(0, n), turned})
      if (const auto image = decode_image(text); !image) {
        EXPECT_FALSE(image.error().message.empty());
      }
  }
}

}  // namespace
}  // namespace volary::scenario
