package org.saevhadoop.jobs.merge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.dataset.write.CopiedFile;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.FileMerge;
import org.saevhadoop.jobs.check.VerifyError;
import org.saevhadoop.jobs.task.Task;
import org.saevhadoop.jobs.task.TaskInput;
import org.saevhadoop.jobs.task.TaskOutput;
import org.saevhadoop.mapreduce.job.ConversionKeys;

/**
 * Copies files to the folder of a task, or compares existing copies with the files.
 *
 * @param sources the folders of the sources
 * @param compared the folder of the copies; null if the task makes the copies
 */
record CopyFiles(List<Folder> sources, FileMerge format, @Nullable Folder compared) {
  private static final long STEP_BYTES = 16 << 20;

  static final class Mapped implements Task {
    @Override
    public void run(TaskInput input, TaskOutput output) throws IOException, InterruptedException {
      List<Folder> sources = new ArrayList<>();
      for (String source : input.get(MergeKeys.SOURCES)) {
        sources.add(input.path(source).folder());
      }
      String compared = input.get(MergeKeys.COMPARED);
      CopyFiles copy =
          new CopyFiles(
              sources,
              format(input.get(ConversionKeys.WRITTEN)),
              compared == null ? null : input.path(compared).folder());
      List<CopiedFile> files = input.get(MergeKeys.FILES).list();
      int first = (int) input.first();
      copy.run(
          files.subList(first, first + (int) input.count()), bytes -> input.progress(), output);
    }

    private static FileMerge format(String type) {
      return DatasetFormats.registry().all().stream()
          .filter(format -> format.getClass().getName().equals(type))
          .findFirst()
          .flatMap(DatasetFormat::merging)
          .orElseThrow();
    }
  }

  /**
   * Copies files one after another.
   *
   * @param read accepts the numbers of bytes that were read
   */
  void run(List<CopiedFile> files, LongConsumer read, TaskOutput output)
      throws IOException, InterruptedException {
    Folder folder = compared == null ? output.folder() : compared;
    for (CopiedFile file : files) {
      Folder source = sources.get(file.source());
      String[] path = file.from().split("/");
      for (int i = 0; i < path.length - 1; i++) {
        source = source.folder(path[i]).orElseThrow(() -> gone(file));
      }
      try (Input from = source.open(path[path.length - 1])) {
        if (compared == null) {
          copy(file, from, folder, read, output);
        } else {
          compare(file, from, folder, read);
        }
      }
    }
    if (compared == null) {
      folder.awaitForced();
    }
  }

  private IOException gone(CopiedFile file) {
    return FileError.NOT_FOUND.in(
        sources.get(file.source()).path() + "/" + file.from(), "no such file");
  }

  /** Checks that a file is at least as long as when the copies were planned. */
  private static void checkLength(CopiedFile file, Input from) throws IOException {
    FileError.TRUNCATED.check(
        from.length() >= file.skip() + file.bytes(),
        from.path(),
        "has %d bytes (expected %d, as before the merge)",
        from.length(),
        file.skip() + file.bytes());
  }

  private void copy(
      CopiedFile file, Input from, Folder folder, LongConsumer read, TaskOutput output)
      throws IOException {
    checkLength(file, from);
    try (Output out = folder.create(file.to())) {
      if (!file.head().isEmpty()) {
        out.write(format.head(from, file.head()));
      }
      for (long done = 0; done < file.bytes(); done += STEP_BYTES) {
        long count = Math.min(STEP_BYTES, file.bytes() - done);
        out.copy(from, file.skip() + done, count);
        read.accept(count);
        output.written(count);
      }
      FileError.TRUNCATED.check(
          out.position() <= file.length(),
          from.path(),
          "begins differently than before the merge (expected the same bytes)");
      if (out.position() < file.length()) {
        out.extendTo(file.length());
      }
    }
  }

  private void compare(CopiedFile file, Input from, Folder folder, LongConsumer read)
      throws IOException {
    checkLength(file, from);
    try (Input copy = folder.open(file.to())) {
      VerifyError.DIFFERENT.check(
          copy.length() == file.length(),
          copy.path(),
          "has %d bytes (expected %d)",
          copy.length(),
          file.length());
      long at = 0;
      if (!file.head().isEmpty()) {
        ByteBuffer head = format.head(from, file.head());
        at = head.remaining();
        checkSame(read(copy, 0, head.remaining()).equals(head), copy, from, 0);
      }
      for (long done = 0; done < file.bytes(); done += Output.COPY_BYTES) {
        int count = (int) Math.min(Output.COPY_BYTES, file.bytes() - done);
        ByteBuffer expected = read(from, file.skip() + done, count);
        checkSame(read(copy, at, count).equals(expected), copy, from, at);
        at += count;
        read.accept(count);
      }
      checkZeros(copy, at, from);
    }
  }

  private static void checkZeros(Input copy, long from, Input source) throws IOException {
    for (long at = from; at < copy.length(); at += Output.COPY_BYTES) {
      int count = (int) Math.min(Output.COPY_BYTES, copy.length() - at);
      checkSame(read(copy, at, count).equals(ByteBuffer.allocate(count)), copy, source, at);
    }
  }

  private static ByteBuffer read(Input file, long at, int bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(bytes);
    file.readFully(at, buffer);
    return buffer.flip();
  }

  private static void checkSame(boolean same, Input copy, Input from, long at) throws IOException {
    VerifyError.DIFFERENT.check(
        same, copy.path(), "differs from %s after byte %d (expected a copy)", from.path(), at);
  }
}
