package org.saevhadoop.mapreduce.io;

import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;

/** A folder that reads from another one; subclasses determine how files are created. */
public abstract class ForwardingFolder implements Folder {
  private final Folder folder;

  protected ForwardingFolder(Folder folder) {
    this.folder = folder;
  }

  /** Returns the other folder. */
  protected final Folder folder() {
    return folder;
  }

  @Override
  public String path() {
    return folder.path();
  }

  @Override
  public final SortedMap<String, Long> files() throws IOException {
    return folder.files();
  }

  @Override
  public final Optional<Folder> folder(String name) throws IOException {
    return folder.folder(name);
  }

  @Override
  public final SortedSet<String> folders() throws IOException {
    return folder.folders();
  }

  @Override
  public Input open(String name) throws IOException {
    return folder.open(name);
  }

  @Override
  public final void awaitForced() throws IOException {
    folder.awaitForced();
  }
}
