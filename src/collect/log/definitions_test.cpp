#include "collect/log/definitions.h"

#include <gtest/gtest.h>

#include "collect/log/note_rows.h"
#include "collect/log/test_recording.h"

namespace skyline::collect {
namespace {

namespace table = skyline::tracefile;
using table::TableId;

struct Tables {
  InternTable names{"(too many names)"}, shapes, collectives;
};

TEST(Definitions, EachNameIsWrittenOnce) {
  Tables tables;
  Definitions definitions(tables.names, tables.shapes, tables.collectives);
  TestRecording recording;
  const uint32_t mm = tables.names.intern("aten::mm").id;
  for (int i = 0; i < 3; ++i) {
    definitions.want_name(mm);
    definitions.write_to(recording.sink());
  }
  const table::Reader reader = recording.read();
  ASSERT_EQ(tables_of(reader), std::vector<TableId>{TableId::kStrings});
  EXPECT_EQ(values_of(reader.chunks()[0], table::strings::kId), std::vector<uint32_t>{mm});
  EXPECT_EQ(texts_of(reader.chunks()[0], table::strings::kText), std::vector<std::string>{"aten::mm"});
}

TEST(Definitions, ASignatureHasThreeParts) {
  Tables tables;
  Definitions definitions(tables.names, tables.shapes, tables.collectives);
  TestRecording recording;
  definitions.want_shapes(kNoId);
  definitions.want_shapes(tables.shapes.intern("[[2,3]]\t[\"float\"]\t[[3,1]]").id);
  definitions.write_to(recording.sink());
  const table::Reader reader = recording.read();
  ASSERT_EQ(tables_of(reader), std::vector<TableId>{TableId::kShapes});
  const table::Chunk& chunk = reader.chunks()[0];
  EXPECT_EQ(texts_of(chunk, table::shapes::kDims), std::vector<std::string>{"[[2,3]]"});
  EXPECT_EQ(texts_of(chunk, table::shapes::kTypes), std::vector<std::string>{"[\"float\"]"});
  EXPECT_EQ(texts_of(chunk, table::shapes::kStrides), std::vector<std::string>{"[[3,1]]"});
}

TEST(Definitions, TheTextsOfACollectiveStandBeforeIt) {
  Tables tables;
  Definitions definitions(tables.names, tables.shapes, tables.collectives);
  TestRecording recording;
  definitions.want_collective(tables.collectives.intern("allreduce\tFloat\tdp\t[0, 1]\t10\t20\t2").id);
  definitions.write_to(recording.sink());
  const table::Reader reader = recording.read();
  ASSERT_EQ(tables_of(reader), (std::vector<TableId>{TableId::kStrings, TableId::kCollectives}));
  EXPECT_EQ(texts_of(reader.chunks()[0], table::strings::kText),
            (std::vector<std::string>{"allreduce", "Float", "dp", "[0, 1]"}));
  EXPECT_EQ(values_of(reader.chunks()[1], table::collectives::kOutElements), std::vector<int64_t>{20});
  EXPECT_EQ(values_of(reader.chunks()[1], table::collectives::kGroupSize), std::vector<int64_t>{2});
}

TEST(Definitions, TensorsShareTheirTexts) {
  Tables tables;
  Definitions definitions(tables.names, tables.shapes, tables.collectives);
  TestRecording recording;
  Notes<TensorNote> notes;
  notes.add(
      {.role = 1, .name = "weight", .module = "net", .dims = "[2]", .address = 64, .bytes = 8, .ticks = 5});
  notes.add(std::vector<TensorNote>{{.role = 1, .name = "weight", .module = "net", .dims = "[2]"}});
  write_tensors(notes.take(), definitions, recording.sink());
  write_tensors(notes.take(), definitions, recording.sink());  // there are none any more
  const table::Reader reader = recording.read();
  ASSERT_EQ(tables_of(reader), (std::vector<TableId>{TableId::kStrings, TableId::kTensors}));
  EXPECT_EQ(reader.chunks()[0].rows(), 3u);
  EXPECT_EQ(values_of(reader.chunks()[1], table::tensors::kAddress), (std::vector<uint64_t>{64, 0}));
}

TEST(Definitions, EachSourceFileHasAChunkOfItsOwn) {
  TestRecording recording;
  const SourceFile sources[] = {{"a.py", "1", "import b"}, {"b.py", "2", ""}};
  write_sources(sources, recording.sink());
  const table::Reader reader = recording.read();
  ASSERT_EQ(tables_of(reader), (std::vector<TableId>{TableId::kSources, TableId::kSources}));
  EXPECT_EQ(texts_of(reader.chunks()[1], table::sources::kPath), std::vector<std::string>{"b.py"});
}

}  // namespace
}  // namespace skyline::collect
