package org.saevhadoop.format.spi;

import java.io.IOException;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.Io;

/** The tensors of a file or of a model. There may be millions of tensors. */
public interface TensorListing {
  /**
   * One tensor.
   *
   * @param kind the kind of the tensor in the terminology of the format; null if the format has
   *     only one kind
   * @param dtype the numpy name of the type of the values, or the format's name in lower case if
   *     numpy has no such type
   * @param storedDtype the format's own name of the type of the values; null if it is unknown
   * @param shape the dimensions; if the tensor has a kind, an unknown dimension is {@link
   *     #UNKNOWN_SIZE}
   * @param order {@code c} or {@code f}; null if the format has only one order
   * @param bytes the size of the values; null if it is unknown
   * @param dataOffsets the offset of the first byte and the offset after the last byte, in the data
   *     of the file; null if offsets have no meaning
   * @param file the file that contains the tensor; null if there is only one file
   * @param digest the SHA-256 of the bytes; null if digests were not requested
   * @param note a description of anything unusual about the tensor; null if there is nothing
   *     unusual
   */
  record Item(
      String name,
      @Nullable String kind,
      String dtype,
      @Nullable String storedDtype,
      List<BigInteger> shape,
      @Nullable String order,
      @Nullable Long bytes,
      @Nullable List<Long> dataOffsets,
      @Nullable String file,
      @Nullable String digest,
      @Nullable String note) {
    /** The size that denotes a dimension of varying size. */
    public static final BigInteger UNKNOWN_SIZE = BigInteger.ONE.negate();

    /** Converts the bits of an unsigned integer to the size of a dimension. */
    public static BigInteger size(long bits) {
      return new BigInteger(Long.toUnsignedString(bits));
    }
  }

  /** Returns the heading of the list in the terminology of the format, such as {@code tensors}. */
  default String title() {
    return "tensors";
  }

  long count();

  /** Returns the total length of the files. */
  long bytes() throws IOException;

  /** Returns the shape of the activations that the tensors contain; null if they contain none. */
  default @Nullable Geometry activations() {
    return null;
  }

  /** Passes all tensors to a visitor, in the order of their data. */
  void forEach(Io.Consumer<Item> visitor) throws IOException;

  /**
   * Returns the metadata that accompanies the tensors, as a value of {@link DatasetReport#fields};
   * null if there is none.
   */
  @Nullable Object metadata();

  /** Returns warnings for the user; null if the report has no such field. */
  default @Nullable List<String> warnings() {
    return null;
  }
}
