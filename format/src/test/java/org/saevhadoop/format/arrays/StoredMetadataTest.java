package org.saevhadoop.format.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;

/** Sample metadata that files with many groups have of their examples. */
class StoredMetadataTest {
  private static final int GROUPS = 200;
  private static final int FILES = 2;
  private static final int ROWS = 3;

  private final MadeArrays arrays = new MadeArrays();
  private int opened;
  private int read;

  /** Files whose examples with even numbers have sample metadata. */
  private final class Described implements ArrayReader {
    @Override
    public boolean isNamed(String file) {
      return arrays.isNamed(file);
    }

    @Override
    public ArrayFile read(Folder folder, String file) throws IOException {
      return arrays.read(folder, file);
    }

    @Override
    public Optional<SampleMetadata> samples(Folder folder, String path) {
      return Optional.of(
          (first, count) -> {
            opened++;
            long[] next = {(first + 1) / 2 * 2};
            return () -> {
              long example = next[0];
              next[0] += 2;
              read++;
              return example >= GROUPS * ROWS || example - first >= count
                  ? null
                  : new ExampleMetadata(example, "{\"row\": \"%s %d\"}".formatted(path, example));
            };
          });
    }
  }

  /** Opens two files, each of groups of three examples of one or two tokens. */
  private ArrayDataset open() throws IOException {
    for (int file = 0; file < FILES; file++) {
      List<List<MadeArrays.Made>> parts = new ArrayList<>();
      for (int group = 0; group < GROUPS; group++) {
        parts.add(
            List.of(
                new MadeArrays.Made(
                    "acts",
                    new int[4],
                    new int[] {ROWS, 1, group % 2 + 1, 2},
                    List.of(Axis.EXAMPLE, Axis.TOKEN, Axis.DIM),
                    false)));
      }
      arrays.addParts(file + ".made", parts, List.of());
    }
    ArrayOptions options =
        new ArrayOptions(
            List.of(ArrayMapping.parse("acts=example,token,dim")),
            null,
            List.of(),
            RaggedPolicy.parse("flatten"),
            1);
    return ArrayDataset.open(arrays.location(), new Described(), options);
  }

  private static List<ExampleMetadata> lines(ArrayDataset dataset, long first, long count)
      throws IOException {
    List<ExampleMetadata> found = new ArrayList<>();
    try (SampleMetadataCursor cursor =
        dataset.sampleMetadata().orElseThrow().cursor(first, count)) {
      for (ExampleMetadata line = cursor.next(); line != null; line = cursor.next()) {
        found.add(line);
      }
    }
    return found;
  }

  private static List<ExampleMetadata> expected(long first, long count) {
    List<ExampleMetadata> expected = new ArrayList<>();
    long number = 0;
    for (int file = 0; file < FILES; file++) {
      for (int row = 0; row < GROUPS * ROWS; row++) {
        int tokens = row / ROWS % 2 + 1;
        ExampleMetadata part =
            new ExampleMetadata(number, tokens, 0, "{\"row\": \"%d.made %d\"}".formatted(file, row))
                .part(first, first + count);
        if (row % 2 == 0 && part != null) {
          expected.add(part);
        }
        number += tokens;
      }
    }
    return expected;
  }

  @Test
  void theGroupsOfAFileReadItsMetadataOnce() throws IOException {
    ArrayDataset dataset = open();
    long examples = dataset.geometry().examples();
    assertThat(lines(dataset, 0, examples)).isEqualTo(expected(0, examples));
    assertThat(opened).isEqualTo(FILES);
    assertThat(read).isLessThanOrEqualTo(FILES * (GROUPS * ROWS / 2 + 1));
  }

  @Test
  void aRangeReadsTheMetadataOfItsGroups() throws IOException {
    ArrayDataset dataset = open();
    for (long first : new long[] {1, 2, 4, 5, 883, 890, 899, 900, 903, 1790}) {
      for (long count : new long[] {1, 2, 5, 13, 40}) {
        read = 0;
        assertThat(lines(dataset, first, count)).isEqualTo(expected(first, count));
        assertThat(read).isLessThanOrEqualTo((int) count + ROWS);
      }
    }
  }
}
