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
 * Treatment of samples of different lengths, because all examples must have the same number of
 * tokens.
 *
 * @param tokens the number of tokens after truncation or padding; 0 for the other modes
 */
public record RaggedPolicy(Mode mode, int tokens, double value) {
  /** Fails with an error that lists the lengths and the alternatives. */
  public static final RaggedPolicy ERROR = new RaggedPolicy(Mode.ERROR, 0, 0);

  private static final int FILLING = 4096;
  private static final int MAX_SHOWN = 8;
  private static final Pattern TEXT =
      Pattern.compile("(error|flatten|truncate:([0-9]+)|pad:([0-9]+)(?::(.+))?)");

  public enum Mode {
    ERROR,
    /** Makes each token an example of one token. */
    FLATTEN,
    /** Drops the last tokens of longer samples. */
    TRUNCATE,
    /** Pads shorter samples at the end. */
    PAD
  }

  /**
   * Parses the notation of options.
   *
   * @throws IllegalArgumentException if the text has another form
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
      // reported below, like any other invalid text
    }
    throw new IllegalArgumentException(
        "\"%s\" (expected error, flatten, truncate:N, pad:N or pad:N:VALUE)".formatted(text));
  }

  /** Returns a buffer of padding values, little-endian. */
  ByteBuffer filling(DType dtype) {
    ByteBuffer from = ByteBuffer.allocate(FILLING * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer to = ByteBuffer.allocate(FILLING * dtype.bits() / Byte.SIZE);
    while (from.hasRemaining()) {
      from.putDouble(value);
    }
    DTypeConversion.of(DType.F64, dtype).convert(from.flip(), to);
    return to.flip();
  }

  /** Returns the error for samples of different lengths in mode ERROR. */
  static FormatException refuse(String path, SortedMap<Long, Long> lengths) {
    String shown =
        lengths.entrySet().stream()
            .limit(MAX_SHOWN)
            .map(e -> e.getKey() + " (" + e.getValue() + " times)")
            .collect(Collectors.joining(", "));
    return ShardError.RAGGED.in(
        path,
        "samples have different lengths: from %d to %d tokens, as %s%s (expected one length, or"
            + " --ragged flatten, truncate:N or pad:N)",
        lengths.firstKey(),
        lengths.lastKey(),
        shown,
        lengths.size() > MAX_SHOWN ? " ..." : "");
  }

  /** Returns the notation that {@link #parse} accepts. */
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
