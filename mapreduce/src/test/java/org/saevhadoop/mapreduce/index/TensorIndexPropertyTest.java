package org.saevhadoop.mapreduce.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.saevhadoop.format.parquet.index.TensorIndex;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class TensorIndexPropertyTest {
  @Property(tries = 60, sample = 20)
  void whatIsWrittenIsFoundAgain(RandomValues any) throws IOException {
    List<TensorIndexEntry> entries = entries(any);
    Path folder = Files.createTempDirectory("index");
    try {
      Entries.write(folder, entries);
      try (TensorIndex index = Entries.open(folder)) {
        assertThat(Entries.all(index)).isEqualTo(entries);
        for (TensorIndexEntry entry : entries) {
          assertThat(index.find(entry.key(), Integer.MAX_VALUE))
              .isEqualTo(entries.stream().filter(e -> e.key().equals(entry.key())).toList());
        }
        assertThat(index.find("no such key", 10)).isEmpty();
      }
    } finally {
      Files.delete(folder.resolve(TensorIndex.NAME));
      Files.delete(folder);
    }
  }

  private static List<TensorIndexEntry> entries(RandomValues any) {
    return any.list(0, 40, () -> entry(any));
  }

  private static TensorIndexEntry entry(RandomValues any) {
    // longer than a page's bounds
    String key = any.textOf("ab_0\u00e9\u7fff\uff41 \"\\/", 0, 80);
    long begin = any.longBetween(0, Long.MAX_VALUE / 2);
    return new TensorIndexEntry(
        key.length() % 5 == 0 ? key + "\ud83d\ude00" : key,
        any.of("a.safetensors", "b.safetensors"),
        any.of(DType.class),
        any.list(0, 4, () -> any.longBetween(0, Integer.MAX_VALUE)),
        begin,
        begin + any.longBetween(0, Long.MAX_VALUE / 2),
        any.longBetween(0, Long.MAX_VALUE / 2));
  }
}
