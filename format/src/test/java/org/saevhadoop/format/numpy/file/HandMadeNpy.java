package org.saevhadoop.format.numpy.file;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** .npy files put together by hand. */
public final class HandMadeNpy {
  private HandMadeNpy() {}

  /** Returns a file with any header. */
  public static byte[] file(int version, String header, int valueBytes) {
    byte[] text = header.getBytes(StandardCharsets.ISO_8859_1);
    return file(version, text.length, text, valueBytes);
  }

  /** Returns a file whose header claims another length. */
  public static byte[] file(int version, int headerLength, byte[] header, int valueBytes) {
    int prefix = version == 1 ? 10 : 12;
    ByteBuffer file =
        ByteBuffer.allocate(prefix + header.length + valueBytes).order(ByteOrder.LITTLE_ENDIAN);
    file.put("\u0093NUMPY".getBytes(StandardCharsets.ISO_8859_1));
    file.put((byte) version).put((byte) 0);
    if (version == 1) {
      file.putShort((short) headerLength);
    } else {
      file.putInt(headerLength);
    }
    file.put(header);
    for (int i = 0; i < valueBytes; i++) {
      file.put((byte) (i * 31 + i / 256));
    }
    return file.array();
  }

  /** Returns the dictionary of a header. */
  public static String header(String descr, boolean fortran, String shape) {
    return "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }"
        .formatted(descr, fortran ? "True" : "False", shape);
  }

  /** Returns a valid file, if the number of bytes is that of the shape. */
  public static byte[] array(String descr, String shape, int valueBytes) {
    return file(1, header(descr, false, shape), valueBytes);
  }
}
