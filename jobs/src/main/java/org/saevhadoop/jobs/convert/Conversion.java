package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.jobs.digest.DatasetDigest;
import org.saevhadoop.jobs.plan.RunPlan;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.source.SettingSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.DTypeRequest;
import org.saevhadoop.mapreduce.job.InputKeys;
import org.saevhadoop.mapreduce.job.OutputKeys;

/**
 * Converts a dataset, or the part of it that {@code saev.input.*} select, into another format.
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
 * @param destination the path to write, or below which the format writes
 * @param format the name of the format that is written
 * @param digest whether the digest of what was written is requested
 * @param settings the values that the user has given to keys
 * @param conf the configuration of file systems and jobs
 */
public record Conversion(
    String source,
    String destination,
    String format,
    boolean digest,
    SettingSource settings,
    Configuration conf) {
  /** The keys that a conversion sets itself, so users must not set them. */
  private static final List<SettingKey<?>> REFUSED =
      List.of(InputKeys.RECORD, InputKeys.ORDER, InputKeys.GROUP);

  /**
   * The result of a conversion.
   *
   * @param path the path of the dataset that was written
   * @param geometry its shape; null if it has columns that are not activations
   * @param files the plan of its files
   * @param digest its digest; null if that was not requested
   */
  public record Result(
      String path, @Nullable Geometry geometry, WritePlan files, @Nullable DatasetDigest digest) {}

  /**
   * Returns a conversion with the settings that a configuration contains (docs/configuration.md).
   */
  public static Conversion of(
      String source, String destination, String format, Configuration conf) {
    return new Conversion(source, destination, format, false, SettingSource.CONFIGURATION, conf);
  }

  /** Returns the same conversion to another path. */
  public Conversion to(String other) {
    return new Conversion(source, other, format, digest, settings, conf);
  }

  /**
   * Runs the conversion. Nothing is left at the destination unless the dataset is complete.
   *
   * @throws SettingException if a setting is invalid
   * @throws IOException if the source is malformed, the destination cannot be written, or a job
   *     fails; the message is one line
   * @throws InterruptedException if the thread is interrupted; jobs have been killed
   */
  public Result run(RunListener listener) throws IOException, InterruptedException {
    return JobRunner.call(conf, listener, runner -> resolve(runner).run());
  }

  /**
   * Returns what {@link #run} would do, after the same checks. Nothing is written, and no job is
   * submitted.
   *
   * @throws SettingException if a setting is invalid
   * @throws IOException if the conversion would fail before its first job
   */
  public RunPlan plan(RunListener listener) throws IOException, InterruptedException {
    return JobRunner.call(conf, listener, runner -> resolve(runner).plan());
  }

  /**
   * Checks the settings and finds the source.
   *
   * @throws SettingException if a setting is invalid
   */
  public DatasetConversion resolve(JobRunner runner) throws IOException {
    DatasetFormat to = named(format, runner.formats().writable());
    Settings writing = writing(to, runner);
    return of(SourceRequest.of(source, settings, runner), to, writing, runner);
  }

  /**
   * Checks the settings of a conversion whose source has been found.
   *
   * @throws SettingException if a setting is invalid
   */
  public DatasetConversion resolve(SourceRequest found, JobRunner runner) throws IOException {
    DatasetFormat to = named(format, runner.formats().writable());
    return of(found, to, writing(to, runner), runner);
  }

  private DatasetConversion of(
      SourceRequest request, DatasetFormat to, Settings writing, JobRunner runner)
      throws IOException {
    checkTypes(request.spec().dtypes(), to, runner.conf());
    return new DatasetConversion(request, to, destination, writing, digest, runner);
  }

  /** Returns the settings of what is written. */
  private Settings writing(DatasetFormat to, JobRunner runner) {
    for (SettingKey<?> key : REFUSED) {
      if (runner.conf().getRaw(key.name()) != null) {
        throw new SettingException(
            key + " is set, which convert decides itself (expected no value)");
      }
    }
    Settings writing = settings.settings(runner.conf(), writingKeys(to));
    to.requireWriting().checkSettings(writing.only(to.requireWriting().writingKeys()));
    return writing;
  }

  /** Returns the keys that have an effect on what is written in a format. */
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

  private void checkTypes(DTypeRequest types, DatasetFormat to, Configuration read) {
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
