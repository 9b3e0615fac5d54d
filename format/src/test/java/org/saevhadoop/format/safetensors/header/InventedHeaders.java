package org.saevhadoop.format.safetensors.header;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.saevhadoop.format.tensor.DType;

/** Small safetensors files in odd spellings, some of them damaged. A seed gives always the same. */
final class InventedHeaders {
  private static final List<String> NAMES =
      List.of(
          "a", "b", "", "é", "\u20ac", "\ud83d\ude00", "a\"", "\\", "/", "\n", "\0", "__metadata_");
  private static final List<String> VALUES =
      List.of(
          "0",
          "-0",
          "-0.0",
          "1.5e3",
          "1e-400",
          "1E+5",
          "18446744073709551616",
          "null",
          "true",
          "false",
          "\"\"",
          "\"\\ud83d\\ude00\"",
          "[]",
          "{}",
          "[ 1 , [ ] ]",
          "{\"a\":1,\"a\":2}",
          "[".repeat(125) + "]".repeat(125));
  private static final List<String> BAD_VALUES =
      List.of(
          "01",
          "+1",
          "1.",
          ".5",
          "1e",
          "1e400",
          "-1e999",
          "NaN",
          "Infinity",
          "-Infinity",
          "nul",
          "'a'",
          "[1,]",
          "[,]",
          "{\"a\"}",
          "{a:1}",
          "{\"a\":1,}",
          "\"\\ud800\"",
          "\"\\udc00x\"",
          "\"\\ud800\\ud800\"",
          "\"\\x41\"",
          "\"\\u12g4\"",
          "\"\t\"",
          "\"\u0001\"",
          "//",
          "",
          "[".repeat(126) + "]".repeat(126),
          "9".repeat(400));
  private static final List<String> SIZES =
      List.of(
          ("0 1 2 3 4 8 -0 -1 1.0 1e0 00 null \"1\" [1] {} 18446744073709551615"
                  + " 18446744073709551616 9223372036854775808 4294967296 2305843009213693952"
                  + " 100000000000000000000000")
              .split(" "));
  private static final List<String> DTYPES =
      List.of("u8", "U8 ", "F8", "U128", "", "null", "F8_E4M3", "BOOL", "F4", "I64");

  private final Random random;

  InventedHeaders(long seed) {
    this.random = new Random(seed);
  }

  /** A tensor's fields, as JSON. */
  private record Entry(String name, String dtype, List<String> shape, String begin, String end) {}

  byte[] next() {
    List<Entry> entries = new ArrayList<>();
    long dataBytes = place(entries);
    if (chance(3)) {
      damage(entries);
    }
    if (chance(2)) {
      Collections.shuffle(entries, random);
    }
    String json = blank() + object(entries) + blank();
    int extra = chance(12) ? random.nextInt(3) - 1 : 0;
    byte[] header = json.getBytes(StandardCharsets.UTF_8);
    if (chance(4)) {
      header = damaged(header);
    }
    byte[] file = MemoryFile.of(header, (int) Math.max(0, dataBytes + extra));
    if (chance(30)) {
      file[random.nextInt(8)] += (byte) (random.nextInt(5) - 2);
    }
    return chance(60) ? Arrays.copyOf(file, random.nextInt(file.length)) : file;
  }

  private boolean chance(int oneOf) {
    return random.nextInt(oneOf) == 0;
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private long place(List<Entry> entries) {
    List<String> names = new ArrayList<>(NAMES);
    Collections.shuffle(names, random);
    long at = 0;
    for (String name : names.subList(0, random.nextInt(5))) {
      DType dtype = DType.values()[random.nextInt(DType.values().length)];
      List<Long> shape = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        shape.add((long) random.nextInt(5));
      }
      long bits = TensorSize.bits(dtype, shape);
      if (bits % 8 != 0) {
        shape.add(4L);
        bits *= 4;
      }
      List<String> dimensions = shape.stream().map(String::valueOf).toList();
      long end = at + bits / 8;
      entries.add(new Entry(name, dtype.name(), dimensions, "" + at, "" + end));
      at = end;
    }
    return at;
  }

