package org.saevhadoop.format.safetensors.header;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.json.CodePointOrder;
import org.saevhadoop.format.json.JsonEscapes;

/**
 * Encodes headers. With an alignment of 8 bytes, the output equals the output of the reference byte
 * for byte.
 */
public final class HeaderEncoder {
  /** Alignment of the data in files written by the reference, in bytes. */
  public static final int ALIGNMENT = 8;

  public static final int MAX_ALIGNMENT = 1 << 20;

  private final CharsetEncoder utf8 = StandardCharsets.UTF_8.newEncoder();
  private final StringBuilder json = new StringBuilder("{");

  private HeaderEncoder() {}

  public static boolean isAlignment(long bytes) {
    return bytes >= ALIGNMENT && bytes <= MAX_ALIGNMENT && Long.bitCount(bytes) == 1;
  }

  static EncodedHeader encode(
      List<TensorSpec> specs, @Nullable Map<String, String> metadata, int alignment) {
    check(
        isAlignment(alignment),
        "the alignment is %d (expected a power of two from %d to %d)",
        alignment,
        ALIGNMENT,
        MAX_ALIGNMENT);
    List<TensorInfo> tensors = place(specs);
    HeaderEncoder encoder = new HeaderEncoder();
    if (metadata != null) {
      encoder.metadata(metadata);
    }
    for (TensorInfo tensor : tensors) {
      encoder.tensor(tensor);
    }
    EncodedHeader header = new EncodedHeader(encoder.bytes(alignment), tensors);
    check(header.fileBytes() >= 0, "the file would have 2^63 bytes or more");
    return header;
  }

  /**
   * Encodes a header again with different metadata. The text of the tensors does not change.
   *
   * @param at the position of the metadata object
   * @param end the position after the metadata object
   */
  static ByteBuffer withMetadata(
      byte[] header, int at, int end, Map<String, String> metadata, int alignment) {
    HeaderEncoder encoder = new HeaderEncoder();
    encoder.metadataObject(metadata);
    byte[] object = encoder.json.substring(1).getBytes(StandardCharsets.UTF_8);
    int textEnd = header.length;
    while (header[textEnd - 1] != '}') {
      textEnd--;
    }
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    text.write(header, HeaderFile.PREFIX, at - HeaderFile.PREFIX);
    text.writeBytes(object);
    text.write(header, end, textEnd - end);
    return padded(text.toByteArray(), alignment);
  }

  /** Returns the header entry of a tensor in UTF-8. */
  static byte[] part(TensorInfo tensor) {
    HeaderEncoder encoder = new HeaderEncoder();
    encoder.tensor(tensor);
    return encoder.json.substring(1).getBytes(StandardCharsets.UTF_8);
  }

  private static List<TensorInfo> place(List<TensorSpec> specs) {
    List<TensorSpec> sorted = new ArrayList<>(specs);
    sorted.sort(TensorSpec.CANONICAL);
    Set<String> names = new HashSet<>();
    List<TensorInfo> tensors = new ArrayList<>();
    long begin = 0;
    for (TensorSpec spec : sorted) {
      String shown = JsonText.show(spec.name());
      check(names.add(spec.name()), "two tensors are named %s", shown);
      check(
          !spec.name().equals(SafetensorsHeader.METADATA),
          "%s is not allowed as the name of a tensor",
          shown);
      long end = begin + bytes(spec);
      check(end >= begin, "the file would have 2^63 bytes or more");
      tensors.add(new TensorInfo(spec.name(), spec.dtype(), spec.shape(), begin, end));
      begin = end;
    }
    return tensors;
  }

  private static long bytes(TensorSpec spec) {
    String shown = JsonText.show(spec.name());
    try {
      long bits = TensorSize.bits(spec.dtype(), spec.shape());
      check(bits % Byte.SIZE == 0, "tensor %s does not end at a byte boundary", shown);
      return bits >>> 3;
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("tensor " + shown + " has 2^64 bits or more", e);
    }
  }

  private void metadata(Map<String, String> metadata) {
    key(SafetensorsHeader.METADATA);
    metadataObject(metadata);
  }

  private void metadataObject(Map<String, String> metadata) {
    json.append('{');
    Map<String, String> sorted = new TreeMap<>(CodePointOrder::compare);
    sorted.putAll(metadata);
    for (Map.Entry<String, String> entry : sorted.entrySet()) {
      key(entry.getKey());
      text(entry.getValue());
    }
    json.append('}');
  }

  private void tensor(TensorInfo tensor) {
    key(tensor.name());
    json.append("{\"dtype\":\"").append(tensor.dtype()).append("\",\"shape\":[");
    for (int i = 0; i < tensor.shape().size(); i++) {
      json.append(i == 0 ? "" : ",").append(Long.toUnsignedString(tensor.shape().get(i)));
    }
    json.append("],\"data_offsets\":[").append(tensor.begin()).append(',');
    json.append(tensor.end()).append("]}");
  }

  private void key(String key) {
    if (json.charAt(json.length() - 1) != '{') {
      json.append(',');
    }
    text(key);
    json.append(':');
  }

  private void text(String text) {
    checkLength((long) json.length() + text.length());
    check(utf8.canEncode(text), "%s has a lone surrogate", JsonText.show(text));
    JsonEscapes.UTF8.quote(text, json);
  }

  private ByteBuffer bytes(int alignment) {
    return padded(json.append('}').toString().getBytes(StandardCharsets.UTF_8), alignment);
  }

  private static ByteBuffer padded(byte[] text, int alignment) {
    int dataStart = (HeaderFile.PREFIX + text.length + alignment - 1) & -alignment;
    int n = dataStart - HeaderFile.PREFIX;
    checkLength(n);
    ByteBuffer bytes = ByteBuffer.allocate(dataStart).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(n).put(text);
    while (bytes.hasRemaining()) {
      bytes.put((byte) ' ');
    }
    return bytes.flip();
  }

  private static void checkLength(long bytes) {
    check(
        bytes <= SafetensorsHeader.MAX_HEADER_BYTES,
        "the header would have more than %d bytes",
        SafetensorsHeader.MAX_HEADER_BYTES);
  }

  @FormatMethod
  private static void check(boolean holds, @FormatString String problem, Object... args) {
    if (!holds) {
      throw new IllegalArgumentException(String.format(problem, args));
    }
  }
}
