package org.saevhadoop.converters;

/** Warnings to the user, each a line on standard error. */
final class Warnings {
  private Warnings() {}

  static void print(String warning) {
    System.err.println("warning: " + OneLine.of(warning));
  }
}
