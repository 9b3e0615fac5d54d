package org.saevhadoop.format.pickle.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.pickle.Opcode;
import org.saevhadoop.format.pickle.value.NoPayloads;
import org.saevhadoop.format.pickle.value.PayloadStore;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PythonValue;

/** Reads pickles of protocols 0 to 5 as values, without executing anything. */
public final class PickleReader {
  private static final int BUFFER_BYTES = 256 << 10;
  private static final int START_BYTES = 16 << 10;

  /** Magic numbers of other formats whose bytes are, or could become, valid opcodes. */
  private static final List<byte[]> OTHERS =
      List.of(magic("\u0093NUMPY"), magic("\u0089HDF"), magic("PK\u0003\u0004"), magic("PAR1"));

  private static final int MAX_MAGIC = 6;

  private static final Set<PickleError> BAD =
      EnumSet.range(PickleError.BAD_PICKLE, PickleError.BAD_SCALAR);

  private PickleReader() {}

  private static byte[] magic(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /**
   * Returns the object that CPython would load, as defined by {@link PythonValue}. The source is
   * read to its end and is not closed.
   *
   * @param payloads the storage for byte strings that are too long for memory
   * @param loader the loader that resolves persistent ids and further globals; null for none
   * @throws FormatException with a {@link PickleError}, the opcode and its position, if CPython
   *     would fail, if the pickle names a global that is not on the allow-list, if bytes follow the
   *     pickle, or if a limit is exceeded
   */
  public static @Nullable Object read(
      ByteSource source,
      PayloadStore payloads,
      PickleLimits limits,
      @Nullable PersistentLoader loader)
      throws IOException {
    return read(source, payloads, limits, loader, buffer());
  }

  /** Returns a buffer with which one thread can read any number of pickles. */
  public static ByteBuffer buffer() {
    return Input.buffer(BUFFER_BYTES);
  }

  /**
   * Returns the objects around the first array of a pickle, or around the first object of an
   * unknown class: containers, and keys that have not been added to them, outermost first. They
   * show the content of a pickle before all of it is read.
   *
   * @return the objects; empty if the pickle has neither
   * @throws FormatException for the same reasons as {@link #read}, up to that array
   */
  public static List<Object> around(ByteSource source, PayloadStore payloads, PickleLimits limits)
      throws IOException {
    return start(source, payloads, limits).runToFirst();
  }

  /**
   * Returns the first array of a pickle, without reading the rest.
   *
   * @return the array; empty if there is none, or if an object of an unknown class precedes it
   * @throws FormatException for the same reasons as {@link #read}, up to that array
   */
  public static Optional<PythonValue.NumpyArray> firstArray(
      ByteSource source, PayloadStore payloads, PickleLimits limits) throws IOException {
    return Optional.ofNullable(start(source, payloads, limits).runToFirstArray());
  }

  private static Unpickler start(ByteSource source, PayloadStore payloads, PickleLimits limits)
      throws IOException {
    PickleInput in = new PickleInput(source, Input.buffer(START_BYTES));
    in.readAhead(MAX_MAGIC);
    PickleError.TRUNCATED.check(!in.isAtEnd(), source.path(), "the pickle is empty, at byte 0");
    checkBeginning(in, source.path());
    return new Unpickler(in, payloads, limits, new AnyGlobals());
  }

  /** Accepts objects of any class as placeholders. */
  private static final class AnyGlobals implements PersistentLoader {
    @Override
    public @Nullable Object load(@Nullable Object id) {
      return null;
    }

    @Override
    public boolean keepsOthers() {
      return true;
    }
  }

  /**
   * Returns the object that CPython would load, as the other method does.
   *
   * @param buffer a buffer that {@link #buffer} has returned; its content is discarded
   */
  public static @Nullable Object read(
      ByteSource source,
      PayloadStore payloads,
      PickleLimits limits,
      @Nullable PersistentLoader loader,
      ByteBuffer buffer)
      throws IOException {
    PickleInput in = new PickleInput(source, buffer);
    in.readAhead(MAX_MAGIC);
    PickleError.TRUNCATED.check(!in.isAtEnd(), source.path(), "the pickle is empty, at byte 0");
    checkBeginning(in, source.path());
    Unpickler unpickler = new Unpickler(in, payloads, limits, loader);
    Object value = run(unpickler, in, source.path());
    if (!in.isAtEnd()) {
      throw trailing(in, source.path(), limits);
    }
    checkFrame(unpickler, in, source.path());
    ValueCheck.check(in, limits, loader != null && loader.keepsOthers(), value);
    return value;
  }

  /**
   * CPython reads a whole frame before its content, so it reports a truncated frame before any
   * other error.
   */
  private static @Nullable Object run(Unpickler unpickler, PickleInput in, String path)
      throws IOException {
    try {
      return unpickler.run();
    } catch (FormatException e) {
      if (in.failure() != null && BAD.contains(in.failure())) {
        in.skip(unpickler.frameEnd());
        checkFrame(unpickler, in, path);
      }
      throw e;
    }
  }

  private static void checkFrame(Unpickler unpickler, PickleInput in, String path)
      throws FormatException {
    PickleError.TRUNCATED.check(
        unpickler.frameEnd() <= in.position(),
        path,
        "the last frame ends at byte %d (expected byte %d, as declared)",
        in.position(),
        unpickler.frameEnd());
  }

  private static void checkBeginning(PickleInput in, String path) throws FormatException {
    PickleError.NOT_A_PICKLE.check(
        Opcode.isKnown(in.peek()) && OTHERS.stream().noneMatch(in::isAt),
        path,
        "byte 0 does not begin a pickle");
  }

  /**
   * Python ignores bytes after the pickle, but they can be another pickle that some reader would
   * execute.
   */
  private static FormatException trailing(PickleInput in, String path, PickleLimits limits)
      throws IOException {
    long position = in.position();
    try {
      new Unpickler(in, new NoPayloads(), limits, null).run();
    } catch (FormatException e) {
      if (in.failure() == null || in.failure() == PickleError.UNSAFE_GLOBAL) {
        return e;
      }
    }
    return PickleError.TRAILING_DATA.in(
        path, "the pickle ends at byte %d, before the end of the file", position);
  }
}
