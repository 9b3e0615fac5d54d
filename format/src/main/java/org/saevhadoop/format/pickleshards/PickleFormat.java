package org.saevhadoop.format.pickleshards;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.kind.FileKind;
import org.saevhadoop.format.pickleshards.PickleKeys.Ids;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest;
import org.saevhadoop.format.pickleshards.directory.ShardFiles;
import org.saevhadoop.format.pickleshards.shard.ShardStart;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.DatasetWriting;
import org.saevhadoop.format.spi.FileMerge;
import org.saevhadoop.format.spi.FormatEvidence;
import org.saevhadoop.format.spi.ProvenanceDocuments;
import org.saevhadoop.format.spi.RecordedArrays;
import org.saevhadoop.format.spi.ReportSink;
import org.saevhadoop.format.spi.StreamAccess;

/**
 * The format of pickled activation shards: a folder of shards, a folder with one subfolder of
 * shards per machine, or a single shard.
 */
public final class PickleFormat implements DatasetFormat {
  static final String NAME = "pickle";

  /** The kinds of files that can be pickles; pickles of protocol 0 are text. */
  private static final Set<FileKind> PICKLES =
      EnumSet.of(FileKind.PICKLE, FileKind.GZIP, FileKind.TEXT);

  private static final Pattern SHARD = Pattern.compile(".*\\.(pkl|pickle)(\\.gz)?");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String expected() {
    return "shard_*.pkl.gz";
  }

  @Override
  public FormatEvidence detect(Location location) throws IOException {
    if (location.isFile()) {
      return SHARD.matcher(location.file()).matches()
              && mayBePickle(location)
              && !ShardStart.isOfOther(location.folder().open(location.file()))
          ? FormatEvidence.STRONG
          : FormatEvidence.NONE;
    }
    if (location.files().keySet().stream().anyMatch(ShardFiles::isShard)) {
      return FormatEvidence.CERTAIN;
    }
    return ShardFiles.areIn(location) ? FormatEvidence.FAIR : FormatEvidence.NONE;
  }

  /** Returns whether the first bytes of a file do not rule out a pickle. */
  private static boolean mayBePickle(Location location) throws IOException {
    try (Input file = location.folder().open(location.file())) {
      return FileKind.of(file).filter(kind -> !PICKLES.contains(kind)).isEmpty();
    }
  }

  @Override
  public boolean isPart(String file) {
    return file.equals(ActivationManifest.FILE);
  }

  @Override
  public List<SettingKey<?>> readingKeys() {
    return PickleKeys.READING;
  }

  @Override
  public TableDataset open(Location location, Settings settings, ProvenanceReader provenance)
      throws IOException {
    throw DatasetError.UNSUPPORTED.in(
        location.path(), "contains pickled shards, which must be staged before random access");
  }

  @Override
  public Optional<StreamAccess> stream() {
    return Optional.of(new PickleStream());
  }

  @Override
  public Optional<RecordedArrays> recordedArrays() {
    return Optional.of(
        (location, settings, digests, visitor, warnings) ->
            new PickleListing(ShardFiles.at(location), digests, visitor)
                .run(warnings, misfit -> warnings.accept(misfit.getMessage())));
  }

  /**
   * The keys of the rules that determine how samples form a dataset; reports ignore these rules.
   */
  private static final List<SettingKey<?>> UNREPORTED =
      List.of(ArrayKeys.RAGGED, PickleKeys.INCOMPLETE, PickleKeys.JOIN_HALVES);

  @Override
  public void describe(
      Location location, Settings settings, ProvenanceReader provenance, ReportSink sink)
      throws IOException {
    if (sink.wantsDigests()) {
      throw new SettingException(
          "--digests is for files and models (list --digests for a dataset)");
    }
    List<String> warnings =
        UNREPORTED.stream()
            .filter(settings::isSet)
            .map(key -> settings.nameOf(key) + " has no effect: arrays are shown as recorded")
            .toList();
    sink.report(
        PickleReport.of(
            ShardFiles.at(location),
            settings.get(PickleKeys.SAMPLE_IDS) == Ids.DIRECTORY,
            warnings));
  }

  @Override
  public List<FormatException> check(
      Location location, Settings settings, ProvenanceReader provenance, Consumer<String> warnings)
      throws IOException {
    List<FormatException> problems = new ArrayList<>();
    try {
      problems.addAll(
          new PickleListing(ShardFiles.at(location), false, array -> {})
              .run(warnings, problems::add));
    } catch (FormatException e) {
      problems.add(e);
    }
    return problems;
  }

  @Override
  public Optional<FileMerge> merging() {
    return Optional.of(new PickleMerge());
  }

  @Override
  public Optional<DatasetWriting> writing() {
    return Optional.of(new PickleWriting());
  }

  @Override
  public Optional<ProvenanceDocuments> provenance() {
    return Optional.of(new PickleProvenance());
  }
}
