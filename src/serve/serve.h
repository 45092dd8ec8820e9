// The door of serve: traces and sessions, for pages in a browser or an editor.
#pragma once

#include "serve/live_session.h"
#include "serve/methods.h"
#include "serve/opened_run.h"
#include "serve/opened_traces.h"
#include "serve/server.h"
#include "serve/source_files.h"
