//===- ForkTest.cpp - calls in a child of fork() --------------------------===//
#include "Program.h"

#include <gtest/gtest.h>

#include <cerrno>

#include <sys/wait.h>
#include <unistd.h>

TEST(PackageFork, AModuleWithThreadsServesAChild) {
  Module module(3);
  auto counts = [&] {
    std::vector<jit_value> results(1);
    return module.call("share", {intValue(1000)}, results) == JIT_OK &&
           results[0].as.integer == 1000;
  };
  ASSERT_TRUE(counts());
  pid_t child = fork();
  if (child == 0) {
    alarm(30);
    bool isRight = counts() && counts();
    jit_artifact_close(module.handle);
    _exit(isRight ? 0 : 1);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_TRUE(counts());
}
