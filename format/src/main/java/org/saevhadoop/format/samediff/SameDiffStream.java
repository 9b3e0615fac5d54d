package org.saevhadoop.format.samediff;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.inflated.InflatedStream;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.samediff.container.ContainerFiles;
import org.saevhadoop.format.samediff.container.ContainerPart;
import org.saevhadoop.format.samediff.container.FileMagic;
import org.saevhadoop.format.samediff.container.SameDiffContainer;
import org.saevhadoop.format.samediff.container.SdzFile;
import org.saevhadoop.format.samediff.dataset.DatasetMetadata;
import org.saevhadoop.format.samediff.dataset.SameDiffArrays;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;

/** SDZ files with compressed entries as a stream. */
final class SameDiffStream extends InflatedStream {
  SameDiffStream() {
    super(SdzFile.NAMES, SdzFile::isModel);
  }

  private static SameDiffReading reading(Settings settings) {
    return new SameDiffReading(settings, ProvenanceReader.NONE);
  }

  @Override
  public boolean isNeeded(Location source, Settings settings) throws IOException {
    return reading(settings).isFolderOfArrays(source)
        ? super.isNeeded(source, settings)
        : SameDiffContainer.parts(source).stream().anyMatch(ContainerPart::isDeflated);
  }

  @Override
  protected List<EntryFile> files(Location source, Settings settings) throws IOException {
    List<EntryFile> archives = new ArrayList<>();
    if (reading(settings).isFolderOfArrays(source)) {
      for (ArrayFiles.Found file :
          ArrayFiles.of(source, new SameDiffArrays(true), ArrayKeys.options(settings).files())) {
        if (ContainerFiles.magic(file.folder(), file.name()) == FileMagic.ZIP) {
          archives.add(new EntryFile(file.path(), file.bytes()));
        }
      }
      return archives;
    }
    ContainerPart graph = SameDiffContainer.parts(source).get(0);
    if (graph.entry() != null) {
      archives.add(new EntryFile(graph.file(), source.files().getOrDefault(graph.file(), 0L)));
    }
    return archives;
  }

  @Override
  public Provenance provenance(Location source, Settings settings) throws IOException {
    return reading(settings).isFolderOfArrays(source)
        ? Provenance.NONE
        : DatasetMetadata.provenance(SameDiffContainer.read(source).metadata());
  }

  @Override
  protected TableDataset open(Location inflated, Settings settings, ProvenanceReader provenance)
      throws IOException {
    return new SameDiffReading(settings, provenance).open(inflated);
  }

  @Override
  protected List<SettingKey<?>> readingKeys() {
    return SameDiffKeys.READING;
  }
}
