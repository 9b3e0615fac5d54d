package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.normalize.Normalization;
import org.saevhadoop.format.normalize.NormalizeBy;
import org.saevhadoop.format.normalize.NormalizeError;
import org.saevhadoop.format.normalize.StatisticsFile;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.job.ConversionKeys;

/** The normalization of the selected part of a source. */
public final class SourceNormalization {
  private SourceNormalization() {}

  /**
   * Returns a request for a source, normalized if settings ask for it.
   *
   * @throws SettingException if settings are missing
   * @throws FormatException if the file does not contain statistics, or tasks cannot read it
   */
  static SourceRequest request(SourceRequest source, Settings settings, JobRunner runner)
      throws IOException {
    checkComplete(settings);
    if (!settings.isSet(ConversionKeys.NORMALIZE)
        || source.spec().dtypes().normalization() != null) {
      return source;
    }
    StoragePath file = runner.path(settings.get(ConversionKeys.NORMALIZE));
    NormalizeError.NOT_SHARED.check(
        runner.isInProcess() || !file.isLocal() || source.source().isLocal(),
        file.shown(),
        "is on a local disk, which tasks of the cluster cannot read (expected a path on the storage"
            + " of the source)");
    NormalizeBy by = settings.get(ConversionKeys.NORMALIZE_BY);
    StatisticsFile read = StatisticsFile.read(file.locate(), runner.formats().vectorTensors());
    return source.with(source.spec().dtypes().with(read.by(by, file.qualified())));
  }

  private static void checkComplete(Settings settings) {
    boolean isAsked = settings.isSet(ConversionKeys.NORMALIZE);
    for (SettingKey<?> key : ConversionKeys.normalization()) {
      if (!isAsked && settings.isSet(key)) {
        throw new SettingException(
            settings.nameOf(key) + " is set without a file of statistics (expected --normalize)");
      }
    }
    if (isAsked && !settings.isSet(ConversionKeys.NORMALIZE_BY)) {
      throw new SettingException(
          settings.nameOf(ConversionKeys.NORMALIZE)
              + " does not say how (expected --normalize-by scale, center or center-scale)");
    }
  }

  private static @Nullable Normalization of(OpenedSource source) {
    return source.spec().dtypes().normalization();
  }

  /**
   * Checks that the selected part of a source can be normalized, if that is requested.
   *
   * @param again whether the source may already have been normalized
   */
  public static void check(OpenedSource source, boolean again) throws FormatException {
    Normalization asked = of(source);
    if (asked == null) {
      return;
    }
    asked.check(source.dataset().requireActivations());
    if (!again) {
      Normalization.checkFirst(
          source.whole().requireActivations().activations().provenance(),
          source.request().source().shown());
    }
  }

  /** Returns the provenance of a whole source, with the normalization of the selected part. */
  public static Provenance provenance(OpenedSource source) throws FormatException {
    if (!(source.whole() instanceof ActivationDataset whole)) {
      return Provenance.NONE;
    }
    Provenance stored = whole.activations().provenance();
    Normalization asked = of(source);
    return asked == null
        ? stored
        : source.runner().formats().normalize(asked.record(stored), stored);
  }

  /** Returns descriptions of the changes to the values, for the user. */
  public static List<String> changes(OpenedSource source) {
    Normalization asked = of(source);
    return asked == null
        ? List.of()
        : List.of(
            "vectors are normalized (%s) by the statistics with the SHA-256 %s"
                .formatted(asked.by(), asked.sha256()));
  }
}
