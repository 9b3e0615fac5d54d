package org.saevhadoop.format.arrow;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.arrays.format.RunnerDocument;
import org.saevhadoop.format.arrow.file.ArrowReader;
import org.saevhadoop.format.arrow.file.ArrowReader.Bodies;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.entries.EntryDocument;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.io.Storage;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.EntryStream;

/**
 * Arrow files with compressed record batches, presented as a stream whose entries are the batches.
 * Staging unpacks the buffers of the columns that are read; files without compressed batches are
 * read in place.
 */
final class ArrowStream extends EntryStream {
  private final ArrowFormat format;

  ArrowStream(ArrowFormat format) {
    this.format = format;
  }

  private List<ArrayFiles.Found> found(Location source, Settings settings) throws IOException {
    return ArrayFiles.of(source, format.reader(settings), settings.get(ArrayKeys.FILES));
  }

  @Override
  protected List<EntryFile> files(Location source, Settings settings) throws IOException {
    return found(source, settings).stream()
        .map(file -> new EntryFile(file.path(), file.bytes()))
        .toList();
  }

  @Override
  public boolean isNeeded(Location source, Settings settings) throws IOException {
    for (ArrayFiles.Found file : found(source, settings)) {
      try (Input in = file.folder().open(file.name())) {
        if (ArrowReader.isPacked(in)) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  protected List<Long> entries(Location source, EntryFile file, Settings settings)
      throws IOException {
    try (Input in = ArrayFiles.open(source.folder(), file.path())) {
      List<Long> batches = ArrowReader.batches(in);
      return batches.isEmpty() ? List.of(0L) : batches;
    }
  }

  /** Reads all headers, so that files that are not a dataset are refused before they are staged. */
  @Override
  public Settings prepare(Location source, Settings settings) throws IOException {
    Settings whole = format.ofFiles(source, settings);
    format.headersOf(whole, source);
    return whole;
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
    List<UnpackedBatches> batches = new ArrayList<>();
    ArrowReader reader = format.reader(settings, Bodies.PACKED);
    String data = UnpackedBatches.data(part.number());
    try (Output out = target.create(data)) {
      for (int i = 0; i < inputs.size(); i++) {
        Input in = inputs.get(i);
        String file = part.files().get(i);
        long offset = out.position();
        reader.unpack(in, part.firstEntry(), part.endEntry(), out::write);
        batches.add(new UnpackedBatches(file, in.length(), data, offset, out.position() - offset));
      }
    }
    new UnpackedBatches.Part(batches).write(target, part.number());
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
    Settings settings = Settings.ofTexts(document.settings(), format.readingKeys());
    Location location = document.open(staged, storage, UnpackedBatches.CONTENT);
    return RunnerDocument.compare(
        location,
        ArrayKeys.open(location, format.reader(settings, Bodies.STAGED), settings),
        settings);
  }
}
