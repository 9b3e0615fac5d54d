package org.saevhadoop.format.pickle.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PayloadStore;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PythonValue;

/** Reads a pickle of protocol 0 to 5 as values, executing nothing. */
public final class PickleReader {
  private static final int BUFFER_BYTES = 256 << 10;

  /** Beginnings of other files that are opcodes, or could be. */
  private static final List<byte[]> OTHERS =
      List.of(magic("\u0093NUMPY"), magic("\u0089HDF"), magic("PK\u0003\u0004"), magic("PAR1"));

  private static final int LONGEST_MAGIC = 6;

  private static final Set<PickleError> BAD =
      EnumSet.range(PickleError.BAD_PICKLE, PickleError.BAD_SCALAR);

  private PickleReader() {}

  private static byte[] magic(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /**
   * The object that CPython would load: what it is made of, of {@link PythonValue}. The source is
   * read to its end, and not closed.
   *
   * @param payloads gets the bytes that are too many for the memory
   * @throws FormatException of a {@link PickleError}, with the opcode and its place: where CPython
   *     fails, where the pickle names anything that is not built here, where bytes follow it, and
   *     where it is beyond the limits
   */
  public static Object read(ByteSource source, PayloadStore payloads, PickleLimits limits)
      throws IOException {
    return read(source, payloads, limits, ByteBuffer.allocateDirect(BUFFER_BYTES));
  }

  static Object read(
      ByteSource source, PayloadStore payloads, PickleLimits limits, ByteBuffer buffer)
      throws IOException {
    PickleInput in = new PickleInput(source, buffer);
    in.readAhead(LONGEST_MAGIC);
    PickleError.TRUNCATED.check(!in.isAtEnd(), source.path(), "an empty pickle, at byte 0");
    checkBeginning(in, source.path());
    Unpickler machine = new Unpickler(in, payloads, limits);
    Object value = run(machine, in, source.path());
    if (!in.isAtEnd()) {
      throw trailing(in, source.path(), limits);
    }
    checkFrame(machine, in, source.path());
    ValueCheck.check(in, limits, value);
    return value;
  }

  /** CPython first reads a frame and then what it says: of two errors its end is the first. */
  private static Object run(Unpickler machine, PickleInput in, String path) throws IOException {
    try {
      return machine.run();
    } catch (FormatException e) {
      if (in.failure() != null && BAD.contains(in.failure())) {
        in.skip(machine.frameEnd());
        checkFrame(machine, in, path);
      }
      throw e;
    }
  }

  private static void checkFrame(Unpickler machine, PickleInput in, String path)
      throws FormatException {
    PickleError.TRUNCATED.check(
        machine.frameEnd() <= in.position(),
        path,
        "the last frame ends at byte %d (%d)",
        in.position(),
        machine.frameEnd());
  }

  private static void checkBeginning(PickleInput in, String path) throws FormatException {
    PickleError.NOT_A_PICKLE.check(
        Opcode.isKnown(in.peek()) && OTHERS.stream().noneMatch(in::isAt),
        path,
        "byte 0 begins no pickle");
  }

  /** What follows is not read by Python, but it may be a pickle that some reader would execute. */
  private static FormatException trailing(PickleInput in, String path, PickleLimits limits)
      throws IOException {
    long position = in.position();
    try {
      new Unpickler(in, new NoPayloads(), limits).run();
    } catch (FormatException e) {
      if (in.failure() == null || in.failure() == PickleError.UNSAFE_GLOBAL) {
        return e;
      }
    }
    return PickleError.TRAILING_DATA.in(
        path, "the pickle ends at byte %d, the file does not", position);
  }

  /** Forgets them. */
  private static final class NoPayloads implements PayloadStore {
    @Override
    public long begin(long streamPosition) {
      return 0;
    }

    @Override
    public void append(ByteBuffer piece) {
      piece.position(piece.limit());
    }

    @Override
    public void read(long position, ByteBuffer dst) {
      dst.position(dst.limit());
    }
  }
}
