package org.saevhadoop.converters.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The words with which the program was called, so that the commands that it prints can be pasted.
 *
 * @param name the words before the command, as a shell reads them: {@code bin/saev-hadoop}
 * @param generic Hadoop's generic options, each followed by its value
 */
public record CalledProgram(String name, List<String> generic) {
  private static final String NAME = "saev-hadoop";

  /** The value that is used if it is not known how the program was called. */
  public static final CalledProgram UNKNOWN = new CalledProgram(NAME, List.of());

  /** The environment variable in which the launcher passes the words that called the program. */
  static final String VARIABLE = "SAEV_HADOOP_PROGRAM";

  private static final String RUN_JAR = "org.apache.hadoop.util.RunJar ";

  public CalledProgram {
    generic = List.copyOf(generic);
  }

  /**
   * Returns how this program was called.
   *
   * @param args all words after the name of the program
   */
  public static CalledProgram of(
      Map<String, String> environment, List<String> args, List<String> generic) {
    String name =
        name(
            environment.get(VARIABLE),
            System.getProperty("sun.java.command"),
            System.getProperty("java.class.path"),
            args);
    return new CalledProgram(name, generic);
  }

  /**
   * Returns the words before the command.
   *
   * @param launched the name of the launcher; null if there was none
   * @param command the class or jar that the JVM runs, with its arguments
   */
  static String name(
      @Nullable String launched, @Nullable String command, String classPath, List<String> args) {
    if (launched != null && !launched.isEmpty()) {
      return ShellWord.quoted(launched);
    }
    String words = args.isEmpty() ? "" : " " + String.join(" ", args);
    if (command == null || !command.endsWith(words)) {
      return NAME;
    }
    String run = command.substring(0, command.length() - words.length());
    if (run.startsWith(RUN_JAR)) {
      return "hadoop jar " + ShellWord.quoted(run.substring(RUN_JAR.length()));
    }
    return run.equals(classPath) ? "java -jar " + ShellWord.quoted(run) : NAME;
  }

  /**
   * Returns the generic options.
   *
   * @param isKept determines which {@code -D} keys are included
   */
  public List<String> generic(Predicate<String> isKept) {
    List<String> kept = new ArrayList<>();
    for (int i = 0; i < generic.size(); i += 2) {
      String value = generic.get(i + 1);
      if (!generic.get(i).equals("-D") || isKept.test(value.substring(0, value.indexOf('=')))) {
        kept.addAll(generic.subList(i, i + 2));
      }
    }
    return kept;
  }
}
