#include "cli/setup/python.h"

#include <gtest/gtest.h>

#include "base/test_folder.h"

namespace skyline::cli {
namespace {

class PackageFolder : public testing::Test {
 protected:
  void touch(const std::string& path) const { root_.write(path); }
  std::string of(const std::string& binary) const { return package_folder(root_ / binary); }

  const TestFolder root_;
};

TEST_F(PackageFolder, OfACheckoutIsItsPythonFolder) {
  touch("python/skyline/__main__.py");
  EXPECT_EQ(of("build/release/bin/skyline"), root_ / "python");
}

TEST_F(PackageFolder, OfAnInstalledPackageIsWhereItStands) {
  touch("site-packages/skyline/__main__.py");
  EXPECT_EQ(of("site-packages/skyline/bin/skyline"), root_ / "site-packages");
}

TEST_F(PackageFolder, OfALoneProgramIsNone) { EXPECT_EQ(of("usr/bin/skyline"), ""); }

TEST(AbsoluteParts, LeaveOutWhatMeansTheCurrentFolder) {
  EXPECT_EQ(absolute_parts(""), "");
  EXPECT_EQ(absolute_parts("/a:/b"), "/a:/b");
  EXPECT_EQ(absolute_parts(":/a"), "/a");  // export PYTHONPATH=$PYTHONPATH:/a
  EXPECT_EQ(absolute_parts("/a::.:src:/b:"), "/a:/b");
  EXPECT_EQ(absolute_parts(":"), "");
}

TEST(DefaultPython, IsTheActiveEnvironments) {
  Environment environment;
  EXPECT_EQ(default_python(environment), "python3");
  environment.virtual_env = "/home/me/venv";
  EXPECT_EQ(default_python(environment), "/home/me/venv/bin/python");
}

}  // namespace
}  // namespace skyline::cli
