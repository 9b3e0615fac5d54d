package org.saevhadoop.format.arrays.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.saevhadoop.format.arrays.ArrayDataset;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.arrays.ArrayOptions;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.arrays.proposal.ArrayProposals.Variant;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Whatever files there are, what is proposed without a choice opens them as it is described. */
@Tag("sampled")
class ArrayProposalsPropertyTest {
  private static final List<String> FOLDERS =
      List.of("blocks.1.pre", "blocks.2.pre", "blocks.1.post", "a{b", "mlp", "h.3", "h.4", "r 1");
  private static final List<String> NAMES =
      List.of("x", "0-1", "0-2", "chunk-1", "chunk-02", "layer_3", "layer_4", "L5", "L6", "mean");
  private static final List<String> ARRAYS =
      List.of("acts", "blocks.3.out", "blocks.4.out", "list.0", "list.1", "{x}=y");

  @Property(tries = 500, sample = 150)
  void whatIsProposedOpens(RandomValues any) throws IOException {
    ShapedFiles files = new ShapedFiles(any.bool() ? "/data" : "/run/layers.7");
    int levels = any.intBetween(0, 2);
    List<String> paths = List.of("");
    for (int level = 0; level < levels; level++) {
      List<String> below = new ArrayList<>();
      for (String path : paths) {
        any.distinct(1, 3, name -> name, () -> any.of(FOLDERS))
            .forEach(name -> below.add(path + name + "/"));
      }
      paths = below;
    }
    List<String> names = any.distinct(1, 3, name -> name, () -> any.of(NAMES));
    List<String> arrays = any.distinct(1, 2, name -> name, () -> any.of(ARRAYS));
    int rank = any.intBetween(2, 4);
    boolean equal = any.bool();
    boolean ids = any.bool();
    for (String path : paths) {
      for (String name : names) {
        long length = equal ? 3 : any.intBetween(1, 4);
        files.add(path + name + ShapedFiles.ENDING, arrays(any, arrays, rank, length, ids));
      }
    }
    Variant variant = new Variant(files, any.bool(), Set.of());
    Optional<ArrayProposals> found = ArrayProposals.of(files.location(), List.of(variant));
    assertThat(found).isPresent();
    if (found.get().alternatives().isEmpty()) {
      assertThat(found.get().questions()).isNotEmpty();
    }
    for (ArrayProposal alternative : found.get().alternatives()) {
      assertThat(
              ArrayDataset.openSample(files.location(), files, parse(alternative.options()))
                  .geometry())
          .isEqualTo(alternative.geometry());
    }
  }

  private static FileArray[] arrays(
      RandomValues any, List<String> names, int rank, long length, boolean ids) {
    List<FileArray> arrays = new ArrayList<>();
    long layers = any.bool() ? 2 : 3;
    for (String name : names) {
      arrays.add(
          switch (rank) {
            case 2 -> ShapedFiles.floats(name, length, 5);
            case 3 -> ShapedFiles.floats(name, length, layers, 5);
            default -> ShapedFiles.floats(name, 2, layers, length, 5);
          });
    }
    if (ids) {
      arrays.add(
          any.bool()
              ? ShapedFiles.ids("token_ids", length)
              : ShapedFiles.ids("tokens", any.bool() ? 1 : 2, length));
    }
    return arrays.toArray(FileArray[]::new);
  }

  /** Parses the options that a command line would have. */
  private static ArrayOptions parse(List<String> words) {
    List<ArrayMapping> mappings = new ArrayList<>();
    NamePattern pattern = null;
    List<String> layers = List.of();
    RaggedPolicy ragged = RaggedPolicy.ERROR;
    List<String> pairs = new ArrayList<>(words);
    boolean leavesOut = pairs.remove("--no-sample-metadata");
    for (int i = 0; i < pairs.size(); i += 2) {
      String value = pairs.get(i + 1);
      switch (pairs.get(i)) {
        case "--tensor" -> mappings.add(ArrayMapping.parse(value));
        case "--files" -> pattern = NamePattern.parse(value);
        case "--layer-names" -> layers = List.of(value.split(","));
        case "--ragged" -> ragged = RaggedPolicy.parse(value);
        default -> throw new AssertionError(pairs.get(i));
      }
    }
    return new ArrayOptions(
        mappings, pattern, layers, ragged, 1, List.of(), leavesOut, Optional.empty());
  }
}
