package org.saevhadoop.s3;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import org.apache.hadoop.util.Progressable;

/** S3A in a process that dies at a moment, without a chance to clean up. */
public final class HaltingFileSystem extends S3AFileSystem {
  /** The moments at which the process may die. */
  enum Moment {
    WHILE_TASKS_COMMIT,
    BEFORE_THE_COMMIT,
    IN_THE_COMMIT,
    AT_THE_END
  }

  /** The property that names the moment. */
  static final String MOMENT = "halt.at";

  static final int EXIT_CODE = 137;

  private static final AtomicInteger COMMITTED_TASKS = new AtomicInteger();

  private static void halt(Moment moment, boolean isNow) {
    if (isNow && moment.name().equals(System.getProperty(MOMENT))) {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }

  private static boolean isIn(String method) {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(
                    frame ->
                        (frame.getClassName() + "." + frame.getMethodName()).endsWith(method)));
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    if (path.getName().equals("run.json")) { // it is read before each commit
      halt(Moment.BEFORE_THE_COMMIT, isIn("OutputLocation.commit"));
      halt(
          Moment.WHILE_TASKS_COMMIT,
          isIn("WrittenDataset$Attempt.commit") && COMMITTED_TASKS.incrementAndGet() == 3);
    }
    return super.open(path, bufferSize);
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    String name = path.getName();
    halt(Moment.IN_THE_COMMIT, name.equals("dataset_manifest.json"));
    return super.create(path, permission, overwrite, bufferSize, replication, blockSize, progress);
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    halt(Moment.AT_THE_END, path.getName().equals("_saev-hadoop-unfinished") && isIn(".publish"));
    return super.delete(path, recursive);
  }
}
