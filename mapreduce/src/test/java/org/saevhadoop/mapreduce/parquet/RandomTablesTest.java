package org.saevhadoop.mapreduce.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.parquet.table.ColumnReader;
import org.saevhadoop.format.parquet.table.TableColumn;
import org.saevhadoop.format.parquet.table.TableFooter;

/** Tables of parquet-java are read bit for bit, however they were written. */
@Tag("sampled")
class RandomTablesTest {
  private static final int TABLES = TestExtent.of(15, 200);

  @TempDir Path folder;

  @Test
  void columnsAreReadBitForBit() throws IOException {
    for (int seed = 0; seed < TABLES; seed++) {
      Random random = new Random(seed);
      RandomTable table = new RandomTable(random);
      Path file = folder.resolve("table.parquet");
      Files.deleteIfExists(file);
      String how = "seed " + seed + ": " + table.write(file);
      try (Input in = new LocalFolder(folder).open("table.parquet")) {
        compare(how, table, in);
      } catch (IOException e) {
        throw new AssertionError(how, e);
      }
    }
  }

  private static void compare(String how, RandomTable table, Input in) throws IOException {
    TableFooter footer = TableFooter.read(in);
    assertThat(footer.rows()).as(how).isEqualTo(table.rows);
    List<String> names = new ArrayList<>();
    footer.columns().stream().filter(c -> !c.isText()).forEach(c -> names.add(c.name()));
    assertThat(names)
        .as(how)
        .isEqualTo(table.columns.stream().map(RandomTable.Column::name).toList());
    assertThat(footer.others()).as(how).isEqualTo(List.of("map"));
    List<String> all = footer.columns().stream().map(TableColumn::name).toList();
    assertThat(texts(in, footer, all.indexOf("text"))).as(how).isEqualTo(table.texts);
    for (int i = 0; i < table.columns.size(); i++) {
      RandomTable.Column column = table.columns.get(i);
      int index = all.indexOf(column.name());
      assertThat(footer.columns().get(index).elementBytes()).as(how).isEqualTo(column.width());
      long[] lengths = Arrays.stream(column.lengths()).asLongStream().toArray();
      if (lengths.length > 0) {
        assertThat(ColumnReader.firstRow(in, footer, 0, index)).as(how).isEqualTo(lengths);
      }
      ByteArrayOutputStream read = new ByteArrayOutputStream();
      for (int group = 0; group < footer.rowGroups().size(); group++) {
        new ColumnReader(in, footer, group, index, lengths)
            .read(
                elements -> {
                  byte[] bytes = new byte[elements.remaining()];
                  elements.get(bytes);
                  read.writeBytes(bytes);
                });
      }
      assertThat(Arrays.mismatch(read.toByteArray(), column.bytes().array())).as(how).isEqualTo(-1);
    }
  }

  private static List<String> texts(Input in, TableFooter footer, int index) throws IOException {
    List<String> texts = new ArrayList<>();
    for (int group = 0; group < footer.rowGroups().size(); group++) {
      new ColumnReader(in, footer, group, index, new long[0]).readTexts(texts::add);
    }
    return texts;
  }
}
