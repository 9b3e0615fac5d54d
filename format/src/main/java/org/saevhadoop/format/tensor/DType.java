package org.saevhadoop.format.tensor;

import org.saevhadoop.format.api.PublicApi;

/**
 * Element types, with their safetensors names, in the order of the reference implementation's enum
 * (its alignment order): safetensors files store tensors in descending order of position in this
 * enum.
 */
@PublicApi
public enum DType {
  BOOL(8, "bool"),
  F4(4, "float4_e2m1fn"),
  F6_E2M3(6, "float6_e2m3fn"),
  F6_E3M2(6, "float6_e3m2fn"),
  U8(8, "uint8"),
  I8(8, "int8"),
  F8_E5M2(8, "float8_e5m2"),
  F8_E4M3(8, "float8_e4m3fn"),
  F8_E8M0(8, "float8_e8m0fnu"),
  F8_E4M3FNUZ(8, "float8_e4m3fnuz"),
  F8_E5M2FNUZ(8, "float8_e5m2fnuz"),
  I16(16, "int16"),
  U16(16, "uint16"),
  F16(16, "float16"),
  BF16(16, "bfloat16"),
  I32(32, "int32"),
  U32(32, "uint32"),
  F32(32, "float32"),
  C64(64, "complex64"),
  F64(64, "float64"),
  I64(64, "int64"),
  U64(64, "uint64");

  private final int bits;
  private final String numpyName;

  DType(int bits, String numpyName) {
    this.bits = bits;
    this.numpyName = numpyName;
  }

  /** Returns the size of an element in bits; 4 and 6 for the packed types. */
  public int bits() {
    return bits;
  }

  /** Returns the name of the type in numpy and ml_dtypes. */
  public String numpyName() {
    return numpyName;
  }
}
