package org.saevhadoop.format.arrow.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.flatbuffer.FlatTable;
import org.saevhadoop.format.io.Input;

/**
 * A file, and the location of the buffers of its record batches.
 *
 * @param file the file with the messages
 * @param packed the compressed buffers; null if they are refused
 * @param values all buffers: the file, followed by the content of compressed buffers
 */
record ArrowBodies(Input file, @Nullable PackedBuffers packed, Input values) implements Closeable {
  /** Opens a file whose bodies are read in a given way. */
  static ArrowBodies of(Input in, ArrowReader.Bodies kind) throws IOException {
    switch (kind) {
      case IN_PLACE -> {
        return new ArrowBodies(in, null, in);
      }
      case PACKED -> {
        PackedBuffers packed = new PackedBuffers(in);
        return new ArrowBodies(in, packed, packed);
      }
      default -> {
        ByteBuffer tail =
            ByteBuffer.allocate(ArrowReader.TAIL_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        in.readFully(in.length() - tail.capacity(), tail);
        Head head = new Head(in, tail.flip().getLong());
        return new ArrowBodies(head, new PackedBuffers(head), in);
      }
    }
  }

  /** Returns the codec of a record batch; null if its body is not compressed. */
  @Nullable BodyCodec codec(@Nullable FlatTable compression) throws IOException {
    if (compression == null) {
      return null;
    }
    BodyCodec codec = BodyCodec.of(file.path(), compression);
    ArrowError.UNSUPPORTED.check(
        packed != null,
        file.path(),
        "has bodies that are compressed with %s, whose values cannot be read in place (expected"
            + " none; convert can unpack them)",
        codec);
    return codec;
  }

  /** Returns the position, within the values, of the content of a buffer. */
  ArrowColumn.Region region(@Nullable BodyCodec codec, ArrowColumn.Region buffer)
      throws IOException {
    return codec == null || packed == null ? buffer : packed.add(codec, buffer);
  }

  /** Releases memory, but does not close the file. */
  @Override
  public void close() throws IOException {
    if (packed != null) {
      packed.release();
    }
  }

  /** A view of a file that ends at a given position. */
  private record Head(Input file, long length) implements Input.Filter {
    @Override
    public void readFully(long position, ByteBuffer dst) throws IOException {
      file.readFully(position, dst);
    }
  }
}
