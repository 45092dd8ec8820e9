#include "cli/python.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace skyline {
namespace {

namespace fs = std::filesystem;

class PackageFolder : public testing::Test {
 protected:
  PackageFolder()
      : root_(fs::path(testing::TempDir()) / ("skyline_package_folder_" + std::to_string(::getpid()))) {
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  ~PackageFolder() override { fs::remove_all(root_); }

  void touch(const fs::path& path) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream file(root_ / path);
  }
  std::string of(const fs::path& binary) { return package_folder((root_ / binary).string()); }

  fs::path root_;
};

TEST_F(PackageFolder, OfACheckoutIsItsPythonFolder) {
  touch("python/skyline/__main__.py");
  EXPECT_EQ(of("build/release/bin/skyline"), (root_ / "python").string());
}

TEST_F(PackageFolder, OfAnInstalledPackageIsWhereItStands) {
  touch("site-packages/skyline/__main__.py");
  EXPECT_EQ(of("site-packages/skyline/bin/skyline"), (root_ / "site-packages").string());
}

TEST_F(PackageFolder, OfALoneProgramIsNone) { EXPECT_EQ(of("usr/bin/skyline"), ""); }

TEST(DefaultPython, IsTheActiveEnvironments) {
  Environment environment;
  EXPECT_EQ(default_python(environment), "python3");
  environment.virtual_env = "/home/me/venv";
  EXPECT_EQ(default_python(environment), "/home/me/venv/bin/python");
}

}  // namespace
}  // namespace skyline
