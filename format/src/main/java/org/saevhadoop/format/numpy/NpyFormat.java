package org.saevhadoop.format.numpy;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.saevhadoop.format.arrays.ArrayDataset;
import org.saevhadoop.format.arrays.format.ArrayFormat;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.arrays.proposal.ArrayProposals;
import org.saevhadoop.format.arrays.proposal.ArrayProposals.Variant;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.SampleMetadataCheck;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.numpy.dataset.ArraysDocument;
import org.saevhadoop.format.numpy.dataset.ArraysTable;
import org.saevhadoop.format.numpy.file.NumpyReader;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetWriting;
import org.saevhadoop.format.spi.FileMerge;
import org.saevhadoop.format.spi.FormatEvidence;
import org.saevhadoop.format.spi.StreamAccess;
import org.saevhadoop.format.tensor.DType;

/**
 * The format of numpy arrays: .npy and .npz files, and memory maps with a .meta document. A dataset
 * that has .npz files with compressed arrays is read as a stream.
 */
public final class NpyFormat extends ArrayFormat {
  public static final SettingKey<Optional<DType>> STORED_AS =
      SettingKey.of(
              "saev.input.dtype.stored",
              SettingTypes.orWord("same", SettingTypes.choice(DType.class)),
              "same",
              "The type of the values in arrays of two-byte integers, or of the type V2 that numpy"
                  + " shows for bfloat16, such as BF16.")
          .option("--dtype-stored");

  @Override
  public String name() {
    return "npy";
  }

  @Override
  public String expected() {
    return "*.npy, *.npz, *.memmap";
  }

  @Override
  public FormatEvidence detect(Location location) throws IOException {
    if (ArraysTable.isAt(location)) {
      return FormatEvidence.CERTAIN;
    }
    FormatEvidence evidence = super.detect(location);
    return evidence == FormatEvidence.NONE ? PickleEvidence.of(location) : evidence;
  }

  /**
   * Includes pickles, which are not typical files of this format because any program can have
   * written them.
   */
  @Override
  public boolean isArrayFile(String file) {
    return super.isArrayFile(file) || NumpyReader.isPickle(file);
  }

  @Override
  public boolean isPart(String file) {
    return file.equals(ArraysDocument.NAME);
  }

  /** Opens the dataset that a document describes; otherwise, opens arrays. */
  @Override
  public TableDataset open(Location location, Settings settings, ProvenanceReader provenance)
      throws IOException {
    if (!isDocumented(location, settings)) {
      return ArrayKeys.open(location, reader(settings).inPlace(), settings);
    }
    return ArraysTable.open(location, ArrayKeys.mappings(settings), provenance).asActivations();
  }

  static boolean isDocumented(Location location, Settings settings) throws IOException {
    return ArraysTable.isAt(location) && !ArrayKeys.isLayout(settings);
  }

  @Override
  public List<FormatException> check(
      Location location, Settings settings, ProvenanceReader provenance, Consumer<String> warnings)
      throws IOException {
    if (!isDocumented(location, settings)) {
      return super.check(location, settings, provenance, warnings);
    }
    try {
      ArraysTable table = ArraysTable.open(location, ArrayKeys.mappings(settings), provenance);
      table.checkFiles();
      return SampleMetadataCheck.problems(table);
    } catch (FormatException e) {
      return List.of(e);
    }
  }

  @Override
  protected NumpyReader reader(Settings settings) {
    return new NumpyReader(settings.get(STORED_AS).orElse(null)).raw(settings.get(NumpyKeys.RAW));
  }

  /** Opens arrays in .npz files, but without their values if these are compressed. */
  @Override
  protected ActivationDataset headers(
      Location location, Settings settings, ProvenanceReader provenance) throws IOException {
    return isDocumented(location, settings)
        ? super.headers(location, settings, provenance)
        : headers(location, settings);
  }

  ActivationDataset headers(Location location, Settings settings) throws IOException {
    return ArrayDataset.open(location, reader(settings), ArrayKeys.options(settings));
  }

  @Override
  public Optional<StreamAccess> stream() {
    return Optional.of(new NumpyStream(this));
  }

  @Override
  protected List<Variant> variants() {
    return List.of(
        new Variant(new NumpyReader(null), false, Set.of(ArraysDocument.NAME)),
        new Variant(
            new NumpyReader(DType.BF16),
            List.of("--dtype-stored", DType.BF16.name()),
            "whether the two-byte values, which have no type of floats, are bfloat16",
            false,
            Set.of(ArraysDocument.NAME)));
  }

  @Override
  public Optional<FileMerge> merging() {
    return Optional.of(new NpyMerge());
  }

  @Override
  public Optional<DatasetWriting> writing() {
    return Optional.of(new NumpyWriting());
  }

  @Override
  protected List<SettingKey<?>> ownKeys() {
    return List.of(STORED_AS, NumpyKeys.RAW);
  }

  @Override
  public List<SettingKey<?>> decidingKeys() {
    return List.of(NumpyKeys.RAW);
  }

  @Override
  public Optional<ArrayProposals> propose(Location location) throws IOException {
    Optional<ArrayProposals> found =
        location.isFile() && detect(location) == FormatEvidence.NONE
            ? Optional.empty()
            : ArrayProposals.of(location, variants());
    return found.isPresent() ? found : RawProposals.of(location);
  }
}
