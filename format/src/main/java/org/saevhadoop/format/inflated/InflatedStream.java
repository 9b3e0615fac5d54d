package org.saevhadoop.format.inflated;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.entries.EntryDocument;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.io.Storage;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.EntryStream;
import org.saevhadoop.format.zip.ArchiveEntry;
import org.saevhadoop.format.zip.EntryNames;
import org.saevhadoop.format.zip.StoredZip;
import org.saevhadoop.format.zip.ZipArchive;

/**
 * A stream for datasets in ZIP archives with compressed entries. Staging inflates entries; they are
 * then read as if they were stored in their archives.
 */
public abstract class InflatedStream extends EntryStream {
  private static final int COPY_BYTES = 1 << 20;

  private final EntryNames names;
  private final Predicate<String> isRead;

  /**
   * Creates a stream.
   *
   * @param names the names of entries that the format allows
   * @param isRead a predicate that accepts the names of entries to be read; other entries appear
   *     without data
   */
  protected InflatedStream(EntryNames names, Predicate<String> isRead) {
    this.names = names;
    this.isRead = isRead;
  }

  /** Opens the dataset, whose archives appear without compressed entries. */
  protected abstract TableDataset open(
      Location inflated, Settings settings, ProvenanceReader provenance) throws IOException;

  /** Returns the keys that define how the dataset is read. */
  protected abstract List<SettingKey<?>> readingKeys();

  @Override
  public boolean isNeeded(Location source, Settings settings) throws IOException {
    for (EntryFile archive : files(source, settings)) {
      if (isCompressed(entries(source, archive.path()))) {
        return true;
      }
    }
    return false;
  }

  private List<ArchiveEntry> entries(Location source, String archive) throws IOException {
    try (ZipArchive zip = ZipArchive.open(source.folder().open(archive), names)) {
      return zip.entries();
    }
  }

  private boolean isCompressed(List<ArchiveEntry> entries) {
    return entries.stream().anyMatch(entry -> !entry.stored() && isRead.test(entry.name()));
  }

  @Override
  protected List<Long> entries(Location source, EntryFile archive, Settings settings)
      throws IOException {
    return entries(source, archive.path()).stream().map(ArchiveEntry::compressedSize).toList();
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
    EntryDocument.of(source, settings, parts(source, settings)).write(staged);
  }

  @Override
  public TableDataset openStaged(Folder staged, Storage storage, ProvenanceReader provenance)
      throws IOException {
    EntryDocument document = EntryDocument.read(staged);
    return open(
        document.open(staged, storage, InflatedPart.CONTENT),
        Settings.ofTexts(document.settings(), readingKeys()),
        provenance);
  }
}
