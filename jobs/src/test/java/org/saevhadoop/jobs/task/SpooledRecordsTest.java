package org.saevhadoop.jobs.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class SpooledRecordsTest {
  @TempDir Path folder;

  private record Written(long key, byte[] bytes, long position) {}

  private static byte[] copy(ByteBuffer value) {
    byte[] bytes = new byte[value.remaining()];
    value.get(bytes);
    return bytes;
  }

  @Property(tries = 100, sample = 20)
  void recordsAreThoseThatWereWrittenInAnyOrder(RandomValues any) throws IOException {
    List<Written> written = new ArrayList<>();
    try (SpooledRecords.Spool spool = new SpooledRecords.Spool(() -> folder)) {
      SpooledRecords records = new SpooledRecords(spool);
      SpooledRecords other = new SpooledRecords(spool); // shares the file
      int most = any.bool() ? 100 : 700_000; // in memory, or in a file
      for (int i = 0, count = any.intBetween(0, 8); i < count; i++) {
        byte[] bytes = any.bytes(0, most);
        records.write(i - 3, bytes, bytes.length);
        other.write(i, bytes, bytes.length);
        written.add(new Written(i - 3, bytes, 0));
      }
      for (int filled = any.intBetween(0, 20); filled > 0; filled--) { // the memory of the job
        SpooledRecords more = new SpooledRecords(spool);
        more.write(0, new byte[1_000_000], 1_000_000);
        more.end();
      }
      records.end();
      List<Written> found = new ArrayList<>();
      TaskRecords tasks = SpooledRecords.of(List.of(records));
      try (TaskRecords.Cursor cursor = tasks.open(0)) {
        for (long at = cursor.position(); cursor.next(); at = cursor.position()) {
          found.add(new Written(cursor.key(), copy(cursor.value()), at));
        }
        assertThat(found).hasSameSizeAs(written);
        for (int i = found.size() - 1; i >= 0; i--) {
          cursor.seek(found.get(i).position);
          assertThat(cursor.next()).isTrue();
          assertThat(cursor.key()).isEqualTo(written.get(i).key);
          assertThat(copy(cursor.value())).isEqualTo(written.get(i).bytes);
          assertThat(found.get(i).bytes).isEqualTo(written.get(i).bytes);
        }
      }
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aRecordMayBeLargerThanWhatStaysInMemory() throws IOException {
    byte[] large = new byte[5 << 20];
    large[large.length - 1] = 7;
    try (SpooledRecords.Spool spool = new SpooledRecords.Spool(() -> folder)) {
      SpooledRecords records = new SpooledRecords(spool);
      records.write(1, new byte[3], 3);
      records.write(2, large, large.length);
      records.write(3, new byte[2], 2);
      List<String> found = new ArrayList<>();
      SpooledRecords.of(List.of(records, records))
          .forEach(
              (key, value) ->
                  found.add(
                      "%d: %d, %d"
                          .formatted(key, value.remaining(), value.get(value.limit() - 1))));
      assertThat(found)
          .containsExactly(
              "1: 3, 0", "2: 5242880, 7", "3: 2, 0", "1: 3, 0", "2: 5242880, 7", "3: 2, 0");
    }
  }
}
