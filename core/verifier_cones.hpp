// What a tree of halved cones proves, for the verifier, in integers that are rounded up alone.
//
// It shares nothing with cones.hpp. A row's integers are upper bounds on its scores at the corners of
// a cone, in a unit of its own; the middle of an edge has the mean of two, rounded up. So a row whose
// integers are all 0 or less is wrong for every plane in the cone.
#pragma once

#include <cstdint>
#include <vector>

namespace novikoff::verifier {

template <class Pause>
class ConeTree {
 public:
  // `above` bounds a row's score at each vector, `opposite` that at its opposite: 2⁶⁰ at most.
  ConeTree(const std::int64_t* above, const std::int64_t* opposite, const std::int64_t* weights,
           std::int64_t n, std::int64_t r, const std::uint8_t* tree, std::int64_t size, Pause& pause)
      : above_(above), opposite_(opposite), weights_(weights), n_(n), r_(r), tree_(tree),
        size_(size), levels_(DEEPEST + 1), pause_(pause) {}

  // The least that any leaf proves; −1 if the tree is none, or takes too long.
  std::int64_t least() {
    least_ = INT64_MAX;
    for (std::int64_t cone = 0; cone < std::int64_t{1} << r_; ++cone) {
      levels_[0].bounds.clear();
      levels_[0].weights.clear();
      std::int64_t wrong = 0;
      std::vector<std::int64_t> bounds(r_);
      for (std::int64_t i = 0; i < n_; ++i) {
        for (std::int64_t j = 0; j < r_; ++j)
          bounds[j] = (cone >> j & 1 ? opposite_ : above_)[i * r_ + j];
        wrong += keep(levels_[0], bounds, weights_[i]);
      }
      if (!walk(0, wrong, 0)) return -1;
    }
    return at_ == size_ ? least_ : -1;
  }

 private:
  static constexpr std::int64_t DEEPEST = 256, CORNERS = 6;
  static constexpr std::int64_t MOST_WORK = std::int64_t{1} << 34;  // rows looked at, in all cones
  static constexpr std::int64_t MOST_HELD = std::int64_t{1} << 21;  // rows of a cone and those above
  static constexpr std::uint8_t LEAF = 255;

  struct Rows {
    std::vector<std::int64_t> bounds, weights;
  };

  // A row that is right somewhere is kept; one that is right nowhere is an error.
  static std::int64_t keep(Rows& rows, const std::vector<std::int64_t>& bounds,
                           std::int64_t weight) {
    bool is_wrong = true, is_right = true;
    for (const std::int64_t bound : bounds) (bound > 0 ? is_wrong : is_right) = false;
    if (is_wrong) return weight;
    // One with positive bounds at all corners stays so in every part of the cone.
    if (is_right) return 0;
    rows.bounds.insert(rows.bounds.end(), bounds.begin(), bounds.end());
    rows.weights.push_back(weight);
    return 0;
  }

  bool walk(std::int64_t depth, std::int64_t wrong, std::int64_t held) {
    pause_();
    const auto rows = std::int64_t(levels_[depth].weights.size());
    work_ += rows;
    held += rows;
    if (at_ >= size_ || work_ > MOST_WORK || held > MOST_HELD) return false;
    const std::uint8_t node = tree_[at_++];
    if (node == LEAF) {
      if (wrong < least_) least_ = wrong;
      return true;
    }
    const std::int64_t one = node / CORNERS, other = node % CORNERS;
    if (!(one < other && other < r_ && depth < DEEPEST)) return false;
    const Rows& here = levels_[depth];
    Rows& below = levels_[depth + 1];
    std::vector<std::int64_t> bounds(r_);
    for (const std::int64_t replaced : {other, one}) {
      below.bounds.clear();
      below.weights.clear();
      std::int64_t more = 0;
      for (std::size_t i = 0; i < here.weights.size(); ++i) {
        const std::int64_t* old = here.bounds.data() + i * r_;
        bounds.assign(old, old + r_);
        bounds[replaced] = (old[one] + old[other] + 1) >> 1;  // rounded up, of either sign
        more += keep(below, bounds, here.weights[i]);
      }
      if (!walk(depth + 1, wrong + more, held)) return false;
    }
    return true;
  }

  const std::int64_t* above_;
  const std::int64_t* opposite_;
  const std::int64_t* weights_;
  std::int64_t n_, r_;
  const std::uint8_t* tree_;
  std::int64_t size_, at_ = 0, least_ = 0, work_ = 0;
  std::vector<Rows> levels_;
  Pause& pause_;
};

}  // namespace novikoff::verifier
