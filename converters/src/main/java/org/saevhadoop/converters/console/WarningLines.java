package org.saevhadoop.converters.console;

import org.saevhadoop.format.io.Quote;

/** Warnings to the user, each a line on standard error. */
final class WarningLines {
  private WarningLines() {}

  static void print(String warning) {
    System.err.println("warning: " + Quote.show(warning));
  }
}
