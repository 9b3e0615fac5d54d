package org.saevhadoop.mapreduce.publish.run;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.security.AccessControlException;

/**
 * The state of the datasets that a run reads: a hash of the paths, lengths and modification times
 * of all their files. It takes one listing of each folder and reads no file. Of a folder that
 * cannot be listed, no file is known.
 */
public final class SourceState {
  private static final int HEXADECIMAL = 16;

  /** Links may make a tree endless; no format nests deeper. */
  private static final int MAX_DEPTH = 4;

  private final FileSystem fs;

  /** A sum, as a storage lists its files in any order. */
  private BigInteger sum = BigInteger.ZERO;

  private SourceState(FileSystem fs) {
    this.fs = fs;
  }

  /**
   * Returns the state of datasets.
   *
   * @param paths a folder or a file for each dataset; files beside a file that have its name up to
   *     the first dot are included, as a dataset may consist of several
   */
  public static String of(List<Path> paths, Configuration conf) throws IOException {
    StringBuilder states = new StringBuilder();
    for (Path path : paths) {
      SourceState state = new SourceState(path.getFileSystem(conf));
      state.add(state.fs.makeQualified(path));
      states.append(path).append(' ').append(state.sum).append('\n');
    }
    return RunPaths.hash(states.toString());
  }

  private void add(Path path) throws IOException {
    if (fs.exists(path) && fs.getFileStatus(path).isDirectory()) {
      list(path, "", MAX_DEPTH);
    } else {
      String name = path.getName();
      int dot = name.indexOf('.');
      list(path.getParent(), dot < 0 ? name : name.substring(0, dot), 1);
    }
  }

  private void list(Path folder, String prefix, int depth) throws IOException {
    List<Path> folders = new ArrayList<>();
    try {
      RemoteIterator<FileStatus> entries = fs.listStatusIterator(folder);
      while (entries.hasNext()) {
        FileStatus entry = entries.next();
        if (entry.isDirectory()) {
          folders.add(entry.getPath());
        } else if (entry.getPath().getName().startsWith(prefix)) {
          add(entry);
        }
      }
    } catch (AccessControlException | AccessDeniedException e) {
      return; // the files in it may be readable all the same
    }
    if (depth > 1) {
      for (Path path : folders) {
        list(path, prefix, depth - 1);
      }
    }
  }

  private void add(FileStatus file) {
    String line = file.getPath() + " " + file.getLen() + " " + file.getModificationTime();
    sum = sum.add(new BigInteger(RunPaths.hash(line), HEXADECIMAL));
  }
}
