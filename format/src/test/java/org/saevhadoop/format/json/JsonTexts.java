package org.saevhadoop.format.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Random documents of one line each, and damaged ones: the same ones for the same seed. */
public final class JsonTexts {
  private static final String[] KEYS = {
    "",
    "a",
    "A",
    "aa",
    "a\\u0000",
    "10",
    "9",
    "1",
    "\u00e9",
    "\\u00E9",
    "\ufffd",
    "\\uffff",
    "\ud83d\ude00",
    "\\ud83d\\ude00",
    "\\ud83d",
    "\\ud83dx",
    "\\udcff",
    "\\ue000",
    "__class__"
  };
  private static final String[] NUMBERS =
      ("0 -0 -0.0 0e99999999999999 1e99999999999999 -1e400 1e-99999999999999 NaN "
              + "Infinity -Infinity 1E5 1e+5 1.0e-05 9007199254740993 9007199254740993.0 "
              + "2.4703282292062327e-324 2.4703282292062328e-324 1.7976931348623158e308 "
              + "1.7976931348623159e308 0.1e1 123456789012345678901234567890")
          .split(" ");

  private static final String[] PIECES = {
    "\\\"",
    "\\\\",
    "\\/",
    "\\b",
    "\\f",
    "\\n",
    "\\r",
    "\\t",
    "\\u0000",
    "\\u001F",
    "\\u007f",
    "\u007f",
    "\u0080",
    "\\u00AB",
    "\ufffe",
    "\\ud83d",
    "\\ude00",
    "\\uDBFF\\uDFFF",
    "\u2028",
    "~ /"
  };
  private static final String[] SPACES = {"", "", "", " ", "\t", "\r", "  "};
  private static final String DAMAGE = "\"\\{}[],:0159.eE+-tfnNIu \t\u0000\u001f\ufeff\u00a0'";

  private final Random random;

  public JsonTexts(long seed) {
    random = new Random(seed);
  }

  /** Every power of two and ten that a double can hold, with both neighbours. */
  public List<String> powers() {
    List<String> texts = new ArrayList<>();
    IntStream.rangeClosed(-1074, 1023)
        .mapToDouble(e -> Math.scalb(1.0, e))
        .forEach(d -> near(d, texts));
    IntStream.rangeClosed(-323, 308)
        .mapToDouble(e -> Double.parseDouble("1e" + e))
        .forEach(d -> near(d, texts));
    return texts;
  }

  private static void near(double value, List<String> texts) {
    texts.add(exact(value));
    texts.add(exact(Math.nextUp(value)));
    texts.add(exact(Math.nextDown(value)));
  }

  private static String exact(double value) {
    return Double.isFinite(value) ? new BigDecimal(value).toString() : Double.toString(value);
  }

  public String number() {
    return switch (random.nextInt(9)) {
      case 0 -> exact(Double.longBitsToDouble(random.nextLong()));
      case 1 -> Double.toString(Double.longBitsToDouble(random.nextLong()));
      case 2 -> exact(Double.longBitsToDouble(random.nextLong() >>> 12 + random.nextInt(52)));
      // quarters above 2^50: two texts of 17 digits are equally close
      case 3 -> exact(((1L << 52) + (random.nextLong() >>> 12)) / 4.0);
      case 4 -> new BigInteger(random.nextInt(300), random).toString();
      case 5 -> "-" + new BigInteger(random.nextInt(80), random);
      case 6 -> random.nextInt(100000) / 1000.0 + "e" + (random.nextInt(660) - 330);
      case 7 -> random.nextInt(10) + "." + new BigInteger(4 + random.nextInt(70), random);
      default -> pick(NUMBERS);
    };
  }

  /** The shortest text that Java has for a finite double; half of them of everyday size. */
  public String anyDouble() {
    double value = Double.longBitsToDouble(random.nextLong());
    boolean everyday = random.nextBoolean() || !Double.isFinite(value);
    return Double.toString(everyday ? random.nextInt(1 << 20) * scale() : value);
  }

  private double scale() {
    return Math.pow(10, random.nextInt(40) - 20);
  }

