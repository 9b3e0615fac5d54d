package org.saevhadoop.mapreduce.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.saevhadoop.format.safetensors.index.TensorIndex;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;
import org.saevhadoop.format.tensor.DType;

class TensorIndexPropertyTest {
  @Property(tries = 60)
  void whatIsWrittenIsFoundAgain(@ForAll("lists") List<TensorIndexEntry> entries)
      throws IOException {
    Path folder = Files.createTempDirectory("index");
    try {
      Entries.write(folder, entries);
      try (TensorIndex index = Entries.open(folder)) {
        assertThat(Entries.all(index)).isEqualTo(entries);
        for (TensorIndexEntry entry : entries) {
          assertThat(index.findAll(entry.key()))
              .isEqualTo(entries.stream().filter(e -> e.key().equals(entry.key())).toList());
        }
        assertThat(index.findAll("no such key")).isEmpty();
      }
    } finally {
      Files.delete(folder.resolve(TensorIndex.NAME));
      Files.delete(folder);
    }
  }

  @Property(tries = 20)
  void theOrderOfKeysIsNoticed(@ForAll("lists") List<TensorIndexEntry> entries) throws IOException {
    List<TensorIndexEntry> sorted = new ArrayList<>(entries);
    sorted.sort((a, b) -> Arrays.compareUnsigned(utf8(a), utf8(b)));
    Path file = Files.createTempDirectory("index").resolve("x");
    try (TensorIndexWriter writer =
        new TensorIndexWriter(org.saevhadoop.format.io.LocalFile.create(file))) {
      for (TensorIndexEntry entry : entries) {
        writer.write(entry);
      }
      assertThat(writer.sorted()).isEqualTo(keys(entries).equals(keys(sorted)));
      assertThat(writer.entries()).isEqualTo(entries.size());
    } finally {
      Files.delete(file);
      Files.delete(file.getParent());
    }
  }

  private static List<String> keys(List<TensorIndexEntry> entries) {
    return entries.stream().map(TensorIndexEntry::key).toList();
  }

  private static byte[] utf8(TensorIndexEntry entry) {
    return entry.key().getBytes(StandardCharsets.UTF_8);
  }

  @Provide
  Arbitrary<List<TensorIndexEntry>> lists() {
    Arbitrary<String> keys =
        Arbitraries.strings()
            .withChars("ab_0\u00e9\u7fff\uff41 \"\\/")
            .ofMaxLength(80) // longer than a page's bounds
            .map(key -> key.length() % 5 == 0 ? key + "\ud83d\ude00" : key);
    Arbitrary<List<Long>> shapes =
        Arbitraries.longs().between(0, Integer.MAX_VALUE).list().ofMaxSize(4);
    Arbitrary<Long> places = Arbitraries.longs().between(0, Long.MAX_VALUE / 2);
    return Combinators.combine(
            keys,
            Arbitraries.of("a.safetensors", "b.safetensors"),
            Arbitraries.of(DType.class),
            shapes,
            places,
            places,
            places)
        .as(
            (key, file, dtype, shape, a, b, header) ->
                new TensorIndexEntry(key, file, dtype, shape, a, a + b, header))
        .list()
        .ofMaxSize(40);
  }
}
