package org.saevhadoop.mapreduce.publish;

import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * The state of the datasets that a run reads: a hash of the paths, lengths and modification times
 * of all their files. It takes one listing of each folder and reads no file.
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
   * @param paths a folder or a file for each dataset; the files beside a file are included, as a
   *     dataset may consist of several
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
      list(path, MAX_DEPTH);
    } else {
      list(path.getParent(), 1);
    }
  }

  private void list(Path folder, int depth) throws IOException {
    List<Path> folders = new ArrayList<>();
    RemoteIterator<FileStatus> entries = fs.listStatusIterator(folder);
    while (entries.hasNext()) {
      FileStatus entry = entries.next();
      if (entry.isDirectory()) {
        folders.add(entry.getPath());
      } else {
        String line =
            "%s %d %d".formatted(entry.getPath(), entry.getLen(), entry.getModificationTime());
        sum = sum.add(new BigInteger(RunPaths.hash(line), HEXADECIMAL));
      }
    }
    if (depth > 1) {
      for (Path path : folders) {
        list(path, depth - 1);
      }
    }
  }
}
