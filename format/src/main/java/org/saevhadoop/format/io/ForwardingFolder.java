package org.saevhadoop.format.io;

import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * A folder that forwards all calls to another folder, except for methods that subclasses override.
 */
public abstract class ForwardingFolder implements Folder {
  private final Folder folder;

  protected ForwardingFolder(Folder folder) {
    this.folder = folder;
  }

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
  public final Optional<Folder> parent() throws IOException {
    return folder.parent();
  }

  @Override
  public Optional<Folder> folder(String name) throws IOException {
    return folder.folder(name);
  }

  @Override
  public final SortedSet<String> folders() throws IOException {
    return folder.folders();
  }

  @Override
  public final Listing list() throws IOException {
    return folder.list();
  }

  @Override
  public Input open(String name) throws IOException {
    return folder.open(name);
  }

  @Override
  public Output create(String name) throws IOException {
    return folder.create(name);
  }

  @Override
  public final void delete(String name) throws IOException {
    folder.delete(name);
  }

  @Override
  public final void awaitForced() throws IOException {
    folder.awaitForced();
  }
}
