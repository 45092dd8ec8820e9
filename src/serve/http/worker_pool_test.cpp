#include "serve/http/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>

namespace skyline::serve {
namespace {

TEST(WorkerPool, OneClientCannotHoldAllThreads) {
  std::promise<void> open;
  std::shared_future<void> gate = open.get_future().share();
  WorkerPool pool(2, 1);
  for (int i = 0; i < 5; ++i) pool.run(1, [gate] { gate.wait(); });
  std::promise<void> answered;
  pool.run(2, [&] { answered.set_value(); });
  EXPECT_EQ(answered.get_future().wait_for(std::chrono::seconds(30)), std::future_status::ready);
  open.set_value();
}

TEST(WorkerPool, ClientsTakeTurns) {
  std::promise<void> open;
  std::string order;
  std::promise<void> all;
  {
    WorkerPool pool(1, 1);
    std::shared_future<void> gate = open.get_future().share();
    std::promise<void> begun;
    pool.run(9, [&, gate] {
      begun.set_value();
      gate.wait();
    });
    begun.get_future().wait();  // or the thread may begin with another client
    for (int i = 0; i < 3; ++i) pool.run(1, [&] { order += 'a'; });
    pool.run(2, [&] { order += 'b'; });
    pool.run(3, [&] {
      order += 'c';
      all.set_value();
    });
    open.set_value();
    all.get_future().wait();
  }
  EXPECT_EQ(order.substr(0, 3), "abc");
}

TEST(WorkerPool, WhatWaitsForAClientThatIsGoneIsNotDone) {
  std::promise<void> open;
  std::atomic<int> done = 0;
  {
    WorkerPool pool(1, 1);
    std::shared_future<void> gate = open.get_future().share();
    std::promise<void> begun;
    pool.run(1, [&, gate] {
      begun.set_value();
      gate.wait();
    });
    begun.get_future().wait();
    for (int i = 0; i < 10; ++i) pool.run(1, [&] { ++done; });
    pool.forget(1);
    std::promise<void> last;
    pool.run(2, [&] { last.set_value(); });
    open.set_value();
    last.get_future().wait();
  }
  EXPECT_EQ(done, 0);
}

TEST(WorkerPool, AtTheEndWhatWaitsIsDropped) {
  auto owned = std::make_shared<int>(1);
  std::promise<void> open, begun;
  WorkerPool pool(1, 1);
  pool.run(1, [&, gate = open.get_future().share()] {
    begun.set_value();
    gate.wait();
  });
  begun.get_future().wait();
  pool.run(1, [owned] { FAIL(); });
  std::thread ending([&] { pool.end(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // so that the end waits for what runs
  open.set_value();
  ending.join();
  EXPECT_EQ(owned.use_count(), 1);
}

}  // namespace
}  // namespace skyline::serve
