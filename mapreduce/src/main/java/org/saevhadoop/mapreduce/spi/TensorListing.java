package org.saevhadoop.mapreduce.spi;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;

/** The tensors of a file or a model, of which there may be millions. */
public interface TensorListing {
  /**
   * One tensor.
   *
   * @param name its name
   * @param kind what the format calls such a tensor; null if it knows one kind only
   * @param dtype the type of its values, by the name that the format gives it
   * @param shape its dimensions, each an unsigned number
   * @param begin where its bytes begin, in the data of its file; -1 if that says nothing
   * @param end where they end
   * @param file the file that holds it; null if there is one file only
   * @param order {@code c} or {@code f}; null if the format knows one order only
   * @param sha256 of its bytes; null if digests are not asked for
   */
  record Item(
      String name,
      String kind,
      String dtype,
      long[] shape,
      long begin,
      long end,
      String file,
      String order,
      String sha256) {}

  /** Takes one tensor after another. */
  @FunctionalInterface
  interface Visitor {
    void visit(Item item) throws IOException;
  }

  /** Returns what the format calls them, such as {@code tensors}. */
  String title();

  /** Returns how many there are. */
  long count();

  /** Hands all of them to a visitor, in the order of their data. */
  void forEach(Visitor visitor) throws IOException;

  /** Returns the metadata beside them; null if there is none. */
  JsonNode metadata();

  /** Returns what the user should know; null if the report has no such field. */
  List<String> warnings();
}
