package org.saevhadoop.format.inflated;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.io.Storage;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.ArrayCursor;
import org.saevhadoop.format.spi.StreamAccess;
import org.saevhadoop.format.zip.ArchiveEntry;
import org.saevhadoop.format.zip.EntryNames;
import org.saevhadoop.format.zip.StoredZip;
import org.saevhadoop.format.zip.ZipArchive;

/**
 * Datasets in ZIP archives with compressed entries, as a stream. Staging inflates entries; what was
 * staged is read as if the entries were stored in their archives.
 */
public abstract class InflatedStream implements StreamAccess {
  /** Small archives are staged together, and large ones by several tasks. */
  private static final long PART_BYTES = 32 << 20;

  private static final int MAX_FILES = 100;
  private static final int COPY_BYTES = 1 << 20;

  private final EntryNames names;
  private final Predicate<String> isRead;

  /**
   * Creates a stream.
   *
   * @param names the names of entries that the format allows
   * @param isRead returns whether an entry is read, by its name; others appear without data
   */
  protected InflatedStream(EntryNames names, Predicate<String> isRead) {
    this.names = names;
    this.isRead = isRead;
  }

  /**
   * An archive of a dataset.
   *
   * @param path the path relative to the folder of the dataset
   * @param bytes the length of the file
   */
  public record Archive(String path, long bytes) {}

  /** Returns the archives of a dataset in the order of its files. */
  protected abstract List<Archive> archives(Location source, Settings settings) throws IOException;

  /** Opens a dataset whose archives have no compressed entries. */
  protected abstract TableDataset open(
      Location inflated, Settings settings, ProvenanceReader provenance) throws IOException;

  /** Returns the keys that define how the dataset is read. */
  protected abstract List<SettingKey<?>> readingKeys();

  @Override
  public boolean isNeeded(Location source, Settings settings) throws IOException {
    for (Archive archive : archives(source, settings)) {
      if (isCompressed(entries(source, archive))) {
        return true;
      }
    }
    return false;
  }

  private List<ArchiveEntry> entries(Location source, Archive archive) throws IOException {
    try (ZipArchive zip = ZipArchive.open(source.folder().open(archive.path), names)) {
      return zip.entries();
    }
  }

  private boolean isCompressed(List<ArchiveEntry> entries) {
    return entries.stream().anyMatch(entry -> !entry.stored() && isRead.test(entry.name()));
  }

  @Override
  public List<Part> parts(Location source, Settings settings) throws IOException {
    List<Part> parts = new ArrayList<>();
    List<String> files = new ArrayList<>();
    long bytes = 0;
    for (Archive archive : archives(source, settings)) {
      boolean isFull = files.size() == MAX_FILES || bytes + archive.bytes > PART_BYTES;
      if (isFull && !files.isEmpty()) {
        parts.add(new Part(parts.size(), files, bytes));
        files.clear();
        bytes = 0;
      }
      if (archive.bytes > PART_BYTES) {
        divide(archive, entries(source, archive), parts);
      } else {
        files.add(archive.path);
        bytes += archive.bytes;
      }
    }
    if (!files.isEmpty()) {
      parts.add(new Part(parts.size(), files, bytes));
    }
    return parts;
  }

  /** Adds the parts of a large archive, each with some of its entries. */
  private static void divide(Archive archive, List<ArchiveEntry> entries, List<Part> parts) {
    int first = 0;
    long bytes = 0;
    for (int i = 0; i < entries.size(); i++) {
      bytes += entries.get(i).compressedSize();
      boolean isLast = i + 1 == entries.size();
      if (isLast || bytes + entries.get(i + 1).compressedSize() > PART_BYTES) {
        parts.add(new Part(parts.size(), List.of(archive.path), first, i + 1, bytes));
        first = i + 1;
        bytes = 0;
      }
    }
  }

  @Override
  public Provenance provenance(Location source, Settings settings) throws IOException {
    return Provenance.NONE;
  }

  /** Not supported: arrays of archives are read as a dataset, not as a stream. */
  @Override
  public ArrayCursor arrays(Input file, Path localFolder) {
    throw new UnsupportedOperationException("arrays of archives are read as a dataset");
  }

  @Override
  public Settings prepare(Location source, Settings settings) throws IOException {
    return settings;
  }

  /** Headers number the examples. */
  @Override
  public boolean isCatalogued() {
    return false;
  }

  @Override
  public void catalogue(
      Part part, List<Input> inputs, Settings settings, Folder target, Path localFolder) {
    throw new UnsupportedOperationException("headers number the examples");
  }

  @Override
  public List<Integer> choose(
      Folder staged, Location source, Settings settings, ProjectionRequest request) {
    throw new UnsupportedOperationException("headers number the examples");
  }

  @Override
  public void stage(
      Part part,
      List<Input> inputs,
      Settings settings,
      ProjectionRequest request,
      Folder staged,
      Folder target,
      Path localFolder)
      throws IOException {
    InflatedPart inflated = new InflatedPart(new ArrayList<>());
    String file = InflatedPart.data(part.number());
    try (Output out = target.create(file)) {
      for (int i = 0; i < inputs.size(); i++) {
        // closing the archive would close the file of the caller
        List<ArchiveEntry> all = ZipArchive.open(inputs.get(i), names).entries();
        if (isCompressed(all)) {
          int end = Math.min(part.endEntry(), all.size());
          for (ArchiveEntry entry : all.subList(part.firstEntry(), end)) {
            inflated.add(part.files().get(i), inflate(inputs.get(i), entry, file, out));
          }
        }
      }
    }
    inflated.write(target, part.number());
  }

  private StoredZip.Entry inflate(Input archive, ArchiveEntry entry, String file, Output out)
      throws IOException {
    long offset = out.position();
    if (!isRead.test(entry.name())) {
      return new StoredZip.Entry(entry.name(), 0, 0, file, offset);
    }
    ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
    try (ByteSource data = entry.read(archive)) {
      while (data.read(buffer.clear()) >= 0) {
        out.write(buffer.flip());
      }
    }
    return new StoredZip.Entry(entry.name(), entry.size(), entry.crc(), file, offset);
  }

  @Override
  public void join(Folder staged, Location source, Settings settings, ProjectionRequest request)
      throws IOException {
    InflatedDocument.of(source, settings, parts(source, settings)).write(staged);
  }

  @Override
  public TableDataset openStaged(Folder staged, Storage storage, ProvenanceReader provenance)
      throws IOException {
    InflatedDocument document = InflatedDocument.read(staged);
    return open(
        document.open(staged, storage),
        Settings.ofTexts(document.settings(), readingKeys()),
        provenance);
  }
}
