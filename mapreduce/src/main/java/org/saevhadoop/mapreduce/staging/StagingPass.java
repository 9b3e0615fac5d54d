package org.saevhadoop.mapreduce.staging;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.StreamAccess.Part;
import org.saevhadoop.format.staged.StagedFolder;
import org.saevhadoop.format.staged.StagedRecord;
import org.saevhadoop.mapreduce.conf.ConfSettings;

/**
 * One pass over the parts of a stream.
 *
 * @param catalogues whether parts are catalogued instead of staged
 * @param compares whether the output is compared with the staged data, and discarded
 * @param parts the numbers of the parts that are read; null for all parts
 * @param files a string that identifies the files of all parts of the stream, whether or not they
 *     are read
 */
record StagingPass(
    boolean catalogues, boolean compares, @Nullable List<Integer> parts, String files) {
  private static final SettingKey<Boolean> CATALOGUES =
      SettingKey.internalFlag("saev.staging.catalogues", "Whether no blocks are staged.");

  private static final SettingKey<Boolean> COMPARES =
      SettingKey.internalFlag("saev.staging.compares", "Whether parts are only compared.");

  private static final SettingKey<List<Integer>> PARTS =
      SettingKey.internal(
          "saev.staging.parts",
          SettingTypes.integers("N,N", "numbers of parts"),
          null,
          "The parts that are staged.");

  private static final SettingKey<String> FILES =
      SettingKey.internalName("saev.staging.files", "The hash of the names of their files.");

  /** The prefix of the record content for a part that was only catalogued. */
  private static final String CATALOGUE = "catalogue";

  /** The prefix of the record content for a part whose blocks were staged. */
  private static final String BLOCKS = "blocks";

  /** Returns the name of a part in records. */
  static String name(Part part) {
    return "%05d".formatted(part.number());
  }

  /** Records the files that this pass has written for a part. */
  void commit(StagedFolder target, Part part) throws IOException {
    target.commit(name(part), (catalogues ? CATALOGUE : BLOCKS) + " " + files);
  }

  /**
   * Returns the pass that catalogues or stages parts for the first time.
   *
   * @param all the parts of the stream
   */
  static StagingPass first(boolean catalogues, List<Part> all) {
    return new StagingPass(catalogues, false, null, files(all));
  }

  /**
   * Returns the pass that reads parts again, to compare them with the staged data.
   *
   * @param all the parts of the stream
   */
  static StagingPass comparison(boolean catalogues, List<Part> all) {
    return new StagingPass(catalogues, true, null, files(all));
  }

  /** Returns whether a record describes a part whose blocks were staged. */
  static boolean isStaged(@Nullable StagedRecord record) {
    return record != null && record.content().startsWith(BLOCKS);
  }

  /** Returns whether a record describes a part that was only catalogued. */
  static boolean isCatalogued(StagedRecord record) {
    return record.content().startsWith(CATALOGUE);
  }

  /** Returns this pass, restricted to the given parts. */
  StagingPass of(List<Part> left) {
    return new StagingPass(catalogues, compares, left.stream().map(Part::number).toList(), files);
  }

  private static String files(List<Part> parts) {
    List<Object> names = new ArrayList<>();
    parts.forEach(part -> names.addAll(List.of(part.files(), part.firstEntry(), part.endEntry())));
    return Integer.toHexString(names.hashCode());
  }

  /**
   * Returns the elements of a list that belong to parts that this pass reads.
   *
   * @param all an element for each part of the stream
   * @param path the source, for messages
   * @throws FormatException if the parts no longer have the same files as when the pass was
   *     planned: if a file is missing, the files after it have different numbers
   */
  <T> List<T> only(List<T> all, Function<T, Part> partOf, String path) throws FormatException {
    check(files(all.stream().map(partOf).toList()), path);
    Set<Integer> numbers = parts == null ? null : new HashSet<>(parts);
    return all.stream()
        .filter(each -> numbers == null || numbers.contains(partOf.apply(each).number()))
        .toList();
  }

  /**
   * Checks that parts were made from a stream with the same files.
   *
   * @param done the records of earlier passes
   */
  void check(Collection<StagedRecord> done, String path) throws FormatException {
    for (StagedRecord record : done) {
      if (isStaged(record) || isCatalogued(record)) {
        check(record.content().substring(record.content().indexOf(' ') + 1), path);
      }
    }
  }

  private void check(String found, String path) throws FormatException {
    FileError.READ_FAILED.check(
        files.equals(found),
        path,
        "has files other than those that were counted (expected no change until they are"
            + " unpacked)");
  }

  static StagingPass fromConf(Configuration conf) {
    return of(ConfSettings.read(conf, List.of(CATALOGUES, COMPARES, PARTS, FILES)));
  }

  static StagingPass of(Settings settings) {
    return new StagingPass(
        settings.get(CATALOGUES), settings.get(COMPARES), settings.get(PARTS), settings.get(FILES));
  }

  Settings toSettings() {
    Settings settings =
        Settings.NONE.with(CATALOGUES, catalogues).with(COMPARES, compares).with(FILES, files);
    return parts == null ? settings : settings.with(PARTS, parts);
  }
}
