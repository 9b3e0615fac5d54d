package org.saevhadoop.format.arrays.pickled;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.pickle.read.PersistentLoader;
import org.saevhadoop.format.pickle.read.PickleReader;
import org.saevhadoop.format.pickle.value.PayloadStore;
import org.saevhadoop.format.tensor.DType;

/** Lists the numpy arrays in a pickle. Their elements are skipped. */
public final class PickledArrays {
  private static final int GZIP = 0x1f8b;

  /** Determines the element types of arrays. */
  @FunctionalInterface
  public interface Types {
    /**
     * Returns the type of the elements.
     *
     * @throws FormatException if the elements are not numbers, or if their type is unknown
     */
    DType of(String path, NumpyType type) throws FormatException;
  }

  /**
   * Replaces objects of other classes with placeholders, so that nothing in a pickle is executed.
   */
  private record Placeholders(String path) implements PersistentLoader {
    @Override
    public Object load(@Nullable Object id) throws FormatException {
      throw NpyError.UNSUPPORTED.in(
          path, "refers to objects outside the pickle (expected a file that pickle.dump wrote)");
    }

    @Override
    public boolean keepsOthers() {
      return true;
    }
  }

  private PickledArrays() {}

  /** Returns whether bytes begin like a pickle of protocol 2 or higher. */
  public static boolean isPickle(ByteBuffer start) {
    return start.remaining() > 2
        && start.get(0) == (byte) 0x80
        && start.get(1) >= 2
        && start.get(1) <= 5;
  }

  /**
   * Reads the arrays of a pickle.
   *
   * @param file the file, which ends with the pickle
   * @param offset the offset of the pickle in the file
   */
  public static ArrayFile read(Input file, long offset, Types types) throws IOException {
    checkUncompressed(file, offset);
    String path = file.path();
    Object root =
        PickleReader.read(
            new ByteSource.OfFile(file, offset == 0 ? path : path + "/objects", offset),
            new SkippedPayloads(file, offset),
            PickledContent.LIMITS,
            new Placeholders(path));
    ArrayFile content = PickledContent.of(path, new NumpyObjects(path, offset, types), root);
    NpyError.NO_ARRAYS.check(
        !content.arrays().isEmpty(), path, "contains no array (expected a pickle of numpy arrays)");
    return content;
  }

  private static void checkUncompressed(Input file, long offset) throws IOException {
    ByteBuffer start = ByteBuffer.allocate((int) Math.min(2, file.length() - offset));
    file.readFully(offset, start);
    NpyError.COMPRESSED.check(
        start.capacity() < 2 || (start.getShort(0) & 0xffff) != GZIP,
        file.path(),
        "is a gzip-compressed pickle, which prevents reading its arrays in place (expected an"
            + " uncompressed pickle: run gunzip)");
  }

  /** The byte strings of a pickle, which remain in the file. */
  private record SkippedPayloads(Input file, long offset) implements PayloadStore {
    @Override
    public long begin(long streamPosition) {
      return streamPosition;
    }

    @Override
    public boolean isAppended() {
      return false;
    }

    @Override
    public void append(ByteBuffer piece) {
      piece.position(piece.limit());
    }

    /** Reads derived bytes as zeros: only strings are derived, and strings are not read. */
    @Override
    public void read(long position, ByteBuffer dst) throws IOException {
      if (position < 0) {
        dst.position(dst.limit());
      } else {
        file.readFully(offset + position, dst);
      }
    }
  }
}
