package org.saevhadoop.format.combined;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.ShardSlice;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.padding.PaddingMask;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.tokens.PaddingMarks;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenReader;

/**
 * The data of the examples of several sources, read source by source; only one source is open at a
 * time.
 */
final class SourceExamples implements ExampleIds, SampleMetadata, TokenArrays {
  private final OpenSources sources;
  private final List<Integer> indexes;

  private final Shards ranges;

  /** Whether the sources have different per-token integers. */
  private final boolean integersDiffer;

  /** The most recently read ids, whose last file is still open; null while a thread reads them. */
  private final AtomicReference<@Nullable SourceIds> last = new AtomicReference<>();

  private record SourceIds(int source, ExampleIds ids) {}

  SourceExamples(OpenSources sources, List<Integer> indexes) {
    this.sources = sources;
    this.indexes = indexes;
    List<Shard> all = new ArrayList<>();
    long next = 0;
    for (int source : indexes) {
      long examples = sources.facts(source).table().examples();
      all.add(new Shard(sources.path(source), next, examples, 0));
      next += examples;
    }
    this.ranges = new Shards(all);
    this.integersDiffer =
        indexes.stream().map(i -> sources.facts(i).tokenArrays()).distinct().count() > 1;
  }

  /** Returns the slices of sources that contain the examples of a range. */
  List<ShardSlice> slices(long first, long count) {
    return ranges.slices(first, Math.min(count, ranges.examples() - first));
  }

  private final class Opened<T extends Closeable> implements Closeable {
    private int source = -1;
    private @Nullable T open;

    private final Io.Function<TableDataset, T> opener;

    Opened(Io.Function<TableDataset, T> opener) {
      this.opener = opener;
    }

    T of(ShardSlice slice) throws IOException {
      T known = open;
      if (known == null || source != slice.index()) {
        close();
        known = opener.apply(sources.get(indexes.get(slice.index())));
        source = slice.index();
        open = known;
      }
      return known;
    }

    @Override
    public void close() throws IOException {
      T closing = open;
      open = null;
      if (closing != null) {
        closing.close();
      }
    }
  }

  @Override
  public List<String> ids(long first, long count) throws IOException {
    List<String> ids = new ArrayList<>();
    for (ShardSlice slice : slices(first, count)) {
      SourceIds known = last.getAndSet(null);
      SourceIds own = known == null || known.source != slice.index() ? ids(slice) : known;
      ids.addAll(own.ids.ids(slice.start(), slice.examples()));
      last.set(own);
    }
    return ids;
  }

  private SourceIds ids(ShardSlice slice) throws IOException {
    ExampleIds numbers = ExampleIds.numbers(slice.shard().examples());
    return new SourceIds(
        slice.index(), sources.get(indexes.get(slice.index())).ids().orElse(numbers));
  }

  @Override
  public int maxBytes() throws IOException {
    int max = 0;
    for (int source : indexes) {
      SourceFacts facts = sources.facts(source);
      int numbers = ExampleIds.numbers(facts.table().examples()).maxBytes();
      max = Math.max(max, facts.hasIds() ? facts.idBytes() : numbers);
    }
    return max;
  }

  /** Returns false: if all sources only number their examples, there are no ids. */
  @Override
  public boolean areNumbers() {
    return false;
  }

  /** Opens the labels; all sources have the same number of labels per example. */
  PatchLabels labels() {
    int patches = sources.facts(indexes.get(0)).patches();
    Opened<PatchLabels> opened = new Opened<>(dataset -> dataset.requireActivations().openLabels());
    return new PatchLabels() {
      @Override
      public int patches() {
        return patches;
      }

      @Override
      public void read(long first, ByteBuffer dst) throws IOException {
        int limit = dst.limit();
        for (ShardSlice slice : slices(first, dst.remaining() / patches)) {
          dst.limit(dst.position() + (int) slice.examples() * patches);
          opened.of(slice).read(slice.start(), dst);
          dst.limit(limit);
        }
      }

      @Override
      public void close() throws IOException {
        opened.close();
      }
    };
  }

  @Override
  public List<String> names() {
    return sources.facts(indexes.get(0)).tokenArrays();
  }

  @Override
  public int tokens() {
    return Objects.requireNonNull(sources.facts(indexes.get(0)).activations()).geometry().tokens();
  }

  @Override
  public TokenReader open() {
    return reader(new Opened<>(dataset -> dataset.requireActivations().tokenArrays().open()));
  }

  /** Returns a padding mask; each source can mark padding in its own way. */
  TokenArrays paddingMask() {
    return new TokenArrays() {
      @Override
      public List<String> names() {
        return List.of(PaddingMarks.NAME);
      }

      @Override
      public int tokens() {
        return SourceExamples.this.tokens();
      }

      @Override
      public TokenReader open() {
        return reader(
            new Opened<>(dataset -> new PaddingMask(dataset.requireActivations()).open()));
      }
    };
  }

  private TokenReader reader(Opened<TokenReader> opened) {
    return new TokenReader() {
      @Override
      public void read(int array, long first, LongBuffer dst) throws IOException {
        int limit = dst.limit();
        for (ShardSlice slice : slices(first, dst.remaining() / tokens())) {
          dst.limit(dst.position() + (int) slice.examples() * tokens());
          opened.of(slice).read(array, slice.start(), dst);
          dst.limit(limit);
        }
      }

      @Override
      public void close() throws IOException {
        opened.close();
      }
    };
  }

  /** Returns whether there is sample metadata, or integers that are read as sample metadata. */
  boolean hasSamples() {
    return integersDiffer || indexes.stream().anyMatch(i -> sources.facts(i).samples());
  }

  private Optional<SampleMetadata> samples(TableDataset dataset) throws IOException {
    return integersDiffer ? dataset.sampleMetadataWithTokens() : dataset.sampleMetadata();
  }

  @Override
  public SampleMetadataCursor cursor(long first, long count) {
    Iterator<ShardSlice> left = slices(first, count).iterator();
    return new SampleMetadataCursor() {
      private @Nullable ShardSlice slice = left.hasNext() ? left.next() : null;

      private final Opened<SampleMetadataCursor> opened =
          new Opened<>(
              dataset ->
                  samples(dataset)
                      .orElse(SampleMetadata.NONE)
                      .cursor(Objects.requireNonNull(slice).start(), slice.examples()));

      @Override
      public @Nullable ExampleMetadata next() throws IOException {
        while (slice != null) {
          SourceFacts facts = sources.facts(indexes.get(slice.index()));
          boolean isRead = facts.samples() || integersDiffer && !facts.tokenArrays().isEmpty();
          ExampleMetadata found = isRead ? opened.of(slice).next() : null;
          if (found != null) {
            return found.from(found.first() + slice.shard().first());
          }
          slice = left.hasNext() ? left.next() : null;
        }
        return null;
      }

      @Override
      public void close() throws IOException {
        opened.close();
      }
    };
  }
}
