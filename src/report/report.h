// The door of report: a profile goes in; JSON text, or a new SQLite file, comes out.
#pragma once

#include "report/analysis_json.h"
#include "report/new_file.h"
#include "report/report_entries.h"
#include "report/sqlite_report.h"
