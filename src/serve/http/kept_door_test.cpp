#include "serve/http/kept_door.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/test_folder.h"

namespace skyline::serve {
namespace {

class KeptDoorTest : public testing::Test, public TestFolder {
 protected:
  const std::string path_ = *this / "sessions/door";
};

TEST_F(KeptDoorTest, IsFoundAgainAndPrivate) {
  const KeptDoor door = kept_door(path_);
  EXPECT_EQ(door.port, 0);
  EXPECT_GE(door.secret.size(), 32u);
  keep_door(path_, {40123, door.secret});
  EXPECT_EQ(kept_door(path_).port, 40123);
  EXPECT_EQ(kept_door(path_).secret, door.secret);
  struct stat status;
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  keep_door(path_, {40124, door.secret});
  EXPECT_EQ(kept_door(path_).port, 40124);
}

TEST_F(KeptDoorTest, WhatOthersCouldHaveReadIsNoSecret) {
  const KeptDoor door = {40123, std::string(32, 's')};
  keep_door(path_, door);
  ::chmod(path_.c_str(), 0640);
  EXPECT_NE(kept_door(path_).secret, door.secret);
  keep_door(path_, door);
  std::filesystem::create_symlink(path_, *this / "sessions/link");
  EXPECT_NE(kept_door(*this / "sessions/link").secret, door.secret);
}

TEST_F(KeptDoorTest, ADamagedFileIsNone) {
  for (const std::string text :
       {"", "x", "40123\n", "99999 sssssssssssssssssssssssssssssssss\n", "1 short\n"}) {
    write("door", text);
    ::chmod((*this / "door").c_str(), 0600);
    EXPECT_EQ(kept_door(*this / "door").port, 0) << text;
  }
  EXPECT_NE(kept_door("").secret, kept_door("").secret);
}

}  // namespace
}  // namespace skyline::serve
