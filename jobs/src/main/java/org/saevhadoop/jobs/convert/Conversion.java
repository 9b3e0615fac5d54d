package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.Internal;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.jobs.digest.DatasetDigest;
import org.saevhadoop.jobs.plan.Verb;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.SettingSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.DTypeRequest;
import org.saevhadoop.mapreduce.job.InputKeys;
import org.saevhadoop.mapreduce.job.OutputKeys;

/**
 * Converts a dataset, or the part that the {@code saev.input.*} keys select, into another format.
 *
 * <pre>{@code
 * Configuration conf = new Configuration();
 * conf.setBoolean("saev.convert.verify", true); // compares what was written with the source
 * RunListener listener =
 *     new RunListener() {
 *       @Override
 *       public void progress(RunningJob job, long done, long total) {
 *         System.out.printf("%s: %d of %d bytes%n", job.step(), done, total);
 *       }
 *     };
 * Conversion.Result written = Conversion.of(source, target, "safetensors", conf).run(listener);
 * DatasetDigest digest = Digest.of(written.path(), conf).run(listener);
 * }</pre>
 *
 * @param source the path of the dataset
 * @param destination the path to write to, or the path below which the format writes
 * @param format the name of the format that is written
 * @param digest whether the digest of the result is requested
 * @param settings the values that the user has set for configuration keys
 * @param conf the configuration of file systems and jobs
 */
@PublicApi
public record Conversion(
    String source,
    String destination,
    String format,
    boolean digest,
    SettingSource settings,
    @Nullable Configuration conf)
    implements Verb<Conversion.Result> {
  /** The keys that a conversion sets itself, so users must not set them. */
  private static final List<SettingKey<?>> REFUSED =
      List.of(InputKeys.RECORD, InputKeys.ORDER, InputKeys.GROUP);

  /**
   * The result of a conversion.
   *
   * @param path the path of the dataset that was written
   * @param geometry the shape of the dataset; null if it has columns that are not activations
   * @param files the plan of its files
   * @param digest the digest of the dataset; null if no digest was requested
   */
  public record Result(
      String path, @Nullable Geometry geometry, WritePlan files, @Nullable DatasetDigest digest) {
    /**
     * Creates a result.
     *
     * @hidden
     */
    @Internal
    public Result {}

    /**
     * Returns the plan of the files.
     *
     * @hidden
     */
    @Internal
    @Override
    public WritePlan files() {
      return files;
    }
  }

  /**
   * Creates a conversion with settings that do not come from the configuration.
   *
   * @hidden
   */
  @Internal
  public Conversion {}

  /**
   * Returns the values that the user has set for configuration keys.
   *
   * @hidden
   */
  @Internal
  @Override
  public SettingSource settings() {
    return settings;
  }

  /**
   * Returns a conversion with the settings that a configuration contains (docs/configuration.md).
   */
  public static Conversion of(
      String source, String destination, String format, @Nullable Configuration conf) {
    return new Conversion(source, destination, format, false, SettingSource.CONFIGURATION, conf);
  }

  /** Returns the same conversion with the digest in its result. */
  public Conversion withDigest() {
    return new Conversion(source, destination, format, true, settings, conf);
  }

  /** Returns the same conversion to another path. */
  public Conversion to(String other) {
    return new Conversion(source, other, format, digest, settings, conf);
  }

  /**
   * @hidden
   */
  @Internal
  @Override
  public List<SourceRequest> sources(JobRunner runner) throws IOException {
    writing(written(runner), runner); // a mistake in settings comes before one in the source
    return List.of(SourceRequest.of(source, settings, runner));
  }

  /**
   * {@inheritDoc} Nothing is left at the destination unless the dataset is complete.
   *
   * @hidden
   */
  @Internal
  @Override
  public DatasetConversion prepare(List<SourceRequest> sources, JobRunner runner)
      throws IOException {
    DatasetFormat to = written(runner);
    Settings writing = writing(to, runner);
    SourceRequest request = SourceNormalization.request(sources.get(0), writing, runner);
    checkTypes(request.spec().dtypes(), to, runner.configured());
    return DatasetConversion.of(request, to, destination, writing, digest, runner);
  }

  /**
   * Returns a request for a source, normalized if the settings ask for it.
   *
   * @hidden
   */
  @Internal
  public SourceRequest normalized(SourceRequest source, JobRunner runner) throws IOException {
    return SourceNormalization.request(source, writing(written(runner), runner), runner);
  }

  /**
   * Returns whether the format that is written keeps the stored type of vectors.
   *
   * @hidden
   */
  @Internal
  public boolean keepsStoredType(DType stored, JobRunner runner) {
    DatasetFormat to = written(runner);
    return to.requireWriting().keepsStoredTypes(writing(to, runner), List.of(stored), false);
  }

  /**
   * Returns whether the name of the dataset depends on its source, as it records the source.
   *
   * @hidden
   */
  @Internal
  public boolean recordsSource(JobRunner runner) {
    return written(runner).requireWriting().recordsSelections();
  }

  private DatasetFormat written(JobRunner runner) {
    return named(format, runner.formats().writable());
  }

  /** Returns the settings of the output. */
  private Settings writing(DatasetFormat to, JobRunner runner) {
    Configuration configured = runner.configured();
    for (SettingKey<?> key : REFUSED) {
      if (configured != null && configured.getRaw(key.name()) != null) {
        throw new SettingException(
            key + " is set, which convert decides itself (expected no value)");
      }
    }
    Settings writing = settings.settings(configured, writingKeys(to));
    to.requireWriting().checkSettings(writing.only(to.requireWriting().writingKeys()));
    return writing;
  }

  /**
   * Returns the keys that affect the output in a format.
   *
   * @hidden
   */
  @Internal
  public static List<SettingKey<?>> writingKeys(DatasetFormat to) {
    List<SettingKey<?>> keys = new ArrayList<>(to.requireWriting().writingKeys());
    keys.addAll(OutputKeys.all());
    keys.addAll(ConversionKeys.all());
    return keys;
  }

  private static DatasetFormat named(String name, List<DatasetFormat> formats) {
    return formats.stream()
        .filter(entry -> entry.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new SettingException(
                    "unknown format \"%s\" (expected one of %s)"
                        .formatted(name, formats.stream().map(DatasetFormat::name).toList())));
  }

  private void checkTypes(DTypeRequest types, DatasetFormat to, @Nullable Configuration read) {
    Set<DType> wanted = new LinkedHashSet<>(types.own().values());
    if (types.all() != null) {
      wanted.add(types.all());
    }
    wanted.removeAll(to.requireWriting().writableTypes());
    if (!wanted.isEmpty()) {
      Settings typed = settings.settings(read, List.of(InputKeys.DTYPE));
      throw new SettingException(
          "%s is %s, which %s cannot hold (expected %s)"
              .formatted(
                  typed.nameOf(InputKeys.DTYPE),
                  wanted.iterator().next(),
                  to.name(),
                  EnumSet.copyOf(to.requireWriting().writableTypes())));
    }
  }
}
