package org.saevhadoop.mapreduce.staging;

import java.io.IOException;
import java.util.ArrayList;
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
import org.saevhadoop.mapreduce.conf.ConfSettings;

/**
 * One pass over the parts of a stream.
 *
 * @param catalogues whether parts are catalogued and not staged
 * @param compares whether what is written is compared with what is staged, and discarded
 * @param parts the numbers of the parts that are read; null for all parts
 * @param files identifies the files of these parts; empty for all parts
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

  /** The content of a part that was only catalogued. */
  static final String CATALOGUE = "catalogue";

  /** The content of a part whose blocks were staged. */
  static final String BLOCKS = "blocks";

  /** Returns the name of a part in records. */
  static String name(Part part) {
    return "%05d".formatted(part.number());
  }

  /** Records what a pass has written of a part. */
  static void commit(StagedFolder files, Part part, boolean catalogues) throws IOException {
    files.commit(name(part), catalogues ? CATALOGUE : BLOCKS);
  }

  /** Returns the pass that catalogues or stages parts for the first time. */
  static StagingPass first(boolean catalogues) {
    return new StagingPass(catalogues, false, null, "");
  }

  /** Returns the pass that reads parts again, to compare them with what is staged. */
  static StagingPass comparison(boolean catalogues) {
    return new StagingPass(catalogues, true, null, "");
  }

  /** Returns the pass over some parts only. */
  StagingPass of(List<Part> left) {
    List<Integer> numbers = left.stream().map(Part::number).toList();
    return new StagingPass(catalogues, compares, numbers, files(left));
  }

  private static String files(List<Part> parts) {
    List<Object> names = new ArrayList<>();
    parts.forEach(part -> names.addAll(List.of(part.files(), part.firstEntry(), part.endEntry())));
    return Integer.toHexString(names.hashCode());
  }

  /**
   * Returns the elements of a list whose parts are read.
   *
   * @param path the source, for messages
   * @throws FormatException if they do not have the files that they had when the pass was planned:
   *     without a file, those behind it have other numbers
   */
  <T> List<T> only(List<T> all, Function<T, Part> partOf, String path) throws FormatException {
    Set<Integer> numbers = parts == null ? null : new HashSet<>(parts);
    List<T> read =
        all.stream()
            .filter(each -> numbers == null || numbers.contains(partOf.apply(each).number()))
            .toList();
    FileError.READ_FAILED.check(
        files.isEmpty() || files.equals(files(read.stream().map(partOf).toList())),
        path,
        "has other files than when they were counted (expected the same until they are unpacked)");
    return read;
  }

  static StagingPass fromConf(Configuration conf) {
    return of(ConfSettings.read(conf, List.of(CATALOGUES, COMPARES, PARTS, FILES)));
  }

  static StagingPass of(Settings settings) {
    return new StagingPass(
        settings.get(CATALOGUES),
        settings.get(COMPARES),
        settings.get(PARTS),
        settings.isSet(FILES) ? settings.get(FILES) : "");
  }

  Settings toSettings() {
    Settings settings = Settings.NONE.with(CATALOGUES, catalogues).with(COMPARES, compares);
    return parts == null ? settings : settings.with(PARTS, parts).with(FILES, files);
  }
}
