package org.saevhadoop.format.publish.run;

import java.io.IOException;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.storage.StoragePath.FileVisitor;

/**
 * The state of the datasets that a run reads: a hash of the paths, lengths and modification times
 * of all their files. Each folder is listed once, and no file is read. A folder that cannot be
 * listed contributes no files.
 */
public final class SourceState {
  /** No format nests deeper; without a limit, links could make a tree endless. */
  private static final int MAX_DEPTH = 4;

  private static final String DOCUMENT = "json";

  /** Extensions of log files, perhaps of this run; no format reads such files. */
  private static final Set<String> LOGS = Set.of("log", "out", "err", "txt");

  private SourceState() {}

  /**
   * Returns the state of datasets.
   *
   * @param paths a folder or a file for each dataset. Logs in a folder are ignored. A file includes
   *     all files of its folder with the same name up to the first dot and the same extension or
   *     that of JSON, because a dataset may consist of several files and have documents
   */
  public static String of(List<StoragePath> paths) throws IOException {
    StringBuilder states = new StringBuilder();
    for (StoragePath path : paths) {
      states.append(path.qualified()).append(' ').append(sum(path)).append('\n');
    }
    return RunPaths.hash(states.toString());
  }

  /** Returns the paths of all files of datasets. */
  public static Set<String> files(List<StoragePath> paths) throws IOException {
    Set<String> files = new HashSet<>();
    for (StoragePath path : paths) {
      visit(path, (file, length, modified) -> files.add(file.toString()));
    }
    return files;
  }

  /** Returns the sum of the hashes of the files, which does not depend on the order of listing. */
  private static BigInteger sum(StoragePath path) throws IOException {
    BigInteger[] sum = {BigInteger.ZERO};
    MessageDigest digest = Sha256.digest();
    visit(
        path,
        (file, length, modified) -> {
          String line = file + " " + length + " " + modified;
          sum[0] = sum[0].add(new BigInteger(1, RunPaths.hashBytes(line, digest)));
        });
    return sum[0];
  }

  private static void visit(StoragePath path, FileVisitor visitor) throws IOException {
    if (path.kind() == StoragePath.Kind.FOLDER) {
      path.visitFiles(
          "",
          MAX_DEPTH,
          (file, length, modified) -> {
            if (!LOGS.contains(extension(file.toString()))) {
              visitor.visit(file, length, modified);
            }
          });
    } else {
      String name = path.name();
      int dot = name.indexOf('.');
      String extension = extension(name);
      path.folderAbove()
          .visitFiles(
              dot < 0 ? name : name.substring(0, dot),
              1,
              (file, length, modified) -> {
                String other = extension(file.toString());
                if (other.equals(extension) || other.equals(DOCUMENT)) {
                  visitor.visit(file, length, modified);
                }
              });
    }
  }

  private static String extension(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
