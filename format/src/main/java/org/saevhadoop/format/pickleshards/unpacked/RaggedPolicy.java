package org.saevhadoop.format.pickleshards.unpacked;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickleshards.directory.ShardError;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;

/**
 * What becomes of samples of different lengths where each example must have as many tokens.
 *
 * @param mode the way
 * @param tokens what examples are cut or filled to; 0 for the ways that do neither
 * @param value what they are filled with
 */
public record RaggedPolicy(Mode mode, int tokens, double value) {
  /** Tell the lengths that were found, and the choices. */
  public static final RaggedPolicy ERROR = new RaggedPolicy(Mode.ERROR, 0, 0);

  private static final int FILLING = 4096;
  private static final int MOST_SHOWN = 8;
  private static final Pattern TEXT =
      Pattern.compile("(error|flatten|truncate:([0-9]+)|pad:([0-9]+)(?::(.+))?)");

  /** The ways. */
  public enum Mode {
    ERROR,
    /** Each token is an example of one token. */
    FLATTEN,
    /** Longer samples lose their last tokens. */
    TRUNCATE,
    /** Shorter samples are filled up. */
    PAD
  }

  /**
   * Reads the form that options have.
   *
   * @throws IllegalArgumentException where it has another one
   */
  public static RaggedPolicy parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip().toLowerCase(Locale.ROOT));
    try {
      if (matcher.matches()) {
        Mode mode = Mode.valueOf(matcher.group(1).replaceFirst(":.*", "").toUpperCase(Locale.ROOT));
        String tokens = matcher.group(2) == null ? matcher.group(3) : matcher.group(2);
        String value = matcher.group(4);
        int count = tokens == null ? 0 : Integer.parseInt(tokens);
        if (tokens == null || count > 0) {
          return new RaggedPolicy(mode, count, value == null ? 0 : Double.parseDouble(value));
        }
      }
    } catch (NumberFormatException e) {
      // told below, as any other text that is none of them
    }
    throw new IllegalArgumentException(
        "\"%s\" (expected error, flatten, truncate:N, pad:N or pad:N:VALUE)".formatted(text));
  }

  /** Numbers to fill samples up with, little-endian. */
  ByteBuffer filling(DType dtype) {
    ByteBuffer from = ByteBuffer.allocate(FILLING * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer to = ByteBuffer.allocate(FILLING * dtype.bits() / Byte.SIZE);
    while (from.hasRemaining()) {
      from.putDouble(value);
    }
    DTypeConversion.of(DType.F64, dtype).convert(from.flip(), to);
    return to.flip();
  }

  /**
   * What is told where samples have different lengths and nobody said what becomes of them.
   *
   * @param lengths how many samples have each
   */
  static FormatException refuse(String path, SortedMap<Long, Long> lengths) {
    String shown =
        lengths.entrySet().stream()
            .limit(MOST_SHOWN)
            .map(e -> e.getKey() + " (" + e.getValue() + " times)")
            .collect(Collectors.joining(", "));
    return ShardError.RAGGED.in(
        path,
        "samples have different lengths: from %d to %d tokens, as %s%s (expected one length, or"
            + " --ragged flatten, truncate:N or pad:N)",
        lengths.firstKey(),
        lengths.lastKey(),
        shown,
        lengths.size() > MOST_SHOWN ? " ..." : "");
  }

  /** The form that {@link #parse} reads. */
  @Override
  public String toString() {
    String name = mode.name().toLowerCase(Locale.ROOT);
    return switch (mode) {
      case ERROR, FLATTEN -> name;
      case TRUNCATE -> name + ":" + tokens;
      case PAD -> name + ":" + tokens + ":" + value;
    };
  }
}
