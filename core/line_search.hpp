// Few errors by line searches: the 0/1 loss along random directions, minimised exactly.
//
// Along a line w + θv each row changes sides once, so sorting the n places where that happens finds
// the least loss on the whole line (Li and Lin, "Optimizing 0/1 loss for perceptrons by random
// coordinate descent", 2007). Moves to an equal loss are taken too: they let the plane drift over
// plateaus. It proposes; whether the rows that it gets right can be separated is proven elsewhere.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "pace.hpp"
#include "random.hpp"
#include "rows.hpp"

namespace novikoff {

// A score above this is taken to be positive: rows and planes have length 1.
constexpr double RIGHT = 1e-10;

// A number, and the row that it belongs to.
struct Place {
  double at;
  std::int64_t row;
};

// Sorts places by their numbers, equal ones in the order in which they come: digit by digit.
class PlaceSorter {
 public:
  template <class Pause>
  void sort(std::vector<Place>& places, Pause& pause) {
    constexpr int DIGITS = 8;
    counts_.fill({});
    for (const Place& place : places)
      for (int digit = 0; digit < DIGITS; ++digit) ++counts_[digit][key(place, digit)];
    others_.resize(places.size());
    for (int digit = 0; digit < DIGITS; ++digit) {
      auto& starts = counts_[digit];
      if (!places.empty() && starts[key(places[0], digit)] == std::int64_t(places.size())) continue;
      std::int64_t start = 0;
      for (auto& count : starts) {
        const std::int64_t next = start + count;
        count = start;
        start = next;
      }
      for (const Place& place : places) others_[starts[key(place, digit)]++] = place;
      places.swap(others_);
      if (places.size() > SMALL) pause();
    }
  }

 private:
  // A digit of an integer that grows with the number.
  static std::size_t key(const Place& place, int digit) {
    const auto bits = std::bit_cast<std::int64_t>(place.at);
    const auto ordered = std::uint64_t(bits) ^ (std::uint64_t(bits >> 63) | std::uint64_t{1} << 63);
    return ordered >> (8 * digit) & 0xff;
  }

  static constexpr std::size_t SMALL = 1 << 14;
  std::array<std::array<std::int64_t, 256>, 8> counts_;
  std::vector<Place> others_;
};

// A walk over planes for the rows of U (n × rank), each of which counts its weight when it is wrong.
template <class Pause>
class LineSearch {
 public:
  LineSearch(const double* U, std::int64_t n, std::int64_t rank, const double* weights,
             Random random, Pause& pause)
      : U_(U), n_(n), rank_(rank), weights_(weights), random_(random), pause_(pause),
        scores_(n), slopes_(n), w_(rank), v_(rank), moved_(rank) {}

  // The last of the best w of so many line searches from `best`; it is there even if pause() throws.
  void descend(double* best, std::int64_t steps) {
    const double length = std::sqrt(sqnorm(best, rank_));
    for (std::int64_t k = 0; k < rank_; ++k) best[k] /= length;
    std::copy_n(best, rank_, w_.begin());
    score(w_, scores_);
    double loss = loss_of_scores();
    best_loss_ = loss;
    for (std::int64_t step = 0; step < steps; ++step) {
      pause_();
      choose_direction(int(step % 3));
      const double v_length = std::sqrt(sqnorm(v_.data(), rank_));
      if (v_length == 0.0) continue;
      for (double& value : v_) value /= v_length;
      score(v_, slopes_);
      const auto [theta, least] = best_step();
      if (least > loss + 1e-9) continue;
      for (std::int64_t k = 0; k < rank_; ++k) moved_[k] = w_[k] + theta * v_[k];
      const double moved_length = std::sqrt(sqnorm(moved_.data(), rank_));
      if (!(moved_length > 1e-9)) continue;
      for (std::int64_t k = 0; k < rank_; ++k) w_[k] = moved_[k] / moved_length;
      score(w_, scores_);
      loss = loss_of_scores();
      if (loss <= best_loss_) {
        std::copy_n(w_.begin(), rank_, best);
        best_loss_ = loss;
      }
    }
  }

  double best_loss() const { return best_loss_; }

 private:
  static constexpr std::int64_t MOST_TURNED = 200;  // rows whose scores stay as they are

  const double* row(std::int64_t i) const { return U_ + i * rank_; }

  void score(const std::vector<double>& w, std::vector<double>& scores) {
    const std::int64_t block = 1 + WORK_PER_BLOCK / rank_;
    for (std::int64_t start = 0; start < n_; start += block) {
      const std::int64_t stop = std::min(n_, start + block);
      for (std::int64_t i = start; i < stop; ++i) scores[i] = dot(row(i), w.data(), rank_);
      if (stop < n_) pause_();
    }
  }

