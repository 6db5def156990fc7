// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/stored_zip.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/scratch_folder.hpp"
#include "replay/crc32.hpp"
#include "replay/npy.hpp"
#include "replay/utf.hpp"

namespace volary::replay {

namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }
std::uint32_t crc_of(const std::string& text) {
  Crc32 crc;
  crc.add(bytes_of(text));
  return crc.value();
}

TEST(Crc32Zlib, HasTheCheckValueAndJoins) {
  EXPECT_EQ(crc_of("123456789"), 0xcbf43926u);
  std::string text;
  for (int k = 0; k < 5000; ++k) text += static_cast<char>(k * k);
  for (const std::size_t at : {0u, 1u, 7u, 256u, 4999u, 5000u})
    EXPECT_EQ(joined_crc32(crc_of(text.substr(0, at)), crc_of(text.substr(at)), text.size() - at), crc_of(text)) << at;
}

TEST(StoredZip, EntriesThatGrowSideBySideAreWholeInTheFile) {
  core::ScratchFolder folder;
  auto made = StoredZip::create(folder.file("a.zip"));
  ASSERT_TRUE(made);
  StoredZip& zip = made.value();
  std::string a, b, grown;
  const std::size_t first = zip.add("a", 300000 * 3), second = zip.add("b", 300000 * 2), last = zip.add_growing("grown", 4);
  for (int k = 0; k < 300000; ++k) {
    const std::string three = std::to_string(100 + k % 900), two = std::to_string(10 + k % 90);
    a += three, b += two, grown += two;
    zip.put(first, bytes_of(three)), zip.put(second, bytes_of(two)), zip.put(last, bytes_of(two));
  }
  zip.end_growing(bytes_of("head"));
  const std::string small = "small";
  zip.put(zip.add("c", small.size()), bytes_of(small));
  ASSERT_TRUE(zip.finish());
  std::ifstream in(folder.file("a.zip"), std::ios::binary);
  const std::string file(std::istreambuf_iterator<char>(in), {});
  EXPECT_EQ(file.size(), zip.size());
  EXPECT_EQ(file.substr(30 + 1, a.size()), a);
  EXPECT_EQ(file.substr(30 + 1 + a.size() + 30 + 1, b.size()), b);
  const std::size_t at = 31 + a.size() + 31 + b.size() + 30 + 5 + 20;
  EXPECT_EQ(file.substr(at, 4 + grown.size()), "head" + grown);
  EXPECT_EQ(file.substr(at + 4 + grown.size() + 31, 5), small);
  std::uint32_t crc = 0;
  std::memcpy(&crc, file.data() + at - 55 + 14, 4);
  EXPECT_EQ(crc, crc_of("head" + grown));
}

TEST(Npy, HeadersAreAlignedAndTextsAreCharacters) {
  for (const std::vector<std::uint64_t>& shape : {std::vector<std::uint64_t>{}, {3}, {100000, 1000, 4}}) EXPECT_EQ(npy_header("'<f4'", shape).size() % 64, 0u);
  EXPECT_NE(npy_header("'<f4'", {3}).find("'shape': (3,)"), std::string::npos);
  EXPECT_NE(npy_header("'<f4'", {2, 3}).find("'shape': (2, 3)"), std::string::npos);
  EXPECT_EQ(utf32("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), U"a\u00e9\u20ac\U0001f600");
  EXPECT_EQ(utf32("\xff\xc3(\xed\xa0\x80"), U"\ufffd\ufffd(\ufffd\ufffd\ufffd") << "bytes that are no text, half of a pair";
  EXPECT_EQ(xml_text("<a&\x01\xc3\xa9\xff>\""), "&lt;a&amp; \xc3\xa9\xef\xbf\xbd&gt;&quot;");
}

}  // namespace

}  // namespace volary::replay
