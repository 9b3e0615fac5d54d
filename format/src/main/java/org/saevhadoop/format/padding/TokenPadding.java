package org.saevhadoop.format.padding;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.LongBuffer;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.samples.SidecarError;
import org.saevhadoop.format.samples.TokenRange;
import org.saevhadoop.format.tokens.PaddingMarks;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenReader;

/**
 * Determines which tokens of examples are padding. Padding is marked by {@link PaddingMarks} among
 * the per-token integers of the dataset, or in the field {@code tokens} of its sample metadata; a
 * token is also padding if its position is equal to or greater than the number of tokens of the
 * original array in {@code activation.shape}.
 *
 * <p>If ranges are read in ascending order, each sidecar is read once. Instances are not
 * thread-safe.
 */
public final class TokenPadding implements Closeable {
  private static final int READ_VALUES = 1 << 16;
  private static final int EXAMPLES_AT_ONCE = 64;

  private final ActivationDataset dataset;
  private final int tokens;
  private final TokenArrays arrays;

  /** The names of the arrays that mark padding. */
  private final List<String> marks;

  private final @Nullable SampleMetadata samples;
  private @Nullable TokenReader reader;
  private @Nullable SampleMetadataCursor cursor;

  /** The next metadata from the cursor; null at its end. */
  private @Nullable ExampleMetadata line;

  /** The parsed form of that metadata; null if it was not parsed. */
  private @Nullable SampleLength length;

  /** The number of the example that follows the last one read with the cursor. */
  private long read;

  private TokenPadding(ActivationDataset dataset, @Nullable SampleMetadata samples) {
    this.dataset = dataset;
    this.tokens = dataset.geometry().tokens();
    this.arrays = dataset.tokenArrays();
    this.marks = PaddingMarks.deciding(arrays.names());
    this.samples = samples;
  }

  /** Returns the padding of a dataset without reading it; the caller must close it. */
  public static TokenPadding of(ActivationDataset dataset) throws IOException {
    return new TokenPadding(dataset, dataset.sampleMetadata().orElse(null));
  }

  /** Returns whether any token of a dataset is padding; stops at the first padded range. */
  public static boolean isIn(ActivationDataset dataset) throws IOException {
    try (TokenPadding padding = of(dataset)) {
      long examples = padding.isPossible() ? dataset.geometry().examples() : 0;
      for (long first = 0; first < examples; first += EXAMPLES_AT_ONCE) {
        if (!padding.read(first, (int) Math.min(EXAMPLES_AT_ONCE, examples - first)).isEmpty()) {
          return true;
        }
      }
      return false;
    }
  }

  /** Returns whether the dataset has anything that can mark padding. */
  public boolean isPossible() {
    return !marks.isEmpty() || samples != null;
  }

  /**
   * Reads the padding of a range of examples.
   *
   * @return bit {@code e * tokens + t} is set if token t of example {@code first + e} is padding
   */
  public BitSet read(long first, int examples) throws IOException {
    BitSet padding = new BitSet();
    if (!marks.isEmpty()) {
      readArrays(first, examples, padding);
    }
    if (samples != null) {
      readSamples(samples, first, examples, padding);
    }
    return padding;
  }

  private void readArrays(long first, int examples, BitSet padding) throws IOException {
    if (reader == null) {
      reader = arrays.open();
    }
    int atOnce = Math.max(1, READ_VALUES / tokens);
    for (int done = 0; done < examples; done += atOnce) {
      int count = Math.min(atOnce, examples - done);
      padding.set(done * tokens, (done + count) * tokens);
      for (String mark : marks) {
        LongBuffer values = LongBuffer.allocate(count * tokens);
        reader.read(arrays.names().indexOf(mark), first + done, values);
        for (int i = 0; i < values.capacity(); i++) {
          if (!PaddingMarks.isMark(mark, values.get(i))) {
            padding.clear(done * tokens + i);
          }
        }
      }
    }
  }

  private void readSamples(SampleMetadata metadata, long first, int examples, BitSet padding)
      throws IOException {
    if (cursor == null || first < read || first > read && isInOtherShard(first)) {
      closeCursor();
      cursor = metadata.cursor(first, dataset.table().examples() - first);
      line = cursor.next();
      length = null;
    }
    read = first + examples;
    while (line != null && line.first() < read) {
      ExampleMetadata some = line.part(first, read);
      if (some != null) {
        length = length == null ? length(line) : length;
        mark(some, length, (int) (some.first() - first) * tokens, padding);
      }
      if (line.end() > read) {
        return;
      }
      line = cursor.next();
      length = null;
    }
  }

  /** Returns whether a jump to an example skips the rest of a sidecar. */
  private boolean isInOtherShard(long example) {
    return dataset.shards().indexOf(read) != dataset.shards().indexOf(example);
  }

  private void mark(ExampleMetadata example, SampleLength length, int start, BitSet padding)
      throws IOException {
    if (length.tokens() == SampleLength.UNKNOWN && length.integers() == 0) {
      return;
    }
    if (example.position() != ExampleMetadata.WHOLE) {
      markTokens(example, length, start, padding);
      return;
    }
    List<TokenRange> ranges =
        example.tokens().isEmpty() ? List.of(new TokenRange(0, tokens)) : example.tokens();
    long described = ranges.stream().mapToLong(TokenRange::length).sum();
    DatasetError.SAMPLE_METADATA_MISMATCH.check(
        described == tokens,
        dataset.path(),
        "example %d has sample metadata of %d tokens (expected %d)",
        dataset.sourceExample(example.first()),
        described,
        tokens);
    int token = 0;
    for (TokenRange range : ranges) {
      for (int position = range.start(); position < range.stop(); position++, token++) {
        // without a shape, the integers can belong to tokens that were selected earlier
        boolean isWhole = length.integers() == length.tokens() || length.integers() != tokens;
        int index = isWhole ? position : token;
        boolean isBeyond = length.tokens() != SampleLength.UNKNOWN && position >= length.tokens();
        if (isBeyond || length.isPadding(index)) {
          padding.set(start + token);
        }
      }
    }
  }

  /** Marks single-token examples, whose metadata has one integer or the integers of all tokens. */
  private void markTokens(
      ExampleMetadata examples, SampleLength length, int start, BitSet padding) {
    for (int i = 0; i < examples.count(); i++) {
      long index = length.integers() == 1 ? 0 : examples.position() + i;
      if (index < length.integers() && length.isPadding((int) index)) {
        padding.set(start + i * tokens);
      }
    }
  }

  private SampleLength length(ExampleMetadata example) throws IOException {
    try {
      return SampleLength.of(example.sample());
    } catch (JsonProcessingException e) {
      throw SidecarError.BAD_SIDECAR
          .in(
              dataset.path(),
              "example %d has sample metadata that is not JSON: %s",
              dataset.sourceExample(example.first()),
              Jackson.problem(e))
          .causedBy(e);
    }
  }

  private void closeCursor() throws IOException {
    if (cursor != null) {
      SampleMetadataCursor closing = cursor;
      cursor = null;
      closing.close();
    }
  }

  @Override
  public void close() throws IOException {
    TokenReader closing = reader;
    reader = null;
    try {
      closeCursor();
    } finally {
      if (closing != null) {
        closing.close();
      }
    }
  }
}
