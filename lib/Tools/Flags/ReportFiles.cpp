//===- ReportFiles.cpp - What a tool says of a plan -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Tools/ReportFiles.h"
#include "memplan/Report/ReportWriters.h"
#include "memplan/Support/OutputFile.h"
#include "memplan/Tools/ProgressLine.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace memplan;

ReportFlags::ReportFlags(llvm::cl::OptionCategory &category,
                         llvm::cl::SubCommand &command)
    : page("report",
           llvm::cl::desc("Write a page that shows where the memory goes, by "
                          "the Python package's command `memplan report`"),
           llvm::cl::value_desc("FILE.html"), llvm::cl::cat(category),
           llvm::cl::sub(command)),
      perfetto("perfetto",
               llvm::cl::desc("Write a trace of the plan that Perfetto opens"),
               llvm::cl::value_desc("FILE.json"), llvm::cl::cat(category),
               llvm::cl::sub(command)),
      summary("summary", llvm::cl::desc("What is said of the plan"),
              llvm::cl::init(SummaryForm::Line), llvm::cl::cat(category),
              llvm::cl::sub(command),
              llvm::cl::values(
                  clEnumValN(SummaryForm::Line, "line", "One line (default)"),
                  clEnumValN(SummaryForm::Full, "full",
                             "The line, what the peak is made of, the largest "
                             "tensors, and what would help"),
                  clEnumValN(SummaryForm::Json, "json",
                             "The numbers as one JSON object"))) {}

bool ReportFlags::isGiven() const {
  return page.getNumOccurrences() + perfetto.getNumOccurrences() +
             summary.getNumOccurrences() !=
         0;
}

ReportFiles ReportFlags::files() const {
  ReportFiles files;
  files.page = page;
  files.perfetto = perfetto;
  files.summary = summary;
  return files;
}

static llvm::Expected<std::string> findDrawer() {
  // The one of this build or installation, beside the tool itself.
  const std::string tool = llvm::sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&findDrawer));
  for (llvm::StringRef folder :
       {llvm::sys::path::parent_path(tool), llvm::StringRef()}) {
    llvm::ErrorOr<std::string> found =
        folder.empty() ? llvm::sys::findProgramByName("memplan")
                       : llvm::sys::findProgramByName("memplan", folder);
    if (found)
      return *found;
  }
  return llvm::createStringError(
      "--report: the command 'memplan', which draws the page, is neither "
      "beside "
      "this tool nor on PATH: "
      "pip install 'memplan[report]', or write the data by "
      "--emit=report-data and draw it elsewhere");
}

/// Runs `memplan report`, whose own words are on standard error.
static llvm::Error runDrawer(llvm::StringRef drawer,
                             llvm::ArrayRef<llvm::StringRef> arguments) {
  llvm::SmallVector<llvm::StringRef> all = {drawer, "report"};
  all.append(arguments.begin(), arguments.end());
  std::string reason;
  const int status =
      llvm::sys::ExecuteAndWait(drawer, all, std::nullopt, {}, 0, 0, &reason);
  if (status == 0)
    return llvm::Error::success();
  return llvm::createStringError(
      "--report: '" + drawer + " report' ended with status " +
      llvm::Twine(status) + (reason.empty() ? "" : ": " + reason));
}

llvm::Error ReportFiles::check() const {
  for (const std::string *file : {&data, &perfetto, &page})
    if (!file->empty())
      if (llvm::Error error = checkWritable(*file))
        return error;
  if (page.empty())
    return llvm::Error::success();
  llvm::Expected<std::string> drawer = findDrawer();
  return drawer ? runDrawer(*drawer, {"--check"}) : drawer.takeError();
}

namespace {
/// A file that is removed when the object goes.
class TemporaryFile {
public:
  ~TemporaryFile() {
    if (!path.empty())
      llvm::sys::fs::remove(path);
  }
  llvm::Error write(const char *suffix,
                    llvm::function_ref<void(llvm::raw_ostream &)> writer) {
    if (std::error_code error =
            llvm::sys::fs::createTemporaryFile("memplan", suffix, path))
      return llvm::createStringError(error, "no temporary file can be made");
    return writeFile(path, writer);
  }
  llvm::StringRef name() const { return path; }

private:
  llvm::SmallString<128> path;
};
} // namespace

static llvm::Error drawPage(const GraphIndex &index, const Plan &plan,
                            const ReportData &found, const ReportFiles &files) {
  llvm::Expected<std::string> drawer = findDrawer();
  if (!drawer)
    return drawer.takeError();
  TemporaryFile data, measured;
  if (llvm::Error error = data.write("report.json", [&](auto &os) {
        writeReportData(index, plan, found, os);
      }))
    return error;
  llvm::SmallVector<llvm::StringRef> arguments = {data.name(), "-o",
                                                  files.page};
  if (!files.measured.empty()) {
    if (llvm::Error error = measured.write(
            "measured.json", [&](auto &os) { os << files.measured; }))
      return error;
    arguments.append({"--measured", measured.name()});
  }
  return runDrawer(*drawer, arguments);
}

llvm::Error ReportFiles::write(const Graph &graph, const Plan &plan,
                               llvm::raw_ostream &os,
                               std::vector<std::string> sources) const {
  const GraphIndex index(graph);
  llvm::Expected<ReportData> found = makeReportData(index, plan);
  if (!found)
    return found.takeError();
  found->sources = std::move(sources);
  found->batch = batch;
  using Writer = void (*)(const GraphIndex &, const Plan &, const ReportData &,
                          llvm::raw_ostream &);
  for (auto [file, writer] :
       {std::pair<const std::string &, Writer>(data, writeReportData),
        {perfetto, writePerfetto}})
    if (!file.empty())
      if (llvm::Error error = writeFile(file, [&](llvm::raw_ostream &to) {
            writer(index, plan, *found, to);
          }))
        return error;
  if (!page.empty())
    if (llvm::Error error = drawPage(index, plan, *found, *this))
      return error;
  constexpr int fileColumns = 100;
  const ProgressLine::Pause pause;
  if (summary == SummaryForm::Full)
    printReport(index, plan, *found,
                os.is_displayed()
                    ? int(llvm::sys::Process::StandardErrColumns())
                    : fileColumns,
                os);
  if (summary == SummaryForm::Json)
    writeSummaryJson(index, plan, *found, os);
  return llvm::Error::success();
}
