package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.io.Storage;
import org.saevhadoop.format.parquet.table.TableFooter;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.EntryStream;

/** Parquet files as a stream, whose entries are row groups. Staging decodes the chosen columns. */
final class ParquetStream extends EntryStream {
  private static final String DATA = "columns-%05d";

  private final ParquetFormat format;

  ParquetStream(ParquetFormat format) {
    this.format = format;
  }

  @Override
  protected List<EntryFile> files(Location source, Settings settings) throws IOException {
    return ArrayFiles.of(source, format.reader(settings), ArrayKeys.options(settings).files())
        .stream()
        .map(file -> new EntryFile(file.path(), file.bytes()))
        .toList();
  }

  @Override
  protected List<Long> entries(Location source, EntryFile file, Settings settings)
      throws IOException {
    try (Input in = ArrayFiles.open(source.folder(), file.path())) {
      List<Long> sizes =
          TableFooter.read(in).rowGroups().stream().map(TableFooter.RowGroup::bytes).toList();
      return sizes.isEmpty() ? List.of(0L) : sizes;
    }
  }

  /** Reads all footers, so that files that are not a dataset are refused before they are staged. */
  @Override
  public Settings prepare(Location source, Settings settings) throws IOException {
    format.headers(source, settings);
    return settings;
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
    List<StagedGroup> groups = new ArrayList<>();
    String data = DATA.formatted(part.number());
    try (Output out = target.create(data)) {
      for (int i = 0; i < inputs.size(); i++) {
        Input in = inputs.get(i);
        TableArrays table = TableArrays.of(in, ArrayKeys.mappings(settings));
        List<TableFooter.RowGroup> all = table.footer().rowGroups();
        int end = Math.min(part.endEntry(), all.size());
        for (int group = part.firstEntry(); group < end; group++) {
          groups.add(
              new StagedGroup(
                  part.files().get(i),
                  group,
                  all.get(group).rows(),
                  data,
                  out.position(),
                  table.arrays().stream().map(StagedGroup.StagedArray::of).toList(),
                  table.warnings()));
          for (TableArrays.Array array : table.arrays()) {
            table.read(in, group, array, out::write);
          }
        }
      }
    }
    new StagedTables.Part(groups).write(target, part.number());
  }

  @Override
  public void join(Folder staged, Location source, Settings settings, ProjectionRequest request)
      throws IOException {
    new StagedTables.Document(
            Storage.uri(source.folder()),
            source.isFile() ? source.file() : null,
            settings.texts(),
            parts(source, settings).stream().map(Part::files).toList())
        .write(staged);
  }

  @Override
  public TableDataset openStaged(Folder staged, Storage storage, ProvenanceReader provenance)
      throws IOException {
    StagedTables.Document document = StagedTables.Document.read(staged);
    Settings settings = Settings.ofTexts(document.settings(), format.readingKeys());
    return ArrayKeys.open(
        document.open(staged, storage), StagedTables.Reader.of(format.reader(settings)), settings);
  }
}
