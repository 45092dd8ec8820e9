#include "cli/setup/serving.h"

#include <gtest/gtest.h>

#include "cli/setup/serve_arguments.h"

namespace skyline::cli {
namespace {

TEST(Serving, OnlyThisMachineReachesALoopbackAddress) {
  for (const char* host : {"", "127.0.0.1", "127.0.0.2", "localhost", "::1"})
    EXPECT_TRUE(is_loopback(host)) << host;
  for (const char* host : {"0.0.0.0", "::", "10.0.0.7", "gpu-box", "localhost.example"}) {
    EXPECT_FALSE(is_loopback(host)) << host;
  }
}

TEST(Serving, TheTunnelLeadsToTheAddressThatTheUserCameBy) {
  EXPECT_EQ(tunnel_line("10.0.0.9 50000 10.0.0.7 22", "me", "127.0.0.1", 4000),
            "ssh -N -L 4000:127.0.0.1:4000 me@10.0.0.7");
  EXPECT_EQ(tunnel_line("fe80::9 50000 fe80::7 22", "", "::1", 4000), "ssh -N -L 4000:[::1]:4000 fe80::7");
}

TEST(Serving, WhoDidNotComeBySshNeedsNoTunnel) {
  for (const char* connection : {"", " ", "10.0.0.9", "10.0.0.9 50000"}) {
    EXPECT_EQ(tunnel_line(connection, "me", "127.0.0.1", 4000), "");
  }
}

TEST(Serving, DefaultsAreLoopbackAndAnyPort) {
  const serve::ServeOptions options = serve_options({});
  EXPECT_EQ(options.host, "127.0.0.1");
  EXPECT_EQ(options.port, 0);
  Arguments arguments;
  arguments.set(kHostArgument, "::1");
  arguments.set(kPortArgument, int64_t{8000});
  EXPECT_EQ(serve_options(arguments).host, "::1");
  EXPECT_EQ(serve_options(arguments).port, 8000);
}

}  // namespace
}  // namespace skyline::cli
