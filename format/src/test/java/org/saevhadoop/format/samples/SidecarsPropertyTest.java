package org.saevhadoop.format.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.ListedMetadata;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Attributes that are cut anew into other files stay with their examples. */
@Tag("late")
@Tag("sampled")
class SidecarsPropertyTest {
  @TempDir Path temporary;

  @Property(tries = 200, sample = 25)
  void recutSampleMetadataStayWithTheirExamples(RandomValues any) throws IOException {
    long seed = any.seed();
    int examples = any.intBetween(1, 60);
    int before = any.intBetween(1, 25);
    int after = any.intBetween(1, 25);
    boolean shuffled = any.bool();
    Random random = new Random(seed);
    Path folder = Files.createTempDirectory(temporary, "sidecars");
    Path from = Files.createDirectory(folder.resolve("from"));
    Path to = Files.createDirectory(folder.resolve("to"));
    Map<Long, String> all = new TreeMap<>();
    List<ExampleMetadata> invented = invent(random, examples);
    invented.forEach(sampleMetadata -> Naive.put(sampleMetadata, all));
    SampleMetadata source = new ListedMetadata(invented);
    List<DataFile> files = copy(source, from, files(examples, before), false, random);
    assertThat(of(from, files, 0, examples)).isEqualTo(all);
    long first = random.nextInt(examples);
    long count = random.nextInt(examples + 3);
    assertThat(of(from, files, first, count)).isEqualTo(range(all, first, first + count));

    List<DataFile> kept = drop(files, random);
    Map<Long, String> left = left(all, kept);
    assertThat(of(from, kept, 0, examples)).isEqualTo(left);

    long number = kept.get(kept.size() - 1).end();
    if (!left.isEmpty()) {
      SampleMetadata some = Sidecars.of(new LocalFolder(from), kept).orElseThrow();
      List<DataFile> cut = copy(some, to, files(number, after), shuffled, random);
      assertThat(of(to, cut, 0, number)).isEqualTo(left);
    }
  }

  @Property(tries = 100, sample = 25)
  void aReadersOrderIsAnOrderOfTheLines(RandomValues any) throws IOException {
    long seed = any.seed();
    int examples = any.intBetween(1, 30);
    Random random = new Random(seed);
    List<ExampleMetadata> invented = invent(random, examples + 7);
    Map<Long, String> all = new TreeMap<>();
    invented.forEach(sampleMetadata -> Naive.put(sampleMetadata, all));
    List<Integer> order = new ArrayList<>(IntStream.range(0, examples).boxed().toList());
    if (random.nextBoolean()) {
      Collections.shuffle(order, random);
    } else {
      Collections.rotate(order, random.nextInt(examples));
    }
    Path folder = Files.createTempDirectory(temporary, "sidecars");
    try (var source = new SampleMetadataSource(new ListedMetadata(invented))) {
      int[] places = order.stream().mapToInt(i -> i).toArray();
      source.write(new LocalFolder(folder), "x.bin", 7, examples, () -> places, folder);
      Map<Long, String> expected = new TreeMap<>();
      for (int i = 0; i < examples; i++) {
        if (all.containsKey(7L + places[i])) {
          expected.put((long) i, all.get(7L + places[i]));
        }
      }
      DataFile file = new DataFile("x.bin", 0, examples);
      assertThat(of(folder, List.of(file), 0, examples)).isEqualTo(expected);
    }
  }

  private static List<ExampleMetadata> invent(Random random, long examples) {
    List<ExampleMetadata> all = new ArrayList<>();
    for (long at = random.nextInt(3); at < examples; at += random.nextInt(3)) {
      String sample =
          "{\"id\": " + at + ", \"text\": \"" + "\u00e9x".repeat(random.nextInt(9)) + "\"}";
      boolean whole = random.nextBoolean();
      long count = whole ? 1 : 1 + random.nextInt((int) Math.min(12, examples - at));
      all.add(
          whole
              ? new ExampleMetadata(at, sample).withTokens(tokens(random))
              : new ExampleMetadata(at, count, random.nextInt(5), sample));
      at += count;
    }
    return all;
  }

  /** All tokens, or one or two ranges of them. */
  private static List<TokenRange> tokens(Random random) {
    int start = random.nextInt(3);
    TokenRange first = new TokenRange(start, start + 1 + random.nextInt(2));
    TokenRange second = new TokenRange(first.stop() + 1, first.stop() + 3);
    return List.of(first, second).subList(0, random.nextInt(3));
  }

  private static List<DataFile> files(long examples, long size) {
    List<DataFile> files = new ArrayList<>();
    for (long first = 0; first < examples; first += size) {
      files.add(new DataFile("f" + first + ".bin", first, Math.min(size, examples - first)));
    }
    return files;
  }

  private static List<DataFile> copy(
      SampleMetadata source, Path folder, List<DataFile> files, boolean shuffled, Random random)
      throws IOException {
    List<DataFile> order = new ArrayList<>(files);
    if (shuffled) {
      Collections.shuffle(order, random);
    }
    try (SampleMetadataSource writing = new SampleMetadataSource(source)) {
      for (DataFile file : order) {
        writing.write(
            new LocalFolder(folder),
            file.name(),
            file.first(),
            file.examples(),
            () -> null,
            folder);
      }
    }
    return files;
  }

  /** The same files, of which some examples do not count. */
  private static List<DataFile> drop(List<DataFile> files, Random random) {
    List<DataFile> kept = new ArrayList<>();
    long next = 0;
    for (DataFile file : files) {
      int odds = 1 + random.nextInt(6);
      long[] dropped =
          LongStream.range(0, file.examples()).filter(i -> random.nextInt(odds) > 1).toArray();
      if (dropped.length < file.examples()) {
        kept.add(new DataFile(file.name(), next, file.examples(), dropped));
        next += file.examples() - dropped.length;
      }
    }
    return kept.isEmpty() ? files : kept;
  }

  private static Map<Long, String> left(Map<Long, String> all, List<DataFile> kept) {
    Map<Long, String> left = new TreeMap<>();
    long number = 0;
    for (DataFile file : kept) {
      long first = Long.parseLong(file.name().replaceAll("\\D", ""));
      for (long i = 0; i < file.examples(); i++) {
        long place = i;
        if (LongStream.of(file.dropped()).noneMatch(d -> d == place)) {
          if (all.containsKey(first + i)) {
            left.put(number, all.get(first + i));
          }
          number++;
        }
      }
    }
    return left;
  }

  private static Map<Long, String> range(Map<Long, String> all, long from, long to) {
    return new TreeMap<>(all).subMap(from, to);
  }

  private static Map<Long, String> of(Path folder, List<DataFile> files, long first, long count)
      throws IOException {
    return Sidecars.of(new LocalFolder(folder), files)
        .map(sampleMetadata -> Naive.of(sampleMetadata, first, count))
        .orElse(Map.of());
  }
}
