package org.saevhadoop.format.safetensors.header;

import org.saevhadoop.format.io.ErrorKind;

/**
 * Kinds of errors in a safetensors file, named as in the reference and in the order of its checks.
 * The message of every {@link org.saevhadoop.format.io.FormatException} thrown while reading a
 * header begins with one of these names and a colon.
 */
public enum SafetensorsError implements ErrorKind {
  /** The file has fewer than 8 bytes. */
  HeaderTooSmall,
  /** The first 8 bytes declare a header of more than 100,000,000 bytes. */
  HeaderTooLarge,
  /** The header extends beyond the end of the file. */
  InvalidHeaderLength,
  /** The header is not UTF-8. */
  InvalidHeader,
  /** The header is not JSON, or is JSON with a different structure. */
  InvalidHeaderDeserialization,
  /** A tensor does not begin at the end of the previous tensor, or ends before it begins. */
  InvalidOffset,
  /** A tensor's size in bits is 2^64 or more. */
  ValidationOverflow,
  /** A tensor of a packed type does not end on a byte boundary. */
  MisalignedSlice,
  /** The offsets and the shape of a tensor imply different sizes. */
  TensorInvalidInfo,
  /** The file does not end at the end of the last tensor. */
  MetadataIncompleteBuffer;

  @Override
  public boolean isShown() {
    return true;
  }
}
