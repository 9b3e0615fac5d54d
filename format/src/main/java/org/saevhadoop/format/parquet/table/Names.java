package org.saevhadoop.format.parquet.table;

import org.saevhadoop.format.io.Quote;

/** Column names, as shown in messages. */
final class Names {
  private static final int MAX_SHOWN = 100;

  private Names() {}

  static String shown(String column) {
    return Quote.show(column, MAX_SHOWN);
  }
}
