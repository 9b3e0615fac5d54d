package org.saevhadoop.format.combined;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
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
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenReader;

/**
 * Check of what belongs to the examples of sources: ids are unique over more examples; ids, labels,
 * integers of tokens and sample metadata of the same examples agree, where sources have them. One
 * piece of each is in memory at a time.
 */
final class ExamplesCheck {
  /** Takes at most an eighth of a heap of 2 GiB, with as many places beside the hashes. */
  private static final int HASHES = 1 << 24;

  private static final int READ_IDS = 4096;
  private static final int READ_BYTES = 1 << 20;
  private static final int MAX_SHOWN = 100;

  private final Combination combination;
  private final OpenSources sources;
  private final long examples;

  ExamplesCheck(Combination combination, OpenSources sources) {
    this.combination = combination;
    this.sources = sources;
    this.examples = combination.table().examples();
  }

  void run() throws IOException {
    if (combination.way() == Combine.EXAMPLES) {
      checkUnique();
      return;
    }
    forEachPair(SourceFacts::hasIds, this::compareIds);
    forEachPair(facts -> facts.patches() > 0, this::compareLabels);
    forEachPair(facts -> !facts.tokenArrays().isEmpty(), this::compareTokens);
    forEachPair(SourceFacts::samples, this::compareSamples);
  }

  private void checkUnique() throws IOException {
    Optional<SourceExamples> all = combination.havingIds(sources);
    if (all.isEmpty()) {
      return;
    }
    long fits = Runtime.getRuntime().maxMemory() / 8 / (2 * Long.BYTES);
    int atOnce = (int) Math.min(HASHES, fits);
    RepeatedId.Pair pair = new RepeatedId(new CombinedIds(all.get()), examples, atOnce).find();
    if (pair != null) {
      ShardSlice first = all.get().slices(pair.first(), 1).get(0);
      ShardSlice second = all.get().slices(pair.second(), 1).get(0);
      throw CombinationError.REPEATED_ID.in(
          sources.path(second.index()),
          "example %d has the id %s of example %d of %s (expected unique ids, or new numbers)",
          second.start(),
          Quote.show(pair.id(), MAX_SHOWN),
          first.start(),
          sources.path(first.index()));
    }
  }

  /** Compares what two sources have of the same examples. */
  @FunctionalInterface
  private interface Comparison {
    void run(int first, int other) throws IOException;
  }

  private void forEachPair(Predicate<SourceFacts> has, Comparison comparison) throws IOException {
    List<Integer> having =
        IntStream.range(0, combination.sources().size())
            .filter(source -> has.test(sources.facts(source)))
            .boxed()
            .toList();
    for (int i = 1; i < having.size(); i++) {
      comparison.run(having.get(0), having.get(i));
    }
  }

  private FormatException difference(int first, int other, long example, String what) {
    return CombinationError.EXAMPLE_DIFFERS.in(
        sources.path(other),
        "example %d has other %s than in %s (expected the same examples)",
        example,
        what,
        sources.path(first));
  }

  private void compareIds(int first, int other) throws IOException {
    ExampleIds expected = sources.get(first).ids().orElseThrow();
    ExampleIds ids = sources.get(other).ids().orElseThrow();
    for (long example = 0; example < examples; example += READ_IDS) {
      long count = Math.min(READ_IDS, examples - example);
      List<String> a = expected.ids(example, count);
      List<String> b = ids.ids(example, count);
      for (int i = 0; i < count; i++) {
        if (!a.get(i).equals(b.get(i))) {
          throw CombinationError.EXAMPLE_DIFFERS.in(
              sources.path(other),
              "example %d has the id %s (expected %s, as in %s)",
              example + i,
              Quote.show(b.get(i), MAX_SHOWN),
              Quote.show(a.get(i), MAX_SHOWN),
              sources.path(first));
        }
      }
    }
  }

