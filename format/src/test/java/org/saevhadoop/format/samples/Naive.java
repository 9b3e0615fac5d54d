package org.saevhadoop.format.samples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.LocalFolder;

/** Attributes example by example, as a test sees them. */
final class Naive {
  private Naive() {}

  /** The position, the tokens and the sample of each example that has some. */
  static Map<Long, String> of(SampleMetadata sampleMetadata, long first, long count) {
    Map<Long, String> found = new TreeMap<>();
    try (SampleMetadataCursor cursor = sampleMetadata.cursor(first, count)) {
      for (var next = cursor.next(); next != null; next = cursor.next()) {
        put(next, found);
      }
      if (cursor.next() != null) {
        throw new AssertionError("more after the end");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  static void put(ExampleMetadata sampleMetadata, Map<Long, String> all) {
    for (long i = 0; i < sampleMetadata.count(); i++) {
      long position = sampleMetadata.position() < 0 ? -1 : sampleMetadata.position() + i;
      String tokens = sampleMetadata.tokens().isEmpty() ? "" : sampleMetadata.tokens() + " ";
      String text = position + " " + tokens + sampleMetadata.sample();
      if (all.put(sampleMetadata.first() + i, text) != null) {
        throw new AssertionError("twice: " + sampleMetadata);
      }
    }
  }

  static SampleMetadata beside(Path folder, DataFile... files) throws IOException {
    return Sidecars.of(new LocalFolder(folder), java.util.List.of(files)).orElseThrow();
  }

  static void write(Folder folder, DataFile file, ExampleMetadata... sampleMetadata)
      throws IOException {
    try (var writer = new SidecarWriter(folder, file.name(), file.first(), file.examples())) {
      for (ExampleMetadata next : sampleMetadata) {
        writer.write(next);
      }
    }
  }

  static String unzip(Path sidecar) throws IOException {
    try (var in = new GZIPInputStream(Files.newInputStream(sidecar))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** A text that comes in pieces of a length. */
  static ByteSource source(byte[] text, int piece) {
    ByteBuffer bytes = ByteBuffer.wrap(text);
    return new ByteSource() {
      @Override
      public String path() {
        return "memory";
      }

      @Override
      public int read(ByteBuffer dst) {
        if (!bytes.hasRemaining()) {
          return -1;
        }
        int n = Math.min(Math.min(piece, dst.remaining()), bytes.remaining());
        dst.put(bytes.slice().limit(n));
        bytes.position(bytes.position() + n);
        return n;
      }

      @Override
      public long fileBytesRead() {
        return bytes.position();
      }

      @Override
      public void close() {}
    };
  }
}
