package org.saevhadoop.format.publish.run;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.format.storage.StoragePath;

/** The paths of run folders and of the files in them. */
public final class RunPaths {
  private static final String SUFFIX = ".saev-hadoop";
  private static final String DATA = "data";
  private static final String WORK = "work";
  private static final String REPLACED = "replaced";
  private static final String COMPLETE = "complete";

  /** The name of the folder in which names and renames are tried before a run. */
  public static final String PROBE = "probe";

  /** The names of the subfolders in the folder of a run; every other entry is a file. */
  static final Set<String> FOLDERS = Set.of(DATA, WORK, REPLACED, PROBE);

  private static final int MAX_NAME_BYTES = 255;
  private static final int HASH_BYTES = 8;

  private RunPaths() {}

  /** Returns the path of the folder of runs that write to a path. */
  public static StoragePath of(StoragePath destination) {
    return named(destination.folderAbove(), destination.name());
  }

  /**
   * Returns the path of the folder in which a source is staged, next to the path to which it is
   * converted.
   */
  public static StoragePath forStaging(StoragePath source, StoragePath destination) {
    StoragePath parent = destination.isRoot() ? destination : destination.folderAbove();
    String name = destination.isRoot() ? "root" : destination.name();
    return named(parent, name + "." + hash(source + "\n" + destination));
  }

  /** Returns the path of the folder of runs in a parent folder. */
  static StoragePath named(StoragePath parent, String name) {
    String whole = "_" + name + SUFFIX;
    if (bytes(whole) <= MAX_NAME_BYTES) {
      return parent.child(whole);
    }
    String end = "." + hash(name) + SUFFIX;
    int length = name.length();
    while (bytes("_" + name.substring(0, length) + end) > MAX_NAME_BYTES
        || Character.isHighSurrogate(name.charAt(length - 1))) {
      length--;
    }
    return parent.child("_" + name.substring(0, length) + end);
  }

  /** Returns whether a name has the form of a run folder's name. */
  static boolean isRunFolder(String name) {
    return name.startsWith("_") && name.endsWith(SUFFIX);
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Returns a short hash of a string for use in file names. */
  static String hash(String text) {
    return HexFormat.of().formatHex(hashBytes(text, Sha256.digest()));
  }

  static byte[] hashBytes(String text, MessageDigest digest) {
    return Arrays.copyOf(digest.digest(text.getBytes(StandardCharsets.UTF_8)), HASH_BYTES);
  }

  /** Returns the folder in which the job of a run writes. */
  public static StoragePath data(StoragePath folder) {
    return folder.child(DATA);
  }

  /** Returns the folder that contains a folder for each attempt of a task. */
  public static StoragePath work(StoragePath folder) {
    return folder.child(WORK);
  }

  /** Returns the path to which a dataset is moved while it is being replaced. */
  public static StoragePath replaced(StoragePath folder) {
    return folder.child(REPLACED);
  }

  /** Returns the path of the mark that the dataset of a run is complete. */
  public static StoragePath complete(StoragePath folder) {
    return folder.child(COMPLETE);
  }
}
