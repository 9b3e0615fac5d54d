package org.saevhadoop.format.samediff.sdnb;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.tensor.DType;

/**
 * Data types of arrays, with the codes of the FlatBuffers schema (DType in array.fbs of libnd4j). A
 * FLOAT8 value is one byte; the schema does not define its encoding.
 */
public enum SdnbType {
  BOOL(1, 1, DType.BOOL),
  FLOAT8(2, 1, null),
  HALF(3, 2, DType.F16),
  FLOAT(5, 4, DType.F32),
  DOUBLE(6, 8, DType.F64),
  BYTE(7, 1, DType.I8),
  SHORT(8, 2, DType.I16),
  INT(9, 4, DType.I32),
  LONG(10, 8, DType.I64),
  UBYTE(11, 1, DType.U8),
  UINT16(12, 2, DType.U16),
  UINT32(13, 4, DType.U32),
  UINT64(14, 8, DType.U64),
  BFLOAT16(17, 2, DType.BF16);

  /** Code of the string type, whose elements have no fixed size. */
  private static final int UTF8 = 50;

  private static final SdnbType[] BY_CODE = new SdnbType[18];

  static {
    for (SdnbType type : values()) {
      BY_CODE[type.code] = type;
    }
  }

  private final int code;
  private final int width;
  private final @Nullable DType dtype;

  SdnbType(int code, int width, @Nullable DType dtype) {
    this.code = code;
    this.width = width;
    this.dtype = dtype;
  }

  /** Returns the type with the given code, if its layout is known. */
  static Optional<SdnbType> of(int code) {
    return Optional.ofNullable(code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null);
  }

  /** Returns the name of the type with the given code, or the code if the type is unknown. */
  static String name(int code) {
    return code == UTF8 ? "UTF8" : of(code).map(SdnbType::name).orElse("code " + code);
  }

  /** Returns the type that stores values of a dtype, if such a type exists. */
  public static Optional<SdnbType> of(DType dtype) {
    return Arrays.stream(values()).filter(type -> type.dtype == dtype).findFirst();
  }

  /** Returns the code in the FlatBuffer. */
  int code() {
    return code;
  }

  /** Returns the size of an element in bytes. */
  public int width() {
    return width;
  }

  /** Returns the dtype; empty for FLOAT8. */
  public Optional<DType> dtype() {
    return Optional.ofNullable(dtype);
  }
}
