package org.saevhadoop.format.staged;

/** The names of the files in a folder of staged data. */
final class StagedName {
  private static final String RECORD = "done-";
  private static final String DAMAGE = "damaged-";

  private StagedName() {}

  static String record(String part) {
    return RECORD + part;
  }

  /** Returns the name of the file that contains the name of a damaged file of a part. */
  static String damage(String part) {
    return DAMAGE + part;
  }

  static boolean isRecord(String name) {
    return name.startsWith(RECORD);
  }

  static boolean isDamage(String name) {
    return name.startsWith(DAMAGE);
  }

  /** Returns the part to which a record with this name belongs. */
  static String partOfRecord(String name) {
    return name.substring(RECORD.length());
  }

  /**
   * Returns the number of the part in the name of one of the part's files; empty if the name has no
   * number.
   */
  static String number(String name) {
    int start = name.indexOf('-') + 1;
    int end = name.indexOf('.', start);
    String number = name.substring(start, end < 0 ? name.length() : end);
    return start > 0 && isNumber(number) ? number : "";
  }

  /** Returns whether a part was staged by a task, and not by the client. */
  static boolean isNumber(String part) {
    return !part.isEmpty() && Character.isDigit(part.charAt(0));
  }
}
