package org.saevhadoop.mapreduce.job;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetWriter.Spool;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.job.ConversionKeys.Carried;
import org.saevhadoop.mapreduce.job.OutputKeys.Checksum;

/**
 * The output of a job.
 *
 * @param format the writing keys of the format, and keys of other formats that define provenance
 * @param carried the data that is copied from the source of a conversion in addition to the blocks
 * @param settings the keys of any output: the datasets with labels, sample metadata and ids;
 *     spooling; and the path
 */
public record OutputSpec(Settings format, Set<Carried> carried, Settings settings) {
  public OutputSpec {
    carried = Set.copyOf(carried);
  }

  /**
   * Reads the output that a job's configuration defines.
   *
   * @throws org.saevhadoop.format.settings.SettingException if a value is invalid
   */
  public static OutputSpec fromConf(
      Configuration conf, Collection<? extends SettingKey<?>> formatKeys) {
    List<SettingKey<?>> keys = new ArrayList<>(OutputKeys.all());
    keys.addAll(ConversionKeys.all());
    keys.addAll(formatKeys);
    Settings settings = ConfSettings.read(conf, keys);
    return new OutputSpec(
        settings.only(formatKeys),
        Set.copyOf(settings.get(ConversionKeys.CARRIED)),
        settings.only(OutputKeys.all()));
  }

  /**
   * Writes this output to a job's configuration, and replaces any output that the configuration
   * defined.
   */
  public void toConf(Configuration conf) {
    OutputKeys.all().forEach(key -> conf.unset(key.name()));
    ConfSettings.write(toSettings(), conf);
  }

  /** Returns all settings that define this output. */
  public Settings toSettings() {
    List<Carried> sorted = carried.stream().sorted().toList();
    return settings.and(format).with(ConversionKeys.CARRIED, sorted);
  }

  /** Returns whether blocks may be spooled on the local disk. */
  public Spool spool() {
    return settings.get(OutputKeys.SPOOL);
  }

  /** Returns the shape of the activations that are written; null if it is not set. */
  public Geometry geometry() {
    return settings.get(OutputKeys.GEOMETRY);
  }

  /** Returns the shape of the columns that are written; null if it is not set. */
  public TableShape table() {
    return settings.get(OutputKeys.TABLE);
  }

  /** Returns the provenance that is written with the activations. */
  public Provenance provenance() {
    Provenance provenance = settings.get(OutputKeys.PROVENANCE);
    return provenance == null ? Provenance.NONE : provenance;
  }

  /** Returns settings that define the shape and the provenance of the output. */
  public static Settings shape(
      TableShape table, @Nullable Geometry geometry, Provenance provenance) {
    Settings shape = Settings.NONE.with(OutputKeys.PROVENANCE, provenance);
    return geometry == null
        ? shape.with(OutputKeys.TABLE, table)
        : shape.with(OutputKeys.GEOMETRY, geometry);
  }

  /** Returns the path to which the finished dataset is moved; null if it is not moved. */
  public String publish() {
    return settings.get(OutputKeys.PUBLISH);
  }

  /** Returns whether an existing dataset at the publication path is replaced. */
  public boolean replace() {
    return settings.get(OutputKeys.REPLACE);
  }

  /** Returns whether the files of a folder are forced to the disk when they are closed. */
  public boolean isForced(boolean local) {
    return settings.get(OutputKeys.SYNC).forces(local);
  }

  /** Returns whether closed files are compared with the checksums that their storage keeps. */
  public boolean isCompared() {
    return settings.get(OutputKeys.CHECKSUM) == Checksum.AUTO;
  }

  /**
   * Returns the id of the run that writes the output; null for a job that is not part of a
   * conversion.
   */
  public String run() {
    return settings.get(OutputKeys.RUN);
  }

  /**
   * Returns whether a run writes the dataset directly at its path, under a marker, instead of
   * moving it there.
   */
  public boolean isDirect() {
    return settings.get(OutputKeys.DIRECT);
  }

  /** Returns whether the client publishes the dataset after the job has ended. */
  public boolean isDeferred() {
    return settings.get(OutputKeys.DEFERRED);
  }
}
