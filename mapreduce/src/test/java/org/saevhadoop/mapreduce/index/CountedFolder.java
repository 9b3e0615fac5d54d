package org.saevhadoop.mapreduce.index;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;

/** A folder that tells which reads its files had. */
record CountedFolder(Folder folder, List<Read> reads) implements Folder {
  record Read(String path, long position, int bytes) {}

  CountedFolder(Folder folder) {
    this(folder, new ArrayList<>());
  }

  long bytes() {
    return reads.stream().mapToLong(Read::bytes).sum();
  }

  @Override
  public String path() {
    return folder.path();
  }

  @Override
  public SortedMap<String, Long> files() throws IOException {
    return folder.files();
  }

  @Override
  public Optional<Folder> folder(String name) throws IOException {
    return folder.folder(name).map(inner -> new CountedFolder(inner, reads));
  }

  @Override
  public SortedSet<String> folders() throws IOException {
    return folder.folders();
  }

  @Override
  public Output create(String name) throws IOException {
    return folder.create(name);
  }

  @Override
  public Input open(String name) throws IOException {
    return new Counted(folder.open(name), reads);
  }

  private record Counted(Input in, List<Read> reads) implements Input {
    @Override
    public String path() {
      return in.path();
    }

    @Override
    public long length() throws IOException {
      return in.length();
    }

    @Override
    public void readFully(long position, ByteBuffer dst) throws IOException {
      reads.add(new Read(path(), position, dst.remaining()));
      in.readFully(position, dst);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
