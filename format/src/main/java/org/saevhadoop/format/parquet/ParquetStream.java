package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.arrays.format.RunnerDocument;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.entries.EntryDocument;
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

  private static final String IDS = "ids%d-%05d.json";

  /** The file name without its extension, which a sidecar replaces with its own. */
  private static final String SAMPLES = "samples%d-%05d";

  private final ParquetFormat format;

  ParquetStream(ParquetFormat format) {
    this.format = format;
  }

  @Override
  protected List<EntryFile> files(Location source, Settings settings) throws IOException {
    return format.files(source, settings).stream()
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
    Settings whole = format.ofFiles(source, settings);
    format.headersOf(whole, source, ProvenanceReader.NONE, (footer, layout) -> {});
    return whole;
  }

  @Override
  public Provenance provenance(Location source, Settings settings) throws IOException {
    return format.layout(source, settings).map(RowLayout::provenance).orElse(Provenance.NONE);
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
    if (LayerTables.areIn(settings)) {
      LayerTables.stage(part, inputs, settings, target, localFolder);
    } else {
      stageGroups(part, inputs, settings, request, target, localFolder);
    }
  }

  private static void stageGroups(
      Part part,
      List<Input> inputs,
      Settings settings,
      ProjectionRequest request,
      Folder target,
      Path localFolder)
      throws IOException {
    List<StagedGroup> groups = new ArrayList<>();
    String data = DATA.formatted(part.number());
    List<ArrayMapping> mappings = ArrayKeys.mappings(settings);
    try (Output out = target.create(data)) {
      for (int i = 0; i < inputs.size(); i++) {
        Input in = inputs.get(i);
        String file = part.files().get(i);
        TableFooter footer = TableFooter.read(in);
        Optional<RowLayout> layout = RowLayout.of(footer, mappings);
        TableArrays arrays = layout.isPresent() ? null : TableArrays.of(in, settings);
        int end = Math.min(part.endEntry(), footer.rowGroups().size());
        for (int group = part.firstEntry(); group < end; group++) {
          String name = SAMPLES.formatted(groups.size(), part.number());
          if (arrays == null) {
            RowGroupStaging rows =
                new RowGroupStaging(
                    in, footer, group, layout.get(), layout.get().layers(request, settings));
            String ids = IDS.formatted(groups.size(), part.number());
            String samples = rows.writeSamples(target, name, localFolder) ? name : null;
            groups.add(rows.staged(file, data, out.position(), ids, samples));
            rows.read(out::write);
            if (rows.hasIds()) {
              StagedIds.write(target, ids, rows.ids());
            }
          } else {
            groups.add(arrays.staged(in, file, group, data, out.position(), name));
            for (TableArrays.Array array : arrays.arrays()) {
              arrays.read(in, group, array, out::write);
            }
            arrays.writeSamples(in, group, target, name, localFolder);
          }
        }
      }
    }
    new StagedTables.Part(groups).write(target, part.number());
  }

  @Override
  public void join(Folder staged, Location source, Settings settings, ProjectionRequest request)
      throws IOException {
    List<Part> parts = parts(source, settings);
    EntryDocument.of(source, settings, parts).write(staged);
    if (LayerTables.areIn(settings)) {
      format.layers(source, settings).join(staged, parts);
      return;
    }
    Optional<RowLayout> layout = format.layout(source, settings);
    if (layout.isPresent()) {
      List<StagedGroup> groups = new ArrayList<>();
      for (Part part : parts) {
        groups.addAll(StagedTables.Part.read(staged, part.number()).groups());
      }
      String file = format.describing(source, settings);
      List<Integer> layers = layout.get().layers(request, settings);
      StagedRows.of(source.path(), layout.get(), file, layers, groups).write(staged);
    }
  }

  @Override
  public TableDataset openStaged(Folder staged, Storage storage, ProvenanceReader provenance)
      throws IOException {
    EntryDocument document = EntryDocument.read(staged);
    Settings settings = Settings.ofTexts(document.settings(), format.readingKeys());
    if (LayerTables.areIn(settings)) {
      return LayerTables.open(staged, document.location(storage));
    }
    Location tables = document.open(staged, storage, new StagedTables());
    if (!StagedRows.isIn(staged) || ArrayKeys.isLayout(settings)) {
      StagedTables.Reader reader = StagedTables.Reader.of(format.reader(settings));
      return RunnerDocument.compare(tables, ArrayKeys.open(tables, reader, settings), settings);
    }
    StagedRows rows = StagedRows.read(staged);
    Folder source = storage.locate(document.source()).folder();
    try (Input in = ArrayFiles.open(source, rows.file())) {
      RowLayout layout = RowLayout.of(TableFooter.read(in), List.of()).orElseThrow();
      return rows.open(tables, layout, staged)
          .activations(provenance, ArrayKeys.mappings(settings));
    }
  }
}
