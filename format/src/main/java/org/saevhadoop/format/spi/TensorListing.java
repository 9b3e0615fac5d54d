package org.saevhadoop.format.spi;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Geometry;

/** The tensors of a file or of a model. There may be millions of them. */
public interface TensorListing {
  /**
   * One tensor.
   *
   * @param kind the kind of the tensor in terms of the format; null if the format has only one kind
   * @param dtype the type of the values, by its name in numpy; for a type that numpy does not have,
   *     the format's name in lower case
   * @param storedDtype the type of the values, by the format's own name; null if it is unknown
   * @param shape the dimensions, each an unsigned integer; with a kind, {@link #UNKNOWN_SIZE} is an
   *     unknown one
   * @param begin the offset of the first byte in the data of the file; -1 if offsets have no
   *     meaning
   * @param bytes the size of the values; -1 if it is unknown
   * @param file the file that contains the tensor; null if there is only one file
   * @param order {@code c} or {@code f}; null if the format has only one order
   * @param digest the SHA-256 of the bytes; null if digests were not requested
   * @param note anything unusual about the tensor; null if there is nothing
   */
  record Item(
      String name,
      @Nullable String kind,
      String dtype,
      @Nullable String storedDtype,
      long[] shape,
      long begin,
      long bytes,
      @Nullable String file,
      @Nullable String order,
      @Nullable String digest,
      @Nullable String note) {
    /** Size of a dimension that varies. */
    public static final long UNKNOWN_SIZE = -1;
  }

  /** Accepts tensors, one at a time. */
  @FunctionalInterface
  interface Visitor {
    void visit(Item item) throws IOException;
  }

  /** Returns the heading of the list in terms of the format, such as {@code tensors}. */
  default String title() {
    return "tensors";
  }

  /** Returns the number of tensors. */
  long count();

  /** Returns the total length of the files. */
  long bytes() throws IOException;

  /** Returns the shape of the activations that the tensors are; null if they are none. */
  default @Nullable Geometry activations() {
    return null;
  }

  /** Passes all tensors to a visitor, in the order of their data. */
  void forEach(Visitor visitor) throws IOException;

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
