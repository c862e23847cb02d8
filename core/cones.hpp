// The fewest errors in few dimensions: cones of planes, halved until each is bounded.
//
// Planes are non-negative combinations of r vectors, one cone for each choice of their signs. A row
// whose score is not positive at any corner of a cone is wrong for all planes in the cone. If the
// rows that are wrong so weigh at least as much as the best plane known, the cone is settled;
// otherwise an edge of it is halved, the one that most rows cross in proportion to its length. The
// corners themselves are planes, and may be better than the best.
//
// It proposes: rows whose score is within rounding of 0 are counted as right in a bound and as wrong
// at a corner, and the verifier goes over the tree with integers.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace novikoff {

constexpr int MOST_VECTORS = 6;
constexpr std::uint8_t SETTLED = 255;

template <class Pause>
class ConeSearch {
 public:
  // Rows of numbers of at most 1 in size, r each; `most_nodes` and `most_depth` end it.
  ConeSearch(const double* rows, const double* weights, std::int64_t n, int r, double upper,
             std::int64_t most_nodes, int most_depth, Pause& pause)
      : rows_(rows), weights_(weights), n_(n), r_(r), best_(upper), most_nodes_(most_nodes),
        levels_(std::size_t(most_depth) + 1), pause_(pause) {}

  // Whether all cones were settled: then no plane has fewer errors than best().
  bool run() {
    for (int signs = 0; signs < 1 << r_; ++signs) {
      Level& level = levels_[0];
      level.clear();
      double wrong = 0.0;
      for (int j = 0; j < r_; ++j)
        for (int k = 0; k < r_; ++k)
          level.corners[j][k] = j == k ? (signs >> j & 1 ? -1.0 : 1.0) : 0.0;
      for (std::int64_t i = 0; i < n_; ++i) {
        double scores[MOST_VECTORS];
        for (int j = 0; j < r_; ++j) scores[j] = rows_[i * r_ + j] * level.corners[j][j];
        wrong += add(level, scores, weights_[i]);
      }
      for (int j = 0; j < r_; ++j) look_at(level, j, j, level.corners[j], wrong);
      if (!settle(0, wrong, 0)) return false;
    }
    return true;
  }

  double best() const { return best_; }
  const std::vector<double>& plane() const { return plane_; }
  const std::vector<std::uint8_t>& tree() const { return tree_; }

 private:
  static constexpr double ROUNDING = 0x1p-40;
  static constexpr std::int64_t MOST_WORK = std::int64_t{1} << 33;  // rows looked at, in all cones
  static constexpr std::int64_t MOST_HELD = std::int64_t{1} << 21;  // rows of a cone and those above

  struct Level {
    std::vector<double> scores, weights;
    std::vector<std::uint8_t> signs;  // which corners have a score above 0
    double corners[MOST_VECTORS][MOST_VECTORS];

    void clear() {
      scores.clear();
      weights.clear();
      signs.clear();
    }
  };

  struct Edge {
    int from, to;
  };

  // Keep a row that some planes of the cone get right and some wrong; what it adds to the errors.
  double add(Level& level, const double* scores, double weight) {
    unsigned some = 0, sure = 0;
    for (int j = 0; j < r_; ++j) {
      some |= unsigned(scores[j] > -ROUNDING) << j;
      sure |= unsigned(scores[j] > ROUNDING) << j;
    }
    if (some == 0) return weight;
    if (sure == (1u << r_) - 1) return 0.0;
    level.scores.insert(level.scores.end(), scores, scores + r_);
    level.weights.push_back(weight);
    level.signs.push_back(std::uint8_t(sure));
    return 0.0;
  }

  bool settle(std::size_t depth, double wrong, std::int64_t held) {
    pause_();
    const auto rows = std::int64_t(levels_[depth].weights.size());
    work_ += rows;
    held += rows;
    if (std::int64_t(tree_.size()) >= most_nodes_ || work_ > MOST_WORK || held > MOST_HELD)
      return false;
    if (wrong >= best_) {
      tree_.push_back(SETTLED);
      return true;
    }
    if (r_ == 1 || depth + 1 >= levels_.size()) return false;
    Level &here = levels_[depth], &below = levels_[depth + 1];
    const auto [from, to] = edge(here);
    tree_.push_back(std::uint8_t(from * MOST_VECTORS + to));
    double middle[MOST_VECTORS];
    for (int k = 0; k < r_; ++k) middle[k] = 0.5 * (here.corners[from][k] + here.corners[to][k]);
    look_at(here, from, to, middle, wrong);
    for (const int replaced : {to, from}) {
      below.clear();
      for (int j = 0; j < r_; ++j)
        for (int k = 0; k < r_; ++k)
          below.corners[j][k] = j == replaced ? middle[k] : here.corners[j][k];
      double more = 0.0;
      for (std::size_t i = 0; i < here.weights.size(); ++i) {
        double scores[MOST_VECTORS];
        for (int j = 0; j < r_; ++j) scores[j] = here.scores[i * r_ + j];
        scores[replaced] = 0.5 * (here.scores[i * r_ + from] + here.scores[i * r_ + to]);
        more += add(below, scores, here.weights[i]);
      }
      if (!settle(depth + 1, wrong + more, held)) return false;
    }
    return true;
  }

  // The middle of an edge, or a corner, is a plane: keep it if it has fewer errors than the best.
  void look_at(const Level& here, int from, int to, const double* middle, double wrong) {
    double errors = wrong;
    for (std::size_t i = 0; i < here.weights.size() && errors < best_; ++i)
      if (0.5 * (here.scores[i * r_ + from] + here.scores[i * r_ + to]) <= ROUNDING)
        errors += here.weights[i];
    if (errors >= best_) return;
    best_ = errors;
    plane_.assign(middle, middle + r_);
  }

  Edge edge(const Level& here) const {
    std::int64_t counts[1 << MOST_VECTORS] = {};
    for (const std::uint8_t signs : here.signs) ++counts[signs];
    Edge best{0, 1};
    double most = -1.0;
    for (int a = 0; a < r_; ++a)
      for (int b = a + 1; b < r_; ++b) {
        std::int64_t crossing = 0;
        for (int signs = 0; signs < 1 << r_; ++signs)
          if ((signs >> a & 1) != (signs >> b & 1)) crossing += counts[signs];
        double square = 0.0;
        for (int k = 0; k < r_; ++k) {
          const double apart = here.corners[a][k] - here.corners[b][k];
          square += apart * apart;
        }
        const double value = (double(crossing) + 0x1p-10) * std::sqrt(square);
        if (value > most) {
          most = value;
          best = {a, b};
        }
      }
    return best;
  }

  const double* rows_;
  const double* weights_;
  std::int64_t n_;
  int r_;
  double best_;
  std::int64_t most_nodes_, work_ = 0;
  std::vector<Level> levels_;
  std::vector<double> plane_;
  std::vector<std::uint8_t> tree_;
  Pause& pause_;
};

}  // namespace novikoff
