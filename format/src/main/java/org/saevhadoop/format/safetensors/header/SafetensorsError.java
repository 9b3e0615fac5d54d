package org.saevhadoop.format.safetensors.header;

import org.saevhadoop.format.io.ErrorKind;

/**
 * What can be wrong with a safetensors file, under the reference's names and in the order in which
 * it checks. The problem of every {@link FormatException} that reading a header throws begins with
 * one of these names and a colon.
 */
public enum SafetensorsError implements ErrorKind {
  /** The file has fewer than 8 bytes. */
  HeaderTooSmall,
  /** The first 8 bytes ask for a header of more than 100,000,000 bytes. */
  HeaderTooLarge,
  /** The header would end after the file does. */
  InvalidHeaderLength,
  /** The header is not UTF-8. */
  InvalidHeader,
  /** The header is not JSON, or not JSON of the right form. */
  InvalidHeaderDeserialization,
  /** A tensor does not begin where the one before it ends, or ends before it begins. */
  InvalidOffset,
  /** A tensor's size in bits is 2^64 or more. */
  ValidationOverflow,
  /** A tensor of a packed type does not end at a byte boundary. */
  MisalignedSlice,
  /** A tensor's offsets and its shape disagree about its size. */
  TensorInvalidInfo,
  /** The file does not end where the last tensor does. */
  MetadataIncompleteBuffer;

  @Override
  public boolean isShown() {
    return true;
  }
}
