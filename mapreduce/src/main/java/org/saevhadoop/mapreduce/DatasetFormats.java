package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.mapreduce.InputFormat;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.DatasetIdentity;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.projection.Projection;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.job.ContactKeys;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.DigestKeys;
import org.saevhadoop.mapreduce.job.InputKeys;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.job.PlanningKeys;
import org.saevhadoop.mapreduce.output.ActivationOutputFormat;
import org.saevhadoop.mapreduce.pickle.PickleFormat;
import org.saevhadoop.mapreduce.saev.SaevFormat;
import org.saevhadoop.mapreduce.safetensors.SafetensorsFormat;
import org.saevhadoop.mapreduce.samediff.SameDiffFormat;
import org.saevhadoop.mapreduce.spi.DatasetFormat;
import org.saevhadoop.mapreduce.spi.FormatEvidence;
import org.saevhadoop.mapreduce.spi.FormatRegistry;
import org.saevhadoop.mapreduce.spi.ModelName;

/** The list of dataset formats. A new format is added here. */
public final class DatasetFormats {
  /**
   * A format and its Hadoop classes.
   *
   * @param format the format
   * @param input the class that reads its files: blocks, or the arrays of files that are streams
   * @param output the class that writes it
   */
  public record Entry(
      DatasetFormat format,
      Class<? extends InputFormat<ActivationKey, ActivationWritable>> input,
      Class<? extends ActivationOutputFormat> output) {
    /** Returns the name of the format. */
    public String name() {
      return format.name();
    }
  }

  private static final List<Entry> ALL =
      List.of(
          new Entry(new SaevFormat(), SaevInputFormat.class, SaevOutputFormat.class),
          new Entry(
              new SafetensorsFormat(), SafetensorsInputFormat.class, SafetensorsOutputFormat.class),
          new Entry(
              new PickleFormat(),
              ActivationPickleInputFormat.class,
              ActivationPickleOutputFormat.class),
          new Entry(
              new SameDiffFormat(DatasetFormats::clsTokens),
              SameDiffInputFormat.class,
              SameDiffOutputFormat.class));

  private static final int MAX_HINTS = 3;

  private static final FormatRegistry REGISTRY =
      new FormatRegistry() {
        @Override
        public Optional<DatasetFormat> format(String name) {
          return named(name).map(Entry::format);
        }

        @Override
        public DatasetFormat detect(Location location) throws IOException {
          return DatasetFormats.detect(location).format();
        }

        @Override
        public Set<SettingKey<?>> writingKeys() {
          return DatasetFormats.writingKeys();
        }

        @Override
        public OptionalInt clsTokens(Provenance provenance) throws FormatException {
          return DatasetFormats.clsTokens(provenance);
        }

        @Override
        public Optional<DatasetIdentity> identity(Provenance provenance) throws FormatException {
          return DatasetFormats.identity(provenance);
        }

        @Override
        public Optional<Geometry> geometry(Provenance provenance) throws FormatException {
          return DatasetFormats.geometry(provenance);
        }

        @Override
        public Provenance provenance(Settings settings) {
          return DatasetFormats.provenance(settings);
        }
      };

  private DatasetFormats() {}

  /** Returns all formats. */
  public static List<Entry> all() {
    return ALL;
  }

  /** Returns the format with a name, ignoring case, if there is one. */
  public static Optional<Entry> named(String name) {
    return ALL.stream().filter(entry -> entry.name().equalsIgnoreCase(name)).findFirst();
  }

  /** Returns the names of all formats. */
  public static List<String> names() {
    return ALL.stream().map(Entry::name).toList();
  }

