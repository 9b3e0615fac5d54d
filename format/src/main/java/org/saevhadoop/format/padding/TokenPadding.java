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
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenReader;

/**
 * Reads which tokens of examples fill these up. A token is padding if its integers are {@link
 * TokenArrays#PADDING} in all token arrays of the dataset, or in all arrays of the field {@code
 * tokens} of its sample metadata, or if its position is not below the number of tokens of the
 * original array in {@code activation.shape}. Examples that are tokens of a sample are never
 * padding by their sample metadata.
 *
 * <p>Ascending ranges read each sidecar once. An instance may be used by one thread at a time.
 */
public final class TokenPadding implements Closeable {
  private static final int READ_VALUES = 1 << 16;

  private final ActivationDataset dataset;
  private final int tokens;
  private final TokenArrays arrays;
  private final @Nullable SampleMetadata samples;
  private @Nullable TokenReader reader;
  private @Nullable SampleMetadataCursor cursor;

  /** Next metadata of the cursor; null at its end. */
  private @Nullable ExampleMetadata line;

  /** Number after that of the last example that was read with the cursor. */
  private long read;

  private TokenPadding(ActivationDataset dataset, @Nullable SampleMetadata samples) {
    this.dataset = dataset;
    this.tokens = dataset.geometry().tokens();
    this.arrays = dataset.tokenArrays();
    this.samples = samples;
  }

  /** Returns the padding of a dataset without reading it; the caller must close it. */
  public static TokenPadding of(ActivationDataset dataset) throws IOException {
    return new TokenPadding(dataset, dataset.sampleMetadata().orElse(null));
  }

  /** Returns false if the dataset has nothing that marks padding. */
  public boolean isPossible() {
    return !arrays.isEmpty() || samples != null;
  }

  /**
   * Reads the padding of a range of examples.
   *
   * @return bit {@code e * tokens + t} is set if token t of example {@code first + e} is padding
   */
  public BitSet read(long first, int examples) throws IOException {
    BitSet padding = new BitSet();
    if (!arrays.isEmpty()) {
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
      for (int array = 0; array < arrays.names().size(); array++) {
        LongBuffer values = LongBuffer.allocate(count * tokens);
        reader.read(array, first + done, values);
        for (int i = 0; i < values.capacity(); i++) {
          if (values.get(i) != TokenArrays.PADDING) {
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
    }
    read = first + examples;
    for (; line != null && line.first() < read; line = cursor.next()) {
      if (line.first() >= first && line.position() == ExampleMetadata.WHOLE) {
        mark(line, (int) (line.first() - first) * tokens, padding);
      }
    }
  }

  /** Returns whether a jump to an example skips the rest of a sidecar. */
  private boolean isInOtherShard(long example) {
    return dataset.shards().indexOf(read) != dataset.shards().indexOf(example);
  }

  private void mark(ExampleMetadata example, int start, BitSet padding) throws IOException {
    SampleLength length = length(example);
    if (length.tokens() == SampleLength.UNKNOWN && length.integers() == 0) {
      return;
    }
    List<TokenRange> ranges =
        example.tokens().isEmpty() ? List.of(new TokenRange(0, tokens)) : example.tokens();
    long described = ranges.stream().mapToLong(TokenRange::length).sum();
    DatasetError.SAMPLE_METADATA_MISMATCH.check(
        described == tokens,
        dataset.folder().path(),
        "example %d has sample metadata of %d tokens (expected %d)",
        dataset.sourceExample(example.first()),
        described,
        tokens);
    int token = 0;
    for (TokenRange range : ranges) {
      for (int position = range.start(); position < range.stop(); position++, token++) {
        // integers may be those of the tokens that an example had when they were written
        int index = length.integers() == tokens ? token : position;
        boolean isBeyond = length.tokens() != SampleLength.UNKNOWN && position >= length.tokens();
        if (isBeyond || length.isPadding(index)) {
          padding.set(start + token);
        }
      }
    }
  }

  private SampleLength length(ExampleMetadata example) throws IOException {
    try {
      return SampleLength.of(example.sample());
    } catch (JsonProcessingException e) {
      throw SidecarError.BAD_SIDECAR
          .in(
              dataset.folder().path(),
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
