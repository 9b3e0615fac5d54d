package org.saevhadoop.format.inflated;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.ForwardingFolder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.staged.StagedEntries;
import org.saevhadoop.format.zip.StoredZip;

/**
 * A folder whose compressed archives are read from inflated entries. Names are relative to the
 * folder itself. Threads may share it.
 */
final class InflatedFolder extends ForwardingFolder {
  private final StagedEntries<InflatedPart> parts;
  private final String prefix;

  private InflatedFolder(Folder folder, StagedEntries<InflatedPart> parts, String prefix) {
    super(folder);
    this.parts = parts;
    this.prefix = prefix;
  }

  /**
   * Wraps a folder.
   *
   * @param staged the folder with the inflated entries
   * @param archives the paths of the archives of each part
   */
  static Folder of(Folder folder, Folder staged, List<List<String>> archives) {
    return new InflatedFolder(
        folder, new StagedEntries<>(staged, archives, InflatedPart::read), "");
  }

  @Override
  public Optional<Folder> folder(String name) throws IOException {
    return folder()
        .folder(name)
        .map(below -> new InflatedFolder(below, parts, prefix + name + "/"));
  }

  @Override
  public Input open(String name) throws IOException {
    String archive = prefix + name;
    List<StoredZip.Entry> entries =
        parts.of(archive).stream().flatMap(part -> part.of(archive).stream()).toList();
    return entries.isEmpty()
        ? folder().open(name)
        : StoredZip.open(folder().path(name), entries, parts.folder()::open);
  }
}
