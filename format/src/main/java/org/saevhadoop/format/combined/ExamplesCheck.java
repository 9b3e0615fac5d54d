package org.saevhadoop.format.combined;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.ShardSlice;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenReader;

/**
 * Checks the data of the examples of sources: appended examples must have unique ids; joined
 * examples must agree in the ids, labels, per-token integers and sample metadata that sources have.
 * Only the data of a few examples is in memory at a time.
 */
final class ExamplesCheck {
  /** The maximum number of hashes in memory at a time; that many hashes take 256 MiB. */
  private static final int MAX_HASHES = 1 << 23;

  private static final int READ_EXAMPLES = 64;
  private static final int MAX_SHOWN = 100;

  private final Combination combination;
  private final OpenSources sources;
  private final long examples;

  ExamplesCheck(Combination combination) {
    this.combination = combination;
    this.sources = new OpenSources(combination.sources());
    this.examples = combination.table().examples();
  }

  void run() throws IOException {
    if (combination.way() == Combine.EXAMPLES) {
      checkUnique();
      return;
    }
    compare("id", SourceFacts::hasIds, ExamplesCheck::ids);
    compare("labels", facts -> facts.patches() > 0, ExamplesCheck::labels);
    compare("per-token integers", facts -> !facts.tokenArrays().isEmpty(), ExamplesCheck::tokens);
    compare("sample metadata", SourceFacts::samples, Samples::new);
  }

  private void checkUnique() throws IOException {
    Optional<SourceExamples> all = combination.havingIds(sources);
    if (all.isEmpty()) {
      return;
    }
    long fits = Runtime.getRuntime().maxMemory() / 8 / RepeatedId.HASH_BYTES;
    RepeatedId.Pair pair =
        new RepeatedId(all.get(), examples, (int) Math.min(MAX_HASHES, fits)).find();
    if (pair != null) {
      ShardSlice first = all.get().slices(pair.first(), 1).get(0);
      ShardSlice second = all.get().slices(pair.second(), 1).get(0);
      throw CombinationError.REPEATED_ID.in(
          sources.path(second.index()),
          "example %d has the id %s, as does example %d of %s (expected unique ids, or --renumber)",
          second.start(),
          Quote.show(pair.id(), MAX_SHOWN),
          first.start(),
          sources.path(first.index()));
    }
  }

  /** Values of examples, which are read in order. */
  private interface Values extends Closeable {
    /** Returns one value for each of several consecutive examples. */
    List<?> read(long first, int count) throws IOException;

    @Override
    default void close() throws IOException {}
  }

  /** Compares all sources that have data of one kind with the first of them. */
  private void compare(
      String what, Predicate<SourceFacts> has, Io.Function<TableDataset, Values> opener)
      throws IOException {
    int[] having =
        IntStream.range(0, combination.sources().size())
            .filter(source -> has.test(sources.facts(source)))
            .toArray();
    for (int i = 1; i < having.length; i++) {
      try (Values expected = opener.apply(sources.get(having[0]));
          Values values = opener.apply(sources.get(having[i]))) {
        for (long first = 0; first < examples; first += READ_EXAMPLES) {
          int count = (int) Math.min(READ_EXAMPLES, examples - first);
          List<?> a = expected.read(first, count);
          List<?> b = values.read(first, count);
          for (int j = 0; j < count; j++) {
            CombinationError.EXAMPLE_DIFFERS.check(
                a.get(j).equals(b.get(j)),
                sources.path(having[i]),
                "example %d differs from the one in %s in its %s (expected the same examples)",
                first + j,
                sources.path(having[0]),
                what);
          }
        }
      }
    }
  }

  private static Values ids(TableDataset dataset) {
    ExampleIds ids = dataset.ids().orElseThrow();
    return ids::ids;
  }

  private static Values labels(TableDataset dataset) throws IOException {
    PatchLabels labels = dataset.requireActivations().openLabels();
    return new Values() {
      @Override
      public List<?> read(long first, int count) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(count * labels.patches());
        labels.read(first, all);
        return IntStream.range(0, count)
            .mapToObj(i -> all.slice(i * labels.patches(), labels.patches()))
            .toList();
      }

      @Override
      public void close() throws IOException {
        labels.close();
      }
    };
  }

  private static Values tokens(TableDataset dataset) throws IOException {
    ActivationDataset activations = dataset.requireActivations();
    TokenArrays arrays = activations.tokenArrays();
    TokenReader reader = arrays.open();
    return new Values() {
      @Override
      public List<?> read(long first, int count) throws IOException {
        List<List<Object>> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          List<Object> ofExample = new ArrayList<>(arrays.names());
          for (int array = 0; array < arrays.names().size(); array++) {
            LongBuffer integers = LongBuffer.allocate(arrays.tokens());
            reader.read(array, first + i, integers);
            ofExample.add(integers.flip());
          }
          values.add(ofExample);
        }
        return values;
      }

      @Override
      public void close() throws IOException {
        reader.close();
      }
    };
  }

  /** Sample metadata by example, because sources can divide it differently. */
  private static final class Samples implements Values {
    private final SampleMetadataCursor cursor;
    private @Nullable ExampleMetadata next;

    Samples(TableDataset dataset) throws IOException {
      cursor =
          dataset
              .sampleMetadata()
              .orElse(SampleMetadata.NONE)
              .cursor(0, dataset.table().examples());
      next = cursor.next();
    }

    @Override
    public List<?> read(long first, int count) throws IOException {
      List<Optional<ExampleMetadata>> values = new ArrayList<>();
      for (long example = first; example < first + count; example++) {
        while (next != null && next.end() <= example) {
          next = cursor.next();
        }
        ExampleMetadata part = next == null ? null : next.part(example, example + 1);
        values.add(Optional.ofNullable(part));
      }
      return values;
    }

    @Override
    public void close() throws IOException {
      cursor.close();
    }
  }
}
