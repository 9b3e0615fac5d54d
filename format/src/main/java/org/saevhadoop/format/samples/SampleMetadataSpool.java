package org.saevhadoop.format.samples;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.saevhadoop.format.io.LocalSpool;

/**
 * Reorders sample metadata. The texts are kept in a temporary file on the local disk; memory holds
 * three numbers and a list of token ranges for each example, and examples with equal ranges can
 * share a list.
 */
final class SampleMetadataSpool implements Closeable {
  private final long first;
  private final LocalSpool texts;
  private final long[] begins;
  private final int[] lengths;
  private final long[] positions;
  private final List<List<TokenRange>> tokens;
  private List<TokenRange> last = List.of();

  SampleMetadataSpool(long first, int examples, Path localFolder) throws IOException {
    this.first = first;
    this.begins = new long[examples];
    this.lengths = new int[examples];
    this.positions = new long[examples];
    this.tokens = new ArrayList<>(Collections.nCopies(examples, last));
    this.texts = LocalSpool.temporary(localFolder);
  }

  void add(ExampleMetadata sampleMetadata) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(Character.BYTES * sampleMetadata.sample().length());
    text.asCharBuffer().put(sampleMetadata.sample()); // unlike an encoder, keeps lone surrogates
    int index = (int) (sampleMetadata.first() - first);
    last = sampleMetadata.tokens().equals(last) ? last : sampleMetadata.tokens();
    for (int i = 0; i < sampleMetadata.count(); i++) {
      tokens.set(index + i, last);
      begins[index + i] = texts.length();
      lengths[index + i] = text.remaining();
      positions[index + i] =
          sampleMetadata.position() == ExampleMetadata.WHOLE
              ? ExampleMetadata.WHOLE
              : sampleMetadata.position() + i;
    }
    texts.append(text);
  }

  void writeTo(SidecarWriter writer, int[] order) throws IOException {
    for (int i = 0; i < order.length; i++) {
      int index = order[i];
      if (lengths[index] > 0) {
        writer.write(
            new ExampleMetadata(first + i, 1, positions[index], tokens.get(index), text(index)));
      }
    }
  }

  private String text(int index) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(lengths[index]);
    texts.read(begins[index], text);
    return text.flip().asCharBuffer().toString();
  }

  @Override
  public void close() throws IOException {
    texts.close();
  }
}
