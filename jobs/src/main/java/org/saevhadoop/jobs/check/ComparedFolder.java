package org.saevhadoop.jobs.check;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.ForwardingFolder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.io.UncachedFile;

/**
 * A folder of a dataset in which creating a file compares the written bytes with the existing file.
 * Only the work files of tasks are created, in another folder.
 */
final class ComparedFolder extends ForwardingFolder {
  private static final int READ_BYTES = 1 << 20;

  private final String shown;
  private final Folder scratch;
  private final WritePlan plan;
  private final Set<String> workFiles;

  /**
   * Creates the folder.
   *
   * @param written the folder that contains the dataset
   * @param shown the path of the folder in messages
   * @param scratch the folder for the work files of tasks
   * @param write the plan, the sinks and the finisher of the conversion that is repeated
   */
  ComparedFolder(Folder written, String shown, Folder scratch, DatasetWrite write) {
    super(written);
    this.shown = shown;
    this.scratch = scratch;
    this.plan = write.plan();
    this.workFiles = Set.copyOf(write.finisher().workFiles());
  }

  @Override
  public String path() {
    return shown;
  }

  @Override
  public Input open(String name) throws IOException {
    return workFiles.contains(name) ? scratch.open(name) : super.open(name);
  }

  @Override
  public Output create(String name) throws IOException {
    if (workFiles.contains(name)) {
      return scratch.create(name);
    }
    try {
      return new ComparedOutput(name, openUncached(name));
    } catch (FormatException e) {
      if (e.kind() != FileError.NOT_FOUND) {
        throw e;
      }
      throw VerifyError.MISSING
          .in(path(name), "was written but does not exist (expected the file)")
          .causedBy(e);
    }
  }

  /**
   * Opens a file so that its bytes come from the disk rather than from a cache, if the operating
   * system allows it.
   */
  private Input openUncached(String name) throws IOException {
    return folder() instanceof LocalFolder local
        ? UncachedFile.open(local.directory().resolve(name))
        : super.open(name);
  }

  /** Compares the bytes that it receives with those in a file. */
  private final class ComparedOutput implements Output {
    private final String name;
    private final Input file;
    private final long length;

    /** Bytes of the file, starting at {@link #position}. */
    private final ByteBuffer found = Input.buffer(READ_BYTES).limit(0);

    private long position;

    ComparedOutput(String name, Input file) throws IOException {
      this.name = name;
      this.file = file;
      this.length = file.length();
    }

    @Override
    public String path() {
      return ComparedFolder.this.path(name);
    }

    @Override
    public long position() {
      return position;
    }

    @Override
    public void write(ByteBuffer src) throws IOException {
      while (src.hasRemaining()) {
        if (!found.hasRemaining()) {
          readOn(src.remaining());
        }
        int count = Math.min(src.remaining(), found.remaining());
        ByteBuffer expected = src.slice(src.position(), count);
        int at = expected.mismatch(found.slice(found.position(), count));
        if (at >= 0) {
          throw VerifyError.DIFFERENT.in(
              path(),
              "%s is 0x%02x (expected 0x%02x, as converted from the source)",
              BytePosition.describe(plan, name, position + at),
              found.get(found.position() + at),
              expected.get(at));
        }
        src.position(src.position() + count);
        found.position(found.position() + count);
        position += count;
      }
    }

    private void readOn(int missing) throws IOException {
      VerifyError.DIFFERENT.check(
          position < length,
          path(),
          "ends at byte %d (expected at least %d more bytes, as converted from the source)",
          length,
          missing);
      int count = (int) Math.min(found.capacity(), length - position);
      file.readFully(position, found.clear().limit(count));
      found.flip();
    }

    @Override
    public void close() throws IOException {
      try (file) {
        VerifyError.DIFFERENT.check(
            position >= length,
            path(),
            "has %d bytes (expected %d, as converted from the source)",
            length,
            position);
      }
    }
  }
}
