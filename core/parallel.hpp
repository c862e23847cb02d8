// One run on several threads, with the bits of one thread.
//
// Threads score a batch of examples against weights ŵ₀ that stand still. One pass over the scores then
// goes through the examples in their order: most are right beyond doubt, whatever was learned since,
// and the others are scored again and decided as ever.
//
// Proof that nothing changes: let s be the computed score yᵢ ŵ₀·x̂ᵢ, off by `error` at most, ŵ the
// weights that example i meets, and drift ≥ ‖ŵ − ŵ₀‖. Then
//
//   yᵢ ŵ·x̂ᵢ = yᵢ ŵ₀·x̂ᵢ + yᵢ (ŵ − ŵ₀)·x̂ᵢ ≥ s − error − drift·‖x̂ᵢ‖
//
// by Cauchy–Schwarz. Where s > error + drift·‖x̂ᵢ‖ that is positive: example i is no mistake, and a run
// on one thread learns nothing from it either. `drift` is inflated for the rounding of that test; what
// its product loses to underflow is less than the TINY in `error`. An overflow or a NaN on the way
// makes the test fail, and so the example is scored again.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "epochs.hpp"

namespace novikoff {

// Threads that score examples together with the one that asks them to.
//
// Work is a row of tickets, a chunk of examples each, which everybody takes from. Whoever sleeps, or
// has lost its processor, takes none, and nobody waits for it.
template <class Rows>
class Scorers {
 public:
  Scorers(const Examples<Rows>& examples, int threads) : examples_(examples) {
    try {
      for (int k = 1; k < threads; ++k)
        threads_.emplace_back([this, own = Rows(examples.rows)] { work(own); });
    } catch (const std::exception&) {  // no room for another thread: fewer do as well
    }
  }

  ~Scorers() {
    closed_.store(true);
    end_.fetch_add(1);
    end_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  // sides[t − start] = yᵢ ŵ·x̂ᵢ as signed_score computes it, for i = order[t], start ≤ t < stop.
  void score(const Order& order, std::int64_t start, std::int64_t stop, const double* w,
             double* sides) {
    const auto shares = 4 * std::int64_t(threads_.size() + 1);
    chunk_ = std::max<std::int64_t>(FEWEST, (stop - start + shares - 1) / shares);
    order_ = &order, start_ = start, stop_ = stop, w_ = w, sides_ = sides;
    begin_ = end_.load();
    const std::int64_t end = begin_ + (stop - start + chunk_ - 1) / chunk_;
    end_.store(end);  // the tickets are out
    end_.notify_all();
    while (take(examples_.rows)) {
    }
    while (done_.load() < end) std::this_thread::yield();
  }

 private:
  static constexpr std::int64_t FEWEST = 8;  // examples a ticket
  static constexpr int TRIES = 100;          // before a thread goes to sleep: some 50 µs

  void work(const Rows& rows) {
    std::int64_t seen = 0;
    while (!closed_.load()) {
      for (int tries = 0; tries < TRIES; ++tries) {
        seen = end_.load();
        if (take(rows)) tries = 0;
        else std::this_thread::yield();
      }
      if (!closed_.load()) end_.wait(seen);
    }
  }

  // Take a ticket, if there is one, and do its work. Until that is done score() does not return: so
  // what it has set can be read, and nobody changes the weights.
  bool take(const Rows& rows) {
    std::int64_t ticket = next_.load();
    do {
      if (ticket >= end_.load() || closed_.load()) return false;
    } while (!next_.compare_exchange_weak(ticket, ticket + 1));
    const std::int64_t from = start_ + (ticket - begin_) * chunk_;
    const std::int64_t to = std::min(stop_, from + chunk_);
    for (std::int64_t t = from; t < to; ++t) {
      order_->fetch_ahead(examples_, t, to);
      const std::int64_t i = (*order_)[t];
      sides_[t - start_] = signed_score(rows, i, examples_.push[i], w_);
    }
    done_.fetch_add(1);
    return true;
  }

  const Examples<Rows>& examples_;
  const Order* order_ = nullptr;
  std::int64_t start_ = 0, stop_ = 0, chunk_ = 1, begin_ = 0;
  const double* w_ = nullptr;
  double* sides_ = nullptr;
  // Tickets are numbered from 0 on for ever: those before next_ are taken, those before end_ are out.
  std::atomic<std::int64_t> next_{0}, end_{0}, done_{0};
  std::atomic<bool> closed_{false};
  std::vector<std::thread> threads_;
};

// Which of two ways is faster: the other one is tried now and then, for a small share of the time.
class Faster {
 public:
  bool second() const { return trying_ != best_; }

