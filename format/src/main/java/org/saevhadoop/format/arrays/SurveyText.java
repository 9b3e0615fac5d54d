package org.saevhadoop.format.arrays;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.tensor.DType;

/**
 * The text form of an {@link ArraySurvey}: variable-length integers, deflated and encoded in
 * Base64. Similar entries are adjacent, so they compress well: the survey of 10,000 vLLM files
 * takes less than 20 KB.
 */
final class SurveyText {
  /** The maximum size of the integers in bytes; larger surveys are never written. */
  private static final int MAX_BYTES = 8 << 20;

  private static final int MAX_LAYERS = 1 << 16;
  private static final int DIGEST_BYTES = 32;

  /** A separator that does not occur in the name of any integer array. */
  private static final String SEPARATOR = ",";

  private final ByteBuffer bytes;

  private SurveyText(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes);
  }

  static String of(ArraySurvey survey) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(HexFormat.of().parseHex(survey.listing()));
    Geometry geometry = survey.geometry();
    put(out, survey.files());
    put(out, geometry.dtype().ordinal());
    put(out, geometry.tokens());
    put(out, geometry.dim());
    put(out, survey.byLayer() ? 1 : 0);
    put(out, geometry.layers().size());
    geometry.layers().forEach(layer -> putSigned(out, layer));
    byte[] names = String.join(SEPARATOR, survey.integers()).getBytes(StandardCharsets.UTF_8);
    put(out, names.length);
    out.writeBytes(names);
    put(out, survey.groups().size());
    survey.groups().forEach(group -> put(out, group.files().size()));
    int last = -1;
    for (ArraySurvey.Group group : survey.groups()) {
      for (int file : group.files()) {
        putSigned(out, (long) file - last - 1);
        last = file;
      }
    }
    survey.groups().forEach(group -> put(out, group.examples()));
    survey.groups().forEach(group -> put(out, group.isDirect() ? 1 : 0));
    return Base64.getEncoder().encodeToString(deflated(out.toByteArray()));
  }

  private static byte[] deflated(byte[] bytes) {
    ByteArrayOutputStream deflated = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    try (DeflaterOutputStream out = new DeflaterOutputStream(deflated, deflater)) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // writing to memory does not fail
    } finally {
      deflater.end();
    }
    return deflated.toByteArray();
  }

  private static void putSigned(ByteArrayOutputStream out, long value) {
    put(out, value << 1 ^ value >> Long.SIZE - 1);
  }

  private static void put(ByteArrayOutputStream out, long value) {
    long left = value;
    while ((left & ~0x7f) != 0) {
      out.write((int) (left | 0x80));
      left >>>= 7;
    }
    out.write((int) left);
  }

  static ArraySurvey parse(String text) {
    try {
      return new SurveyText(inflated(Base64.getDecoder().decode(text))).survey();
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("it ends early", e);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("its dataset is too large", e);
    }
  }

  private static byte[] inflated(byte[] bytes) {
    Inflater inflater = new Inflater(true);
    try (InflaterInputStream in =
        new InflaterInputStream(new ByteArrayInputStream(bytes), inflater)) {
      byte[] all = in.readNBytes(MAX_BYTES + 1);
      require(all.length <= MAX_BYTES, "it is too long");
      return all;
    } catch (IOException e) {
      throw new IllegalArgumentException("it is not deflated", e);
    } finally {
      inflater.end();
    }
  }

  private ArraySurvey survey() {
    byte[] listing = new byte[DIGEST_BYTES];
    bytes.get(listing);
    int files = integer(ArraySurvey.MAX_GROUPS);
    DType dtype = DType.values()[integer(DType.values().length - 1)];
    int tokens = integer(Integer.MAX_VALUE);
    int dim = integer(Integer.MAX_VALUE);
    boolean byLayer = integer(1) == 1;
    int layerCount = integer(MAX_LAYERS);
    List<Integer> layers = new ArrayList<>();
    for (int i = 0; i < layerCount; i++) {
      layers.add(Math.toIntExact(signed()));
    }
    byte[] names = new byte[integer(Math.min(ArraySurvey.MAX_NAMES, bytes.remaining()))];
    bytes.get(names);
    String joined = new String(names, StandardCharsets.UTF_8);
    List<ArraySurvey.Group> groups = groups(files);
    long examples = 0;
    for (ArraySurvey.Group group : groups) {
      examples = Math.addExact(examples, group.examples());
    }
    require(!bytes.hasRemaining(), "it has more integers than it needs");
    return new ArraySurvey(
        files,
        HexFormat.of().formatHex(listing),
        new Geometry(examples, layers, tokens, dim, dtype),
        byLayer,
        joined.isEmpty() ? List.of() : List.of(joined.split(SEPARATOR)),
        groups);
  }

  private List<ArraySurvey.Group> groups(int files) {
    int[] counts = new int[integer(ArraySurvey.MAX_GROUPS)];
    int total = 0;
    for (int i = 0; i < counts.length; i++) {
      counts[i] = integer(ArraySurvey.MAX_GROUPS - total);
      require(counts[i] > 0, "a group has no file");
      total += counts[i];
    }
    List<List<Integer>> indexes = new ArrayList<>();
    long last = -1;
    for (int count : counts) {
      List<Integer> some = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        last += Math.addExact(signed(), 1);
        require(last >= 0 && last < files, "a group has file %d of %d", last, files);
        some.add((int) last);
      }
      indexes.add(some);
    }
    long[] examples = new long[counts.length];
    for (int i = 0; i < examples.length; i++) {
      examples[i] = number();
      require(examples[i] > 0, "a group has %d examples", examples[i]);
    }
    List<ArraySurvey.Group> groups = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      groups.add(new ArraySurvey.Group(indexes.get(i), examples[i], integer(1) == 1));
    }
    return groups;
  }

  private int integer(int max) {
    long value = number();
    require(value >= 0 && value <= max, "it has %d where at most %d is allowed", value, max);
    return (int) value;
  }

  private long signed() {
    long value = number();
    return value >>> 1 ^ -(value & 1);
  }

  private long number() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = bytes.get();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("an integer has more than 64 bits");
  }

  private static void require(boolean condition, String problem, Object... args) {
    if (!condition) {
      throw new IllegalArgumentException(problem.formatted(args));
    }
  }
}
