package org.saevhadoop.converters.console;

/** Prints warnings for the user, each as a line on standard error. */
public final class WarningLines {
  private WarningLines() {}

  public static void print(String warning) {
    System.err.println("warning: " + OneLine.of(warning));
  }
}
