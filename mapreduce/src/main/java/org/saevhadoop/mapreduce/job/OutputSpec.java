package org.saevhadoop.mapreduce.job;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.job.ConversionKeys.Carried;
import org.saevhadoop.mapreduce.job.OutputKeys.Spool;

/**
 * What a job writes.
 *
 * @param format what the format needs: its writing keys, and keys of other formats that set
 *     provenance
 * @param carried what travels from the dataset that a conversion reads, beside the blocks
 * @param settings the keys of any output: side data of other datasets, spool, place
 */
public record OutputSpec(Settings format, Set<Carried> carried, Settings settings) {
  public OutputSpec {
    carried = Set.copyOf(carried);
  }

  /** Reads what a job's configuration says is written. */
  public static OutputSpec fromConf(
      Configuration conf, Collection<? extends SettingKey<?>> formatKeys) {
    List<SettingKey<?>> keys = new ArrayList<>(OutputKeys.all());
    keys.addAll(ConversionKeys.all());
    keys.addAll(formatKeys);
    Settings settings = ConfSettings.read(conf, keys);
    return new OutputSpec(
        settings.only(formatKeys),
        settings.get(ConversionKeys.CARRIED),
        settings.only(OutputKeys.all()));
  }

  /** Writes this to a job's configuration, over whatever it says. */
  public void toConf(Configuration conf) {
    OutputKeys.all().forEach(key -> conf.unset(key.name()));
    ConfSettings.write(settings.and(format).with(ConversionKeys.CARRIED, carried), conf);
  }

  /** Returns whether blocks may wait on the local disk for the order of their file. */
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

  /** Returns what travels with the activations. */
  public Provenance provenance() {
    Provenance provenance = settings.get(OutputKeys.PROVENANCE);
    return provenance == null ? Provenance.NONE : provenance;
  }

  /** Returns settings that say what is written in which shape. */
  public static Settings shape(TableShape table, Geometry geometry, Provenance provenance) {
    Settings shape = Settings.NONE.with(OutputKeys.PROVENANCE, provenance);
    return geometry == null
        ? shape.with(OutputKeys.TABLE, table)
        : shape.with(OutputKeys.GEOMETRY, geometry);
  }

  /** Returns where the finished dataset is moved; null if it stays where it is written. */
  public String publish() {
    return settings.get(OutputKeys.PUBLISH);
  }

  /** Returns whether a dataset that lies there is replaced. */
  public boolean replace() {
    return settings.get(OutputKeys.REPLACE);
  }
}