  /** One fault, or something that may be none. */
  private void damage(List<Entry> entries) {
    if (entries.isEmpty()) {
      return;
    }
    int i = random.nextInt(entries.size());
    Entry e = entries.get(i);
    switch (random.nextInt(6)) {
      case 0 -> entries.set(i, new Entry(e.name, any(DTYPES), e.shape, e.begin, e.end));
      case 1 -> {
        List<String> shape = new ArrayList<>(e.shape);
        shape.add(random.nextInt(shape.size() + 1), any(SIZES));
        entries.set(i, new Entry(e.name, e.dtype, shape, e.begin, e.end));
      }
      case 2 -> entries.set(i, new Entry(e.name, e.dtype, e.shape, any(SIZES), e.end));
      case 3 -> entries.set(i, new Entry(e.name, e.dtype, e.shape, e.begin, any(SIZES)));
      case 4 -> {
        Entry other = any(entries);
        entries.add(new Entry(e.name, other.dtype, other.shape, other.begin, other.end));
      }
      default -> entries.remove(i);
    }
  }

  private String object(List<Entry> entries) {
    List<String> members = new ArrayList<>();
    entries.forEach(entry -> members.add(member(spell(entry.name), tensor(entry))));
    for (int i = random.nextInt(5) - 3; i > 0; i--) {
      members.add(random.nextInt(members.size() + 1), member(spell("__metadata__"), metadata()));
    }
    return join("{", members, "}");
  }

  private String metadata() {
    if (chance(8)) {
      return any(List.of("null", "[]", "\"\"", "1", "{\"a\":1}", "{\"a\":null}", "{\"a\":{}}"));
    }
    List<String> texts = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      texts.add(member(spell(any(NAMES)), spell(any(NAMES))));
    }
    return join("{", texts, "}");
  }

  private String tensor(Entry entry) {
    String dtype = entry.dtype.equals("null") ? entry.dtype : spell(entry.dtype);
    if (chance(20)) {
      dtype = join("{", List.of(member(dtype, "null")), "}");
    }
    List<String> offsets = new ArrayList<>(List.of(entry.begin, entry.end));
    if (chance(60)) {
      offsets.add("0");
    }
    String shape = join("[", entry.shape, "]");
    String place = join("[", offsets, "]");
    if (chance(20)) {
      return join("[", List.of(dtype, shape, place), "]");
    }
    List<String> fields = new ArrayList<>();
    fields.add(member(spell("dtype"), dtype));
    fields.add(member(spell("shape"), shape));
    fields.add(member(spell("data_offsets"), place));
    if (chance(60)) {
      fields.add(any(fields));
    }
    if (chance(60)) {
      fields.remove(random.nextInt(fields.size()));
    }
    for (int i = chance(4) ? random.nextInt(3) : 0; i > 0; i--) {
      fields.add(member(spell(any(NAMES)), chance(6) ? any(BAD_VALUES) : any(VALUES)));
    }
    if (chance(2)) {
      Collections.shuffle(fields, random);
    }
    return join("{", fields, "}");
  }

  private String member(String quotedKey, String value) {
    return quotedKey + blank() + ":" + blank() + value;
  }

  private String join(String open, List<String> parts, String close) {
    UnaryOperator<String> spaced = part -> blank() + part + blank();
    return parts.stream().map(spaced).collect(Collectors.joining(",", open, close));
  }

  private String blank() {
    return chance(10) ? any(List.of(" ", "\n", "\t", "\r\n", "  ")) : "";
  }

  private String spell(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int c : text.codePoints().toArray()) {
      if (c < 0x20 || c == '"' || c == '\\' || chance(30)) {
        String escape = chance(2) ? "\\u%04x" : "\\u%04X";
        Character.toString(c).chars().forEach(unit -> out.append(escape.formatted(unit)));
      } else {
        out.appendCodePoint(c);
      }
    }
    return out.append('"').toString();
  }

  /** One byte other, more or fewer, or two parts exchanged. */
  private byte[] damaged(byte[] header) {
    String marks = "{}[]\",:\\ 0123456789-+.eEu\t\0/n\u0001\u007f";
    int at = random.nextInt(header.length);
    byte mark =
        chance(6)
            ? (byte) random.nextInt(256)
            : (byte) marks.charAt(random.nextInt(marks.length()));
    byte[] tail = Arrays.copyOfRange(header, at, header.length);
    byte[] out = Arrays.copyOf(header, header.length + (chance(2) ? 1 : 0));
    if (out.length > header.length) {
      System.arraycopy(tail, 0, out, at + 1, tail.length);
      out[at] = mark;
    } else if (chance(2)) {
      out[at] = mark;
    } else {
      out = Arrays.copyOf(header, header.length - 1);
      System.arraycopy(tail, 1, out, at, tail.length - 1);
    }
    return out;
  }
}
