package org.saevhadoop.format.pickleshards;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Storage;
import org.saevhadoop.format.pickleshards.PickleKeys.Ids;
import org.saevhadoop.format.pickleshards.PickleKeys.Incomplete;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest;
import org.saevhadoop.format.pickleshards.directory.ExtractionConfig;
import org.saevhadoop.format.pickleshards.directory.ManifestClaims;
import org.saevhadoop.format.pickleshards.directory.ShardDirectory;
import org.saevhadoop.format.pickleshards.directory.ShardFile;
import org.saevhadoop.format.pickleshards.directory.ShardFiles;
import org.saevhadoop.format.pickleshards.unpacked.BlockChoice;
import org.saevhadoop.format.pickleshards.unpacked.ShardJoin;
import org.saevhadoop.format.pickleshards.unpacked.ShardUnpacker;
import org.saevhadoop.format.pickleshards.unpacked.ShardUnpacker.Packed;
import org.saevhadoop.format.pickleshards.unpacked.UnpackOptions;
import org.saevhadoop.format.pickleshards.unpacked.UnpackedDataset;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.ArrayCursor;
import org.saevhadoop.format.spi.StreamAccess;

/** Pickled shards as a stream, whose parts are those of {@link ShardFiles#parts}. */
final class PickleStream implements StreamAccess {
  @Override
  public List<Part> parts(Location source, Settings settings) throws IOException {
    ShardFiles files = ShardFiles.at(source);
    List<Part> parts = new ArrayList<>();
    for (List<ShardFile> shards : files.parts(settings.get(PickleKeys.JOIN_HALVES))) {
      parts.add(
          new Part(
              parts.size(),
              shards.stream().map(ShardFile::relativePath).toList(),
              shards.stream().mapToLong(ShardFile::bytes).sum()));
    }
    return parts;
  }

  @Override
  public Provenance provenance(Location source, Settings settings) throws IOException {
    return provenance(ShardFiles.at(source));
  }

  @Override
  public ArrayCursor arrays(Input file, Path localFolder) throws IOException {
    return new PickleArrays(file, localFolder);
  }

  @Override
  public Settings prepare(Location source, Settings settings) throws IOException {
    ManifestClaims promises = ManifestClaims.of(ShardFiles.at(source));
    promises.checkFiles();
    return settings.with(PickleKeys.CHECKSUMS, promises.haveChecksums());
  }

  @Override
  public void catalogue(
      Part part, List<Input> inputs, Settings settings, Folder target, Path localFolder)
      throws IOException {
    unpack(part, inputs, settings, BlockChoice.NOTHING, target, localFolder);
  }

  @Override
  public List<Integer> choose(
      Folder staged, Location source, Settings settings, ProjectionRequest request)
      throws IOException {
    ShardFiles files = ShardFiles.at(source);
    return shards(staged, source, files, ManifestClaims.of(files), settings, request).choose();
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
    Set<Long> samples = request.choosesExamples() ? ShardJoin.chosen(staged, part.number()) : null;
    BlockChoice choice = new BlockChoice(request, samples);
    unpack(part, inputs, settings, choice, target, localFolder);
  }

  private static void unpack(
      Part part,
      List<Input> inputs,
      Settings settings,
      BlockChoice choice,
      Folder target,
      Path localFolder)
      throws IOException {
    boolean checksums = settings.get(PickleKeys.CHECKSUMS);
    List<Packed> packed = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      packed.add(new Packed(part.files().get(i), inputs.get(i), checksums));
    }
    new ShardUnpacker(part.number(), options(settings), choice, target, localFolder).run(packed);
  }

  @Override
  public void join(Folder staged, Location source, Settings settings, ProjectionRequest request)
      throws IOException {
    ShardFiles files = ShardFiles.at(source);
    ManifestClaims claims = ManifestClaims.of(files);
    shards(staged, source, files, claims, settings, request)
        .write(Storage.uri(source.folder()), provenance(claims.first()));
  }

  private static ShardJoin shards(
      Folder staged,
      Location source,
      ShardFiles files,
      ManifestClaims claims,
      Settings settings,
      ProjectionRequest request)
      throws IOException {
    int parts = files.parts(settings.get(PickleKeys.JOIN_HALVES)).size();
    return new ShardJoin(staged, source.folder(), claims, parts, options(settings), request);
  }

  /**
   * Returns the facts about the extraction and the normalization that the first manifest records.
   */
  static Provenance provenance(ShardFiles files) throws IOException {
    for (ShardDirectory directory : files.directories()) {
      if (directory.hasManifest()) {
        return provenance(directory.manifest());
      }
    }
    return Provenance.NONE;
  }

  private static Provenance provenance(Optional<ActivationManifest> manifest) throws IOException {
    if (manifest.isEmpty()) {
      return Provenance.NONE;
    }
    ExtractionConfig known = ExtractionConfig.of(manifest.get());
    Provenance facts = Provenance.NONE.with(ExtractionText.DOCUMENT, ExtractionText.of(known));
    return ExtractionText.normalization(known)
        .map(how -> facts.with(Provenance.NORMALIZATION, how))
        .orElse(facts);
  }

  @Override
  public TableDataset openStaged(Folder staged, Storage storage, ProvenanceReader provenance)
      throws IOException {
    return UnpackedDataset.open(staged, path -> storage.locate(path).folder());
  }

  private static UnpackOptions options(Settings settings) {
    return new UnpackOptions(
        settings.get(ArrayKeys.RAGGED),
        settings.get(PickleKeys.SAMPLE_IDS) == Ids.DIRECTORY,
        settings.get(PickleKeys.INCOMPLETE) == Incomplete.DROP,
        settings.get(PickleKeys.JOIN_HALVES));
  }
}
