package org.saevhadoop.format.dataset;

import java.io.IOException;
import java.util.List;

/** Identifiers of the examples of a dataset that does not merely number them. */
public interface ExampleIds {
  /** Returns the identifiers of consecutive examples, in the order of the examples. */
  List<String> ids(long first, long count) throws IOException;

  /** Returns the maximum size of an identifier in bytes as JSON text in UTF-8, without quotes. */
  int maxBytes() throws IOException;

  /** Returns whether every identifier equals the number of its example. */
  boolean areNumbers() throws IOException;
}