  private ActivationDataset activations(int source) throws IOException {
    return sources.get(source).requireActivations();
  }

  private void compareLabels(int first, int other) throws IOException {
    try (PatchLabels expected = activations(first).openLabels();
        PatchLabels labels = activations(other).openLabels()) {
      int patches = expected.patches();
      CombinationError.SHAPES_DIFFER.check(
          labels.patches() == patches,
          sources.path(other),
          "has %d labels per example (expected %d, as in %s)",
          labels.patches(),
          patches,
          sources.path(first));
      int atOnce = Math.max(1, READ_BYTES / patches);
      ByteBuffer a = ByteBuffer.allocate(atOnce * patches);
      ByteBuffer b = ByteBuffer.allocate(atOnce * patches);
      for (long example = 0; example < examples; example += atOnce) {
        int bytes = (int) Math.min(atOnce, examples - example) * patches;
        expected.read(example, a.clear().limit(bytes));
        labels.read(example, b.clear().limit(bytes));
        int same = a.flip().mismatch(b.flip());
        if (same >= 0) {
          throw difference(first, other, example + same / patches, "labels");
        }
      }
    }
  }

  private void compareTokens(int first, int other) throws IOException {
    TokenArrays expected = activations(first).tokenArrays();
    TokenArrays tokens = activations(other).tokenArrays();
    CombinationError.SHAPES_DIFFER.check(
        tokens.names().equals(expected.names()),
        sources.path(other),
        "has integers of tokens %s (expected %s, as in %s)",
        tokens.names(),
        expected.names(),
        sources.path(first));
    try (TokenReader expectedReader = expected.open();
        TokenReader reader = tokens.open()) {
      int atOnce = Math.max(1, READ_BYTES / Long.BYTES / tokens.tokens());
      LongBuffer a = LongBuffer.allocate(atOnce * tokens.tokens());
      LongBuffer b = LongBuffer.allocate(atOnce * tokens.tokens());
      for (int array = 0; array < tokens.names().size(); array++) {
        for (long example = 0; example < examples; example += atOnce) {
          int values = (int) Math.min(atOnce, examples - example) * tokens.tokens();
          expectedReader.read(array, example, a.clear().limit(values));
          reader.read(array, example, b.clear().limit(values));
          int same = a.flip().mismatch(b.flip());
          if (same >= 0) {
            throw difference(
                first, other, example + same / tokens.tokens(), tokens.names().get(array));
          }
        }
      }
    }
  }

  private void compareSamples(int first, int other) throws IOException {
    try (Samples expected = new Samples(sources.get(first), examples);
        Samples samples = new Samples(sources.get(other), examples)) {
      ExampleMetadata a;
      do {
        a = expected.next();
        ExampleMetadata b = samples.next();
        if (a == null ? b != null : !a.equals(b)) {
          long example = Math.min(Samples.example(a), Samples.example(b));
          throw difference(first, other, example, "sample metadata");
        }
      } while (a != null);
    }
  }

  /** Sample metadata, joined where a source divides it at the ends of files. */
  private static final class Samples implements AutoCloseable {
    private final SampleMetadataCursor cursor;
    private @Nullable ExampleMetadata ahead;

    Samples(TableDataset dataset, long examples) throws IOException {
      this.cursor = dataset.sampleMetadata().orElse(SampleMetadata.NONE).cursor(0, examples);
      this.ahead = cursor.next();
    }

    static long example(@Nullable ExampleMetadata metadata) {
      return metadata == null ? Long.MAX_VALUE : metadata.first();
    }

    @Nullable ExampleMetadata next() throws IOException {
      ExampleMetadata all = ahead;
      ExampleMetadata joined = all;
      while (joined != null) {
        all = joined;
        ahead = cursor.next();
        joined = ahead == null ? null : all.with(ahead);
      }
      return all;
    }

    @Override
    public void close() throws IOException {
      cursor.close();
    }
  }
}
