package org.saevhadoop.format.numpy;

import java.io.IOException;
import java.util.List;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.inflated.InflatedStream;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.numpy.file.NumpyReader;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;

/** Datasets with compressed .npz files as a stream. Other files are read in place. */
final class NumpyStream extends InflatedStream {
  private final NpyFormat format;

  NumpyStream(NpyFormat format) {
    super(NumpyReader.ENTRIES, NumpyReader::isArrayEntry);
    this.format = format;
  }

  @Override
  protected List<EntryFile> files(Location source, Settings settings) throws IOException {
    return ArrayFiles.of(source, format.reader(settings), ArrayKeys.options(settings).files())
        .stream()
        .filter(file -> NumpyReader.isArchive(file.name()))
        .map(file -> new EntryFile(file.path(), file.bytes()))
        .toList();
  }

  @Override
  public boolean isNeeded(Location source, Settings settings) throws IOException {
    return !NpyFormat.isDocumented(source, settings) && super.isNeeded(source, settings);
  }

  /** Reads all headers, so that files that are not a dataset are refused before they are staged. */
  @Override
  public Settings prepare(Location source, Settings settings) throws IOException {
    format.headers(source, settings);
    return settings;
  }

  @Override
  protected TableDataset open(Location inflated, Settings settings, ProvenanceReader provenance)
      throws IOException {
    return format.open(inflated, settings, provenance);
  }

  @Override
  protected List<SettingKey<?>> readingKeys() {
    return format.readingKeys();
  }
}
