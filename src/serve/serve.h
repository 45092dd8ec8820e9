// The door of serve: traces and sessions, for pages in a browser or an editor.
#pragma once

#include "serve/http/kept_door.h"
#include "serve/http/server.h"
#include "serve/messages/event_text.h"
#include "serve/served/live_session.h"
#include "serve/served/opened_run.h"
#include "serve/served/opened_traces.h"
#include "serve/served/source_files.h"
