package org.saevhadoop.converters.console;

/** Warnings to the user, each a line on standard error. */
public final class WarningLines {
  private WarningLines() {}

  public static void print(String warning) {
    System.err.println("warning: " + OneLine.of(warning));
  }
}
