package org.saevhadoop.format.samediff;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Storage;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.samediff.container.ContainerPart;
import org.saevhadoop.format.samediff.container.SameDiffContainer;
import org.saevhadoop.format.samediff.container.StagedContainer;
import org.saevhadoop.format.samediff.dataset.DatasetMetadata;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.ArrayCursor;
import org.saevhadoop.format.spi.StreamAccess;

/**
 * SDZ files with compressed entries as a stream. A part is an entry; staging inflates it. The graph
 * gives the numbers of all examples, so that no pass is needed to count them.
 */
final class SameDiffStream implements StreamAccess {
  @Override
  public boolean isNeeded(Location source, Settings settings) throws IOException {
    return !new SameDiffReading(settings, ProvenanceReader.NONE).isFolderOfArrays(source)
        && SameDiffContainer.parts(source).stream().anyMatch(ContainerPart::isDeflated);
  }

  @Override
  public List<Part> parts(Location source, Settings settings) throws IOException {
    List<Part> parts = new ArrayList<>();
    for (ContainerPart part : SameDiffContainer.parts(source)) {
      // for a stored entry, the length of the SDNB file
      long bytes = part.entry() == null ? part.length() : part.entry().compressedSize();
      parts.add(new Part(parts.size(), List.of(part.file()), bytes));
    }
    return parts;
  }

  @Override
  public Provenance provenance(Location source) throws IOException {
    return DatasetMetadata.provenance(SameDiffContainer.read(source).metadata());
  }

  /** Not supported: SameDiffInputFormat reads datasets, not streams of arrays. */
  @Override
  public ArrayCursor arrays(Input file, Path localFolder) {
    throw new UnsupportedOperationException("arrays of a container are read as a dataset");
  }

  @Override
  public Settings prepare(Location source, Settings settings) {
    return settings;
  }

  /** Writes nothing, as the graph numbers the examples. */
  @Override
  public void catalogue(
      Part part, List<Input> inputs, Settings settings, Folder target, Path localFolder) {}

  /** Returns all entries: each contains one or more columns of many examples. */
  @Override
  public List<Integer> choose(
      Folder staged, Location source, Settings settings, ProjectionRequest request)
      throws IOException {
    return parts(source, settings).stream().map(Part::number).toList();
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
    StagedContainer.inflate(inputs.get(0), part.number(), target);
  }

  @Override
  public void join(Folder staged, Location source, Settings settings, ProjectionRequest request)
      throws IOException {
    List<ContainerPart> parts = SameDiffContainer.parts(source);
    new StagedContainer(
            Storage.uri(source.folder()),
            parts.get(0).file(),
            parts.stream().map(ContainerPart::name).toList(),
            settings.texts())
        .write(staged);
  }

  @Override
  public TableDataset openStaged(Folder staged, Storage storage, ProvenanceReader provenance)
      throws IOException {
    StagedContainer document = StagedContainer.read(staged);
    Folder source = storage.locate(document.source()).folder();
    Settings settings = Settings.ofTexts(document.settings(), SameDiffKeys.READING);
    return new SameDiffReading(settings, provenance)
        .open(
            Location.of(source, document.file()),
            document.open(staged, source.path(document.file())));
  }
}
