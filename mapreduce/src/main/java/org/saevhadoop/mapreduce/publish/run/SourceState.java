package org.saevhadoop.mapreduce.publish.run;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.security.AccessControlException;
import org.saevhadoop.mapreduce.io.HadoopFolder;

/**
 * The state of the datasets that a run reads: a hash of the paths, lengths and modification times
 * of all their files. It takes one listing of each folder and reads no file. Of a folder that
 * cannot be listed, no file is known.
 */
public final class SourceState {
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
    if (HadoopFolder.isLocal(fs)) {
      listLocal(java.nio.file.Path.of(folder.toUri().getPath()), prefix, depth);
      return;
    }
    List<Path> folders = new ArrayList<>();
    try {
      RemoteIterator<FileStatus> entries = fs.listStatusIterator(folder);
      while (entries.hasNext()) {
        FileStatus entry = entries.next();
        if (entry.isDirectory()) {
          folders.add(entry.getPath());
        } else if (entry.getPath().getName().startsWith(prefix)) {
          add(entry.getPath(), entry.getLen(), entry.getModificationTime());
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

  /** Lists files with one system call each; Hadoop makes five. */
  private void listLocal(java.nio.file.Path folder, String prefix, int depth) throws IOException {
    SimpleFileVisitor<java.nio.file.Path> visitor =
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(
              java.nio.file.Path file, BasicFileAttributes attributes) {
            if (!attributes.isDirectory() && file.getFileName().toString().startsWith(prefix)) {
              add(file, attributes.size(), attributes.lastModifiedTime().toMillis());
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(java.nio.file.Path file, IOException e) {
            add(file, 0, 0); // such as a link to an enclosing folder
            return FileVisitResult.CONTINUE;
          }
        };
    Files.walkFileTree(folder, EnumSet.of(FileVisitOption.FOLLOW_LINKS), depth, visitor);
  }

  private void add(Object path, long length, long modified) {
    String line = path + " " + length + " " + modified;
    sum = sum.add(new BigInteger(1, RunPaths.hashBytes(line)));
  }
}
