package org.saevhadoop.format.pickle.value;

/**
 * The bytes of a {@code bytes}, of a long {@code str} or of an array: in memory where they are few,
 * else in {@link PayloadStore}.
 *
 * @param inline the bytes; null where they are in the payloads
 * @param position where they begin in the payloads
 * @param length how many there are as they stand in the pickle
 * @param form how they stand there
 * @param rawLength how many there are when decoded: as many as code points. -1 where one is above
 *     U+00FF, so that they are a text and no bytes, or where they were not counted
 */
public record PayloadData(byte[] inline, long position, long length, Form form, long rawLength) {
  /** How bytes stand in a pickle. */
  public enum Form {
    /** As they are. */
    RAW,
    /** Protocols 1 and 2: byte b is code point b, in UTF-8; or the UTF-8 of a text. */
    UTF8,
    /** Protocol 0: the same in Python's raw-unicode-escape. */
    RAW_UNICODE_ESCAPE
  }

  /** Bytes that were not counted if they do not stand as they are. */
  public PayloadData(byte[] inline, long position, long length, Form form) {
    this(inline, position, length, form, form == Form.RAW ? length : -1);
  }

  /** Bytes in the payloads, as they are. */
  public static PayloadData raw(long position, long length) {
    return new PayloadData(null, position, length, Form.RAW, length);
  }

  /** Few bytes. */
  public static PayloadData of(byte[] bytes) {
    return new PayloadData(bytes, 0, bytes.length, Form.RAW, bytes.length);
  }
}
