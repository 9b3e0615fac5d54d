package org.saevhadoop.format.dataset;

import java.io.IOException;
import java.util.List;

/** What a dataset calls its examples, where it does not merely number them. */
public interface ExampleIds {
  /** Returns the ids of consecutive examples, in their order. */
  List<String> ids(long first, long count) throws IOException;

  /** Returns the most bytes that one of the ids takes in a JSON text in UTF-8, without quotes. */
  int maxBytes() throws IOException;

  /** Returns whether each id is the number of its example. */
  boolean areNumbers() throws IOException;
}
