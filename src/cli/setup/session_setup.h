// From what was typed to a session: where the entry point lies, which Python runs it, and how Ctrl-C ends it.
#pragma once

#include <functional>

#include "cli/setup/command.h"
#include "session/session.h"

namespace skyline::cli {

// A file without providers: a training script. What stands behind it is its own.
bool is_training_script(const std::string& path);

// Where what outlives a session of this entry point is kept; empty: there is no cache.
std::string kept_folder(const session::SessionOptions& options);

Result<session::SessionOptions> session_options(const Arguments& arguments, const Context& context);

// Runs it until it ends by itself or SIGINT, SIGTERM or SIGHUP ends it, with all that it has started.
Status run_until_signal(session::Session& session);

// From now on SIGINT, SIGTERM and SIGHUP end nothing; the function says whether one has come.
std::function<bool()> notice_signals();

// One profile, with a progress line on standard error; the sentence of an error begins with file and line.
Result<std::shared_ptr<const session::ProfileResult>> profile_once(session::SessionOptions options,
                                                                   const Context& context);

// "model.py:12: the iteration raised ValueError: …", the file as seen from the project's root.
std::string describe_trouble(const session::Trouble& trouble, const std::string& project_root);

}  // namespace skyline::cli
