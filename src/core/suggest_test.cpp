// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/suggest.hpp"

#include <gtest/gtest.h>

namespace volary::core {

TEST(suggest, distance_counts_single_letter_edits) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("mass", "mass"), 0u);
  EXPECT_EQ(edit_distance("mas", "mass"), 1u);
  EXPECT_EQ(edit_distance("masss", "mass"), 1u);
  EXPECT_EQ(edit_distance("mess", "mass"), 1u);
  EXPECT_EQ(edit_distance("", "mass"), 4u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(suggest, a_swap_of_neighbours_is_one_edit) {
  EXPECT_EQ(edit_distance("msas", "mass"), 1u);
  EXPECT_EQ(edit_distance("cuont", "count"), 1u);
}

TEST(suggest, distance_is_symmetric) {
  EXPECT_EQ(edit_distance("duration", "durtion"), edit_distance("durtion", "duration"));
  EXPECT_EQ(edit_distance("abc", "xyzabc"), edit_distance("xyzabc", "abc"));
}

TEST(suggest, very_long_words_are_compared_by_their_beginning) {
  const std::string a(100'000, 'a'), b(100'000, 'b');
  EXPECT_EQ(edit_distance(a, b), 64u);
}

TEST(suggest, nearest_is_empty_when_nothing_is_near) {
  EXPECT_EQ(nearest("mas", {"mass", "motor"}), "mass");
  EXPECT_EQ(nearest("zebra", {"mass", "motor"}), "");
  EXPECT_EQ(nearest("x", {"y"}), "");
}

TEST(suggest, the_sentence_names_the_near_word_or_lists_what_is_known) {
  EXPECT_EQ(did_you_mean("mas", {"mass", "motor"}), "did you mean 'mass'?");
  EXPECT_EQ(did_you_mean("zebra", {"mass", "motor"}), "known: mass, motor");
  EXPECT_EQ(did_you_mean("zebra", {}), "");
}

}  // namespace volary::core
