package org.saevhadoop.mapreduce.output;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.padding.PaddingMask;
import org.saevhadoop.format.samples.LazySampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.spi.FormatRegistry;
import org.saevhadoop.format.spi.WriteContext;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenSampleMetadata;
import org.saevhadoop.mapreduce.job.ConversionKeys.Carried;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.job.OutputSpec;

/**
 * The output of a job. Labels, sample metadata and ids are read from the source of the conversion,
 * or from datasets that settings name.
 *
 * @param directory the path at which the dataset will be published
 * @param source opens the source of the conversion
 * @param others opens the datasets that settings name
 */
public record JobWriteContext(
    FormatRegistry formats,
    OutputSpec spec,
    String directory,
    Io.Supplier<TableDataset> source,
    OtherOpener others)
    implements WriteContext {
  /** Opens datasets other than the source. */
  @FunctionalInterface
  public interface OtherOpener {
    /**
     * Opens a dataset.
     *
     * @param format the class name of the input format that reads the dataset
     * @throws ClassCastException if the class is not an input format of this project
     */
    TableDataset open(String path, String format) throws IOException, ClassNotFoundException;
  }

  /** Returns a supplier that opens the source of a conversion when it is first called. */
  static Io.Supplier<TableDataset> once(Io.Supplier<TableDataset> opener) {
    AtomicReference<TableDataset> opened = new AtomicReference<>();
    return () -> {
      TableDataset known = opened.get();
      TableDataset dataset = known == null ? opener.get() : known;
      opened.set(dataset);
      return dataset;
    };
  }

  public JobWriteContext {
    directory = directory.replaceFirst("^file:(//)?(?=/)", "");
  }

  /** Opens the dataset named by one setting, with the input format named by another. */
  private TableDataset openOther(SettingKey<String> dataset, SettingKey<String> typeKey)
      throws IOException {
    String type = spec.settings().get(typeKey);
    try {
      return others.open(spec.settings().get(dataset), type);
    } catch (ClassNotFoundException | ClassCastException e) {
      throw new SettingException(
          "%s is \"%s\" (expected %s)".formatted(typeKey, type, typeKey.type().expected()), e);
    }
  }

  @Override
  public TableShape table() throws IOException {
    Geometry geometry = geometry();
    TableShape table = geometry == null ? spec.table() : geometry.table();
    if (table == null) {
      throw new SettingException(
          "neither %s nor %s nor provenance that defines it is set (one must define the shape of the"
                  .formatted(OutputKeys.GEOMETRY, OutputKeys.TABLE)
              + " dataset)");
    }
    return table;
  }

  @Override
  public @Nullable Geometry geometry() throws IOException {
    if (spec.table() != null) {
      return null;
    }
    return spec.geometry() == null ? formats.geometry(provenance()).orElse(null) : spec.geometry();
  }

  @Override
  public Provenance provenance() {
    Provenance provenance = spec.provenance();
    for (var document : formats.provenance(spec.format()).documents().entrySet()) {
      if (provenance.document(document.getKey()).isEmpty()) {
        provenance = provenance.with(document.getKey(), document.getValue());
      }
    }
    return provenance;
  }

  @Override
  public Optional<LabelSource> labels(Geometry written) throws IOException {
    if (isSet(OutputKeys.LABELS)) {
      return labels(openOther(OutputKeys.LABELS, OutputKeys.LABELS_FORMAT), written);
    }
    return spec.carried().contains(Carried.LABELS)
        ? labels(source.get(), written)
        : Optional.empty();
  }

  private static Optional<LabelSource> labels(TableDataset dataset, Geometry written)
      throws IOException {
    if (dataset instanceof ActivationDataset activations) {
      return Optional.of(LabelSource.of(activations, written));
    }
    throw DatasetError.NO_ACTIVATIONS.in(
        dataset.path(), "contains no activations (expected some with labels)");
  }

  private boolean hasSampleMetadata() {
    return isSet(OutputKeys.SAMPLE_METADATA) || spec.carried().contains(Carried.SAMPLE_METADATA);
  }

  @Override
  public SampleMetadata sampleMetadata() {
    return hasSampleMetadata() || spec.carried().contains(Carried.TOKEN_METADATA)
        ? new LazySampleMetadata(this::openSampleMetadata)
        : SampleMetadata.NONE;
  }

  private SampleMetadata openSampleMetadata() throws IOException {
    SampleMetadata own =
        hasSampleMetadata()
            ? sampleMetadataSource().sampleMetadata().orElse(SampleMetadata.NONE)
            : SampleMetadata.NONE;
    if (!spec.carried().contains(Carried.TOKEN_METADATA)) {
      return own;
    }
    TableDataset dataset = source.get();
    return new TokenSampleMetadata(
        own,
        dataset.requireActivations().tokenArrays(),
        dataset.path(),
        dataset.table().examples());
  }

  @Override
  public TokenArrays tokenArrays() throws IOException {
    if (spec.carried().contains(Carried.PADDING)) {
      return new PaddingMask(source.get().requireActivations());
    }
    return spec.carried().contains(Carried.TOKEN_ARRAYS)
        ? source.get().requireActivations().tokenArrays()
        : TokenArrays.NONE;
  }

  private TableDataset sampleMetadataSource() throws IOException {
    return isSet(OutputKeys.SAMPLE_METADATA)
        ? openOther(OutputKeys.SAMPLE_METADATA, OutputKeys.SAMPLE_METADATA_FORMAT)
        : source.get();
  }

  /**
   * Checks that there is sample metadata for at least as many examples as are written.
   *
   * @throws FormatException if there is metadata for fewer examples
   */
  public void checkSampleMetadata(TableShape written) throws IOException {
    if (hasSampleMetadata()) {
      TableDataset dataset = sampleMetadataSource();
      DatasetError.SAMPLE_METADATA_MISMATCH.check(
          dataset.table().examples() >= written.examples(),
          dataset.path(),
          "has sample metadata for %d examples (expected %d, the number of examples to be written)",
          dataset.table().examples(),
          written.examples());
    }
  }

  @Override
  public Optional<ExampleIds> ids() throws IOException {
    if (!isSet(OutputKeys.IDS)) {
      return spec.carried().contains(Carried.IDS) ? source.get().ids() : Optional.empty();
    }
    TableDataset dataset = openOther(OutputKeys.IDS, OutputKeys.IDS_FORMAT);
    DatasetError.IDS_MISMATCH.check(
        dataset.ids().isPresent() && dataset.table().examples() >= table().examples(),
        dataset.path(),
        "has %s for %d examples (expected ids for %d, the number of examples to be written)",
        dataset.ids().isPresent() ? "ids" : "no ids",
        dataset.table().examples(),
        table().examples());
    return dataset.ids();
  }

  private boolean isSet(SettingKey<?> key) {
    return spec.settings().isSet(key);
  }
}
