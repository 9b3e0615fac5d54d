package org.saevhadoop.format.io;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Locks that processes hold on local files. Linux lists those of {@code flock} and of {@code fcntl}
 * in /proc/locks, whereas {@code FileChannel.tryLock} does not see the former.
 *
 * <p>vLLM takes a lock of {@code flock} on {@code NAME.lock} until it has written NAME:
 * example_hidden_states_connector.py, commit 015a95c8, {@code wait_for_save}.
 */
final class HeldLocks {
  private static final Path LIST = Path.of("/proc/locks");

  private HeldLocks() {}

  /** Returns whether a process holds a lock on a file; false if that cannot be known. */
  static boolean isHeld(Path file) throws IOException {
    if (!Files.isReadable(LIST)) {
      return false;
    }
    String key;
    try {
      long device = (Long) Files.getAttribute(file, "unix:dev");
      key = key(device, (Long) Files.getAttribute(file, "unix:ino"));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false; // deleted meanwhile
    }
    try (Stream<String> lines = Files.lines(LIST, StandardCharsets.ISO_8859_1)) {
      return lines.anyMatch(line -> line.contains(key) && !line.contains("->"));
    }
  }

  /** Returns a file as the list names it: major and minor device in hexadecimal, and the inode. */
  private static String key(long device, long inode) {
    long major = device >>> 8 & 0xfff | device >>> 32 & ~0xfffL;
    long minor = device & 0xff | device >>> 12 & ~0xffL;
    return " %02x:%02x:%d ".formatted(major, minor, inode);
  }
}