  // What the rows weigh whose score is not positive, or hardly.
  double loss_of_scores() const {
    double total = 0.0;
    for (std::int64_t i = 0; i < n_; ++i)
      if (!(scores_[i] > RIGHT)) total += weights_[i];
    return total;
  }

  struct Step {
    double theta, loss;
  };

  // The θ in the middle of the best interval of scores + θ·slopes, and the loss there.
  Step best_step() {
    double loss = 0.0;
    places_.clear();
    for (std::int64_t i = 0; i < n_; ++i) {
      const double score = scores_[i], slope = slopes_[i];
      if (slope > 0.0 || (slope == 0.0 && score <= 0.0)) loss += weights_[i];
      const double place = -score / slope;
      if (std::isfinite(place)) places_.push_back({place + 0.0, i});  // −0 becomes 0
    }
    sorter_.sort(places_, pause_);
    // Behind the last place is an interval only if there is a row that does not change sides.
    const auto count = std::int64_t(places_.size());
    const std::int64_t last = std::min(count, n_ - 1);
    Step best{0.0, std::numeric_limits<double>::infinity()};
    double width = 0.0;
    for (std::int64_t k = 0; k < last; ++k) {
      const auto [at, i] = places_[k];
      loss += slopes_[i] > 0.0 ? -weights_[i] : weights_[i];
      const double gap = k + 1 < count ? places_[k + 1].at - at : 1.0;
      const bool is_better =
          loss < best.loss - 1e-9 || (loss < best.loss + 1e-9 && gap > width);
      if (gap > 1e-11 && is_better) {
        best = {at + 0.5 * gap, loss};
        width = gap;
      }
    }
    return best;
  }

  // Where to look: anywhere, along a row that is wrong, or along the plane of some near rows.
  void choose_direction(int kind) {
    for (double& value : v_) value = random_.normal();
    if (kind == 1) along_a_wrong_row();
    if (kind == 2) along_a_plane_of_near_rows();
  }

  void along_a_wrong_row() {
    chosen_.clear();
    for (std::int64_t i = 0; i < n_; ++i)
      if (scores_[i] <= 0.0) chosen_.push_back(i);
    if (!chosen_.empty())
      std::copy_n(row(chosen_[random_.below(std::int64_t(chosen_.size()))]), rank_, v_.begin());
  }

  // Turn around rows near the plane: their scores stay as they are.
  void along_a_plane_of_near_rows() {
    const std::int64_t near = std::min(n_, 3 * rank_), widest = std::min(rank_, MOST_TURNED);
    nearest_.resize(n_);
    // As integers, the bits of numbers from 0 on are in their order, and NaN is the greatest.
    for (std::int64_t i = 0; i < n_; ++i)
      nearest_[i] = {std::bit_cast<std::int64_t>(std::abs(scores_[i])), i};
    std::partial_sort(nearest_.begin(), nearest_.begin() + near, nearest_.end());
    const std::int64_t most = rank_ > 1 ? 1 + random_.below(widest - 1) : 0;
    kept_.resize(most * rank_);
    std::int64_t size = 0;
    for (std::int64_t k = 0; k < most; ++k) {
      double* u = kept_.data() + size * rank_;
      std::copy_n(row(nearest_[random_.below(near)].second), rank_, u);
      leave_out_kept(u, size);
      const double length = std::sqrt(sqnorm(u, rank_));
      if (!(length > 1e-9)) continue;
      for (std::int64_t j = 0; j < rank_; ++j) u[j] /= length;
      ++size;
    }
    leave_out_kept(v_.data(), size);
  }

  // u without its parts along the first kept directions (Gram and Schmidt, one after the other).
  void leave_out_kept(double* u, std::int64_t size) {
    for (std::int64_t k = 0; k < size; ++k) {
      const double* direction = kept_.data() + k * rank_;
      axpy(direction, -dot(u, direction, rank_), u, rank_);
    }
    pause_();
  }

  const double* U_;
  std::int64_t n_, rank_;
  const double* weights_;
  Random random_;
  Pause& pause_;
  std::vector<double> scores_, slopes_, w_, v_, moved_, kept_;
  std::vector<Place> places_;
  std::vector<std::pair<std::int64_t, std::int64_t>> nearest_;
  std::vector<std::int64_t> chosen_;
  PlaceSorter sorter_;
  double best_loss_ = std::numeric_limits<double>::infinity();
};

}  // namespace novikoff
