package org.saevhadoop.converters;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandles;

/**
 * The main class of the single jar, as named in its manifest; starts {@code Main} if this JVM can
 * load it. Only this class is compiled for Java 8, so that an older JVM reports the problem in one
 * sentence instead of throwing an {@code UnsupportedClassVersionError}. It therefore must not refer
 * to any other class of the project.
 */
public final class ClientLauncher {
  private static final int REQUIRED_VERSION = 17;

  private static final String MAIN_CLASS = "org.saevhadoop.converters.Main";

  private ClientLauncher() {}

  /**
   * Starts the command line. If this JVM is too old, prints one line and ends the JVM with exit
   * code 1.
   *
   * @throws Throwable any exception that the command line throws
   */
  public static void main(String[] args) throws Throwable {
    String refusal =
        refusal(System.getProperty("java.specification.version"), System.getProperty("java.home"));
    if (refusal != null) {
      System.err.println(refusal);
      System.exit(1);
    }
    // reflection would load the classes of Hadoop to which other methods refer
    MethodHandles.publicLookup()
        .findStatic(Class.forName(MAIN_CLASS), "main", methodType(void.class, String[].class))
        .invokeExact(args);
  }

  /**
   * Returns a line with the reason why a JVM is refused; null if the JVM is accepted.
   *
   * @param version the value of {@code java.specification.version}: 1.8 for Java 8, 9 for Java 9. A
   *     version in another form is accepted, because no JVM with such a version is known to be too
   *     old
   * @param home the home folder of the JVM
   */
  static String refusal(String version, String home) {
    String number = version.startsWith("1.") ? version.substring(2) : version;
    if (!number.matches("\\d{1,4}") || Integer.parseInt(number) >= REQUIRED_VERSION) {
      return null;
    }
    return String.format(
        "saev-hadoop: cannot run on Java %s of %s (expected Java %d or later: set JAVA_HOME)",
        number, home, REQUIRED_VERSION);
  }
}