  /**
   * Returns the format of the dataset at a location.
   *
   * @throws FormatException if the location matches no format
   */
  public static Entry detect(Location location) throws IOException {
    Entry best = null;
    FormatEvidence most = FormatEvidence.NONE;
    for (Entry entry : ALL) {
      FormatEvidence evidence = entry.format().detect(location);
      if (evidence.compareTo(most) > 0) {
        best = entry;
        most = evidence;
      }
    }
    if (best != null) {
      return best;
    }
    String expected =
        ALL.stream().map(entry -> entry.format().expected()).collect(Collectors.joining(", "));
    List<String> below = below(location);
    throw DatasetError.UNKNOWN_FORMAT.in(
        location.path(),
        "has an unknown format (expected %s%s)",
        expected,
        below.isEmpty() ? "" : "; there are datasets below it: " + below);
  }

  /** Returns paths of datasets in a folder that is not a dataset itself, for an error message. */
  private static List<String> below(Location location) throws IOException {
    List<String> found = new ArrayList<>();
    if (!location.isFile()) {
      for (Entry entry : ALL) {
        for (String path : entry.format().findBelow(location)) {
          if (found.size() < MAX_HINTS && !found.contains(path)) {
            found.add(path);
          }
        }
      }
    }
    return found;
  }

  /** Returns all keys of this project. */
  public static Set<SettingKey<?>> keys() {
    Set<SettingKey<?>> keys = new LinkedHashSet<>(InputKeys.all());
    ALL.forEach(entry -> keys.addAll(entry.format().readingKeys()));
    keys.addAll(OutputKeys.all());
    ALL.forEach(entry -> keys.addAll(entry.format().writingKeys()));
    keys.addAll(ConversionKeys.all());
    keys.addAll(PlanningKeys.all());
    keys.addAll(ContactKeys.all());
    keys.addAll(DigestKeys.all());
    return keys;
  }

  /**
   * Returns the writing keys of all formats: a value that is set for one format may be carried in
   * the provenance of another.
   */
  private static Set<SettingKey<?>> writingKeys() {
    return ALL.stream()
        .flatMap(entry -> entry.format().writingKeys().stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Returns all formats together. */
  public static FormatRegistry registry() {
    return REGISTRY;
  }

  /** Returns the identity of a dataset, if a format has recorded it. */
  private static Optional<DatasetIdentity> identity(Provenance provenance) throws FormatException {
    for (Entry entry : ALL) {
      Optional<DatasetIdentity> known = entry.format().identity(provenance);
      if (known.isPresent()) {
        return known;
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the number of [CLS] tokens, if a format has recorded it.
   *
   * @throws FormatException if a document of the provenance is malformed
   */
  public static OptionalInt clsTokens(Provenance provenance) throws FormatException {
    for (Entry entry : ALL) {
      OptionalInt known = entry.format().clsTokens(provenance);
      if (known.isPresent()) {
        return known;
      }
    }
    return OptionalInt.empty();
  }

  /**
   * Returns the model, with the fields that formats have recorded.
   *
   * @throws FormatException if a document of the provenance is malformed
   */
  public static ModelName model(Provenance provenance) throws FormatException {
    ModelName known = ModelName.UNKNOWN;
    for (Entry entry : ALL) {
      known = known.or(entry.format().model(provenance).orElse(ModelName.UNKNOWN));
    }
    return known;
  }

  /** Returns the shape in provenance, if a format has recorded one. */
  private static Optional<Geometry> geometry(Provenance provenance) throws FormatException {
    for (Entry entry : ALL) {
      Optional<Geometry> known = entry.format().geometry(provenance);
      if (known.isPresent()) {
        return known;
      }
    }
    return Optional.empty();
  }

  /** Returns the provenance that settings of any format define. */
  private static Provenance provenance(Settings settings) {
    Provenance all = Provenance.NONE;
    for (Entry entry : ALL) {
      for (var document : entry.format().provenance(settings).documents().entrySet()) {
        all = all.with(document.getKey(), document.getValue());
      }
    }
    return all;
  }

  /**
   * Returns the provenance of a part of a dataset.
   *
   * @throws FormatException if a document of the provenance is malformed
   */
  public static Provenance select(ActivationDataset whole, Projection part) throws FormatException {
    Provenance provenance = whole.activations().provenance();
    for (Entry entry : ALL) {
      provenance = entry.format().select(whole, part, provenance);
    }
    return provenance;
  }
}
