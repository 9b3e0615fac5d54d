package org.saevhadoop.format.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.StackWalker.StackFrame;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * The golden file of messages, testing/messages.txt: for each test, the messages of the errors that
 * it causes, without the path. {@code -Dsaev.docs.write=true} writes those of the tests that run.
 */
final class GoldenMessages {
  private static final Path FILE = Path.of("../testing/messages.txt");
  private static final String ROOT = Path.of("..").toAbsolutePath().normalize().toString();
  private static final boolean WRITE = Boolean.getBoolean("saev.docs.write");
  private static final StackWalker STACK =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  /** The messages of each test, {@code Class.method}. */
  private static final Map<String, Set<String>> GOLDEN = WRITE ? writtenAtTheEnd() : read();

  private GoldenMessages() {}

  /** Asserts that the message of an error is one of those of the running test. */
  static void check(FormatException error) {
    String test = runningTest();
    String message = message(error);
    if (WRITE) {
      GOLDEN.computeIfAbsent(test, name -> new ConcurrentSkipListSet<>()).add(message);
    }
    assertThat(GOLDEN.getOrDefault(test, Set.of())).as("messages of " + test).contains(message);
  }

  /**
   * Returns the message after the path, without the names of folders that differ from run to run.
   */
  private static String message(FormatException error) {
    String text = error.getMessage().substring(error.path().length() + 2);
    return text.replaceAll("(file:)?/[^ ]*?/junit-?\\d+", "<tmp>")
        .replace(ROOT, "<root>")
        .replace("\n", "\\n");
  }

  private static String runningTest() {
    StackFrame frame =
        STACK
            .walk(frames -> frames.filter(GoldenMessages::isTest).findFirst())
            .orElseThrow(() -> new IllegalStateException("not called by a test's thread"));
    return frame.getDeclaringClass().getSimpleName() + "." + frame.getMethodName();
  }

  private static boolean isTest(StackFrame frame) {
    Class<?> type = frame.getDeclaringClass();
    if (!type.getName().startsWith("org.saevhadoop.")) {
      return false;
    }
    try {
      return AnnotationSupport.isAnnotated(
          type.getDeclaredMethod(frame.getMethodName(), frame.getMethodType().parameterArray()),
          Testable.class);
    } catch (NoSuchMethodException e) {
      return false; // a constructor
    }
  }

  private static Map<String, Set<String>> read() {
    try {
      return parse(Files.readString(FILE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Set<String>> parse(String text) {
    Map<String, Set<String>> messages = new TreeMap<>();
    Set<String> current = null;
    for (String line : text.lines().toList()) {
      if (line.startsWith("  ")) {
        current.add(line.substring(2));
      } else if (!line.isEmpty()) {
        current = messages.computeIfAbsent(line, name -> new TreeSet<>());
      }
    }
    return messages;
  }

  private static Map<String, Set<String>> writtenAtTheEnd() {
    Map<String, Set<String>> written = new ConcurrentHashMap<>();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> merge(written)));
    return written;
  }

  private static void merge(Map<String, Set<String>> written) {
    try (FileChannel file =
            FileChannel.open(
                FILE,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        var lock = file.lock()) {
      assert lock.isValid();
      byte[] old = Channels.newInputStream(file).readAllBytes();
      Map<String, Set<String>> all = parse(new String(old, StandardCharsets.UTF_8));
      all.putAll(written);
      StringBuilder text = new StringBuilder();
      all.forEach(
          (test, messages) -> {
            text.append(test).append('\n');
            messages.forEach(message -> text.append("  ").append(message).append('\n'));
          });
      file.truncate(0);
      file.write(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8)), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
