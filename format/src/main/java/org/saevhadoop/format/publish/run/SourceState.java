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
 * of all their files. It takes one listing of each folder and reads no file. Of a folder that
 * cannot be listed, no file is known.
 */
public final class SourceState {
  /** Links may make a tree endless; no format nests deeper. */
  private static final int MAX_DEPTH = 4;

  private static final String DOCUMENT = "json";

  /** Extensions of the output of commands, perhaps of this run; no format reads such files. */
  private static final Set<String> LOGS = Set.of("log", "out", "err", "txt");

  private SourceState() {}

  /**
   * Returns the state of datasets.
   *
   * @param paths a folder, without the logs in it, or a file for each dataset; for a file, files of
   *     the same folder are included that have the same name up to the first dot and the same
   *     extension, as a dataset may consist of several files, or the extension of JSON, as
   *     documents may describe it. Other files, such as the log of the run, are not read
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

  /** Returns the sum of the hashes of the files, as a storage lists them in any order. */
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