  /** A whole document. */
  public String document() {
    return value(3);
  }

  /** A document of which a byte or two were lost, changed or added; it can still be a good one. */
  public byte[] damaged() {
    List<Byte> bytes = new ArrayList<>();
    for (byte b : document().getBytes(StandardCharsets.UTF_8)) {
      bytes.add(b);
    }
    for (int times = random.nextInt(2); times >= 0; times--) {
      int at = random.nextInt(bytes.size() + 1);
      if (random.nextBoolean() && at < bytes.size()) {
        bytes.remove(at);
      }
      if (random.nextInt(3) > 0) {
        bytes.add(Math.min(at, bytes.size()), damage());
      }
    }
    byte[] result = new byte[bytes.size()];
    IntStream.range(0, result.length).forEach(i -> result[i] = bytes.get(i));
    return result;
  }

  private byte damage() {
    byte[] candidates = DAMAGE.getBytes(StandardCharsets.UTF_8);
    boolean any = random.nextInt(8) == 0;
    byte b = any ? (byte) random.nextInt(256) : candidates[random.nextInt(candidates.length)];
    return b == '\n' ? (byte) '\r' : b;
  }

  /** A value whose lists and objects lie at most so deep. */
  public String value(int depth) {
    StringBuilder out = new StringBuilder();
    value(out, depth);
    return out.toString();
  }

  /** As {@link #value(int)}, an object. */
  public String object(int depth) {
    StringBuilder out = new StringBuilder();
    object(out, depth);
    return out.toString();
  }

  /** A string with its quotes. */
  public String string() {
    StringBuilder out = new StringBuilder();
    string(out);
    return out.toString();
  }

  private void value(StringBuilder out, int depth) {
    space(out);
    switch (random.nextInt(depth > 0 ? 8 : 4)) {
      case 0 -> out.append(pick("true", "false", "null"));
      case 1, 2 -> out.append(number());
      case 3 -> string(out);
      case 4, 5 -> array(out, depth);
      default -> object(out, depth);
    }
    space(out);
  }

  private void array(StringBuilder out, int depth) {
    out.append('[');
    int size = random.nextInt(4);
    for (int i = 0; i < size; i++) {
      out.append(i == 0 ? "" : ",");
      value(out, depth - 1);
    }
    out.append(size == 0 ? pick(SPACES) : "").append(']');
  }

  private void object(StringBuilder out, int depth) {
    out.append('{');
    int size = random.nextInt(7);
    for (int i = 0; i < size; i++) {
      out.append(i == 0 ? "" : ",");
      space(out);
      if (random.nextInt(4) == 0) {
        string(out);
      } else {
        out.append('"').append(pick(KEYS)).append('"');
      }
      space(out);
      out.append(':');
      value(out, depth - 1);
    }
    out.append(size == 0 ? pick(SPACES) : "").append('}');
  }

  private void string(StringBuilder out) {
    out.append('"');
    for (int i = random.nextInt(6); i > 0; i--) {
      switch (random.nextInt(5)) {
        case 0 -> out.append((char) ('a' + random.nextInt(26)));
        case 1 -> out.append(String.format("\\u%04x", random.nextInt(0x10000)));
        case 2 -> out.append(String.format("\\u%04X", 0xd700 + random.nextInt(0xa00)));
        case 3 -> out.appendCodePoint(0xe000 + random.nextInt(0x110000 - 0xe000));
        default -> out.append(pick(PIECES));
      }
    }
    out.append('"');
  }

  private void space(StringBuilder out) {
    out.append(pick(SPACES));
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** Fails with the first line that was not answered as expected. */
  public static void assertSame(List<byte[]> lines, List<String> ours, List<String> theirs) {
    assertThat(theirs).hasSameSizeAs(lines);
    for (int i = 0; i < lines.size(); i++) {
      if (!ours.get(i).equals(theirs.get(i))) {
        String text = new String(lines.get(i), StandardCharsets.UTF_8);
        assertThat(ours.get(i)).as(text).isEqualTo(theirs.get(i));
      }
    }
  }
}