  // The way that second() said took so many seconds for so many examples.
  void took(double seconds, double examples) {
    double& pace = pace_[second()];
    // Whoever lost its processor meanwhile is not as slow as it seems.
    pace = std::min(seconds / examples, 1.25 * pace);
    if (at_first_ > 0) {
      trying_ = --at_first_ == 0;
      return;
    }
    if (!trying_) {
      rest_ -= seconds;
      trying_ = rest_ <= 0.0;
      return;
    }
    tried_ += seconds;
    if (++calls_ < TRIAL) return;
    const bool changes = pace < pace_[best_];
    rest_ = changes ? 0.0 : SHARE * tried_;
    best_ = best_ != changes;
    trying_ = false, calls_ = 0, tried_ = 0.0;
  }

 private:
  static constexpr int TRIAL = 2;  // calls: the first may have to wake threads
  // Calls that the first way gets at first, some 50 ms: a second thread that loses its processor in
  // the middle of its work keeps the first one waiting for some milliseconds.
  static constexpr int AT_FIRST = 256;
  static constexpr double SHARE = 64.0, UNKNOWN = std::numeric_limits<double>::infinity();
  bool best_ = false, trying_ = false;
  int calls_ = 0, at_first_ = AT_FIRST;
  double rest_ = 0.0, tried_ = 0.0;
  double pace_[2] = {UNKNOWN, UNKNOWN};  // seconds an example
};

// A learner whose examples are scored by several threads, where that is faster than by one.
//
// Learner has `weights`, and learn(examples, t, i), which learns from a mistake.
template <class Learner, class Rows>
class Parallel : public Learner {
 public:
  Parallel(const Learner& plain, const Examples<Rows>& examples, int threads)
      : Learner(plain), examples_(examples), threads_(threads) {}

  template <class Between>
  Presented present(const Examples<Rows>& examples, const Order& order, Rule rule,
                    std::int64_t start, std::int64_t stop, Between&& pause) {
    if (threads_ == 1) return Learner::present(examples, order, rule, start, stop, pause);
    const auto began = Clock::now();
    const auto count = double(stop - start);
    std::int64_t mistakes = 0;
    // Afterwards the learner is presented nothing more, so that it counts the rounds.
    if (faster_.second())
      mistakes = present_scored(examples, order, rule, std::exchange(start, stop), stop);
    mistakes += Learner::present(examples, order, rule, start, stop, pause).mistakes;
    faster_.took(std::chrono::duration<double>(Clock::now() - began).count(), count);
    return {mistakes, stop};
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::int64_t SMALLEST = 128, LARGEST = 1 << 14;  // examples a batch

  std::int64_t present_scored(const Examples<Rows>& examples, const Order& order, Rule rule,
                              std::int64_t start, std::int64_t stop) {
    if (!scorers_) scorers_.emplace(examples_, threads_);
    const Rows& rows = examples.rows;
    const double *push = examples.push, *norms = examples.norms, R = examples.radius;
    const double *w = this->weights.w, *norm = this->weights.norm;
    std::int64_t mistakes = 0;
    while (start < stop) {
      const std::int64_t end = std::min(stop, start + batch_);
      sides_.resize(std::size_t(batch_));
      scorers_->score(order, start, end, w, sides_.data());
      const double error = error_bound(examples.entries, R * *norm);
      double drift = 0.0;
      std::int64_t again = 0;
      for (std::int64_t t = start; t < end; ++t) {
        const std::int64_t i = order[t];
        const double before = sides_[std::size_t(t - start)];
        if (before > error + drift * norms[i]) continue;
        double side = before, error_now = error;
        if (drift != 0.0) {  // so it is if it is not a number
          side = signed_score(rows, i, push[i], w);
          error_now = error_bound(examples.entries, R * *norm);
          ++again;
        }
        if (side > error_now) continue;
        if (side < -error_now || is_mistake(rows, i, push[i], w, norms[i] * *norm, rule)) {
          drift = INFLATE * distance_after(drift, push[i], norms[i], *norm, examples.entries,
                                           side - before);
          this->learn(examples, t, i);
          ++mistakes;
        }
      }
      // The more mistakes, the further ŵ moves in a batch, and the more is to be scored again.
      if (again > (end - start) / 8) batch_ = std::max(batch_ / 2, SMALLEST);
      if (again < (end - start) / 32) batch_ = std::min(batch_ * 2, LARGEST);
      start = end;
    }
    return mistakes;
  }

  const Examples<Rows>& examples_;
  int threads_;
  std::optional<Scorers<Rows>> scorers_;
  Faster faster_;
  std::int64_t batch_ = 512;
  std::vector<double> sides_;
};

}  // namespace novikoff
