// SourceFiles: which source files may be shown, and their text.
//
// Of a trace: the texts that were recorded with it. A path that it names is never opened by itself; only if
// the user has named a folder (--source-root), the file in it with the longest end of that path is shown:
// /home/me/run/src/model.py is DIR/run/src/model.py, or else DIR/src/model.py, or else DIR/model.py.
// Of a session: the source files of its project (session/project/project_files.h says which these are).
#pragma once

#include <string>

#include "base/result.h"
#include "serve/messages/protocol.h"
#include "serve/served/opened_traces.h"

namespace skyline::serve {

class SourceFiles {
 public:
  // Folders; empty: there is none.
  SourceFiles(std::string source_root, std::string project_root);

  protocol::Sources of_trace(const OpenedTrace& opened) const;
  Result<protocol::Source> of_trace(const OpenedTrace& opened, const std::string& path) const;

  Result<protocol::Sources> of_project() const;
  // Absolute, or from the project's root on.
  Result<protocol::Source> of_project(const std::string& path) const;

 private:
  // The path below the source root; empty: there is none.
  std::string below_source_root(const std::string& path) const;

  const std::string source_root_, project_root_;
};

}  // namespace skyline::serve
