package org.saevhadoop.format.pickle.value;

import org.jspecify.annotations.Nullable;

/**
 * The data of a {@code bytes} object, a long {@code str} or an array: in memory if it is short,
 * else in a {@link PayloadStore}.
 *
 * @param inline the data; null if it is in the payloads
 * @param position the position in the payloads; for data in memory, the position in the pickle, or
 *     {@link PayloadStore#MADE} if the pickle does not contain it verbatim
 * @param length the length in bytes as stored in the pickle
 * @param form the encoding in the pickle
 * @param rawLength the length in bytes when decoded, which is the number of code points; -1 if it
 *     was not counted, or if a code point is above U+00FF, so that the data is text
 */
public record PayloadData(
    byte @Nullable [] inline, long position, long length, Form form, long rawLength) {
  /** Encoding of data in a pickle. */
  public enum Form {
    /** Unencoded. */
    RAW,
    /** Protocols 1 and 2: byte b is code point b in UTF-8; text is UTF-8. */
    UTF8,
    /** Protocol 0: the same with Python's {@code raw-unicode-escape} instead of UTF-8. */
    RAW_UNICODE_ESCAPE
  }

  /** Creates data whose decoded length is unknown unless it is unencoded. */
  public PayloadData(byte @Nullable [] inline, long position, long length, Form form) {
    this(inline, position, length, form, form == Form.RAW ? length : -1);
  }

  /** Returns unencoded data in the payloads. */
  public static PayloadData raw(long position, long length) {
    return new PayloadData(null, position, length, Form.RAW, length);
  }

  /** Returns short data in memory, with its position in the pickle. */
  public static PayloadData of(byte[] bytes, long position) {
    return new PayloadData(bytes, position, bytes.length, Form.RAW, bytes.length);
  }

  /** Returns short data in memory. */
  public static PayloadData of(byte[] bytes) {
    return of(bytes, PayloadStore.MADE);
  }
}
