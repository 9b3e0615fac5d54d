package org.saevhadoop.converters.inspect;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.ForwardingFolder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;

/** A folder that reports how far its files have been read. Repeated reads are not counted. */
final class CountedFolder extends ForwardingFolder {
  private final LongConsumer progress;

  private CountedFolder(Folder folder, LongConsumer progress) {
    super(folder);
    this.progress = progress;
  }

  /**
   * Returns a view of a location.
   *
   * @param progress accepts the number of bytes since the last report
   */
  static Location view(Location location, LongConsumer progress) {
    Folder counted = new CountedFolder(location.folder(), progress);
    return location.isFile() ? Location.of(counted, location.file()) : Location.of(counted);
  }

  @Override
  public Optional<Folder> folder(String name) throws IOException {
    return folder().folder(name).map(inner -> new CountedFolder(inner, progress));
  }

  @Override
  public Input open(String name) throws IOException {
    return new CountedFile(folder().open(name), progress);
  }

  private static final class CountedFile implements Input.Filter {
    private final Input file;
    private final LongConsumer progress;
    private long reached;

    CountedFile(Input file, LongConsumer progress) {
      this.file = file;
      this.progress = progress;
    }

    @Override
    public Input file() {
      return file;
    }

    @Override
    public void readFully(long position, ByteBuffer dst) throws IOException {
      long end = position + dst.remaining();
      file.readFully(position, dst);
      if (end > reached) {
        progress.accept(end - reached);
        reached = end;
      }
    }
  }
}
