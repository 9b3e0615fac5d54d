package org.saevhadoop.format.dataset;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.Sidecars;

/**
 * Dataset with random access. A format only provides the locations of the blocks; the package
 * {@code reader} reads the blocks.
 */
@PublicApi
public interface TableDataset {
  /** Returns the folder that contains the files. */
  Folder folder();

  /** Returns the path for messages: the path of the file if the dataset is one file. */
  default String path() {
    return folder().path();
  }

  /** Returns the columns and the number of examples. */
  TableShape table();

  /** Returns the files that contain examples. */
  Shards shards();

  /** Returns the order of the blocks in a shard. */
  BlockOrder storageOrder();

  /**
   * Returns the offsets of the blocks of a shard. Reads the offsets from the open file if the
   * format stores them in the file.
   *
   * @throws org.saevhadoop.format.io.FormatException if the file does not match the documents of
   *     the dataset
   */
  BlockOffsets placement(int shard, Input file) throws IOException;

  /**
   * Returns the expected byte ranges of examples in a shard, as precisely as they can be determined
   * without opening the file. The ranges are only meant for data locality and must not be used for
   * reading.
   *
   * @param columns the columns to be read; the bytes of other columns are omitted if they are
   *     stored separately
   */
  List<ByteRange> expectedRanges(
      int shard, long indexInShard, long examples, List<Integer> columns);

  /**
   * Returns this dataset as activations.
   *
   * @throws FormatException if its columns are not layers
   */
  default ActivationDataset requireActivations() throws FormatException {
    throw DatasetError.NO_ACTIVATIONS.in(path(), "contains no activations");
  }

  /**
   * Returns this dataset as activations, or unchanged if its columns are not layers. Callers that
   * need activations get the error from {@link #requireActivations}.
   *
   * @throws FormatException if its columns are layers without vectors
   */
  default TableDataset asActivations() throws FormatException {
    try {
      return requireActivations();
    } catch (FormatException e) {
      if (e.kind() == DatasetError.NO_VECTORS) {
        throw e;
      }
      return this;
    }
  }

  /**
   * Returns the number of an example of this dataset in the stored dataset, for messages. The two
   * numbers differ only if this dataset is a projection or a combination of datasets.
   */
  default long sourceExample(long example) {
    return example;
  }

  /** Returns the path of the file that contains a block, for messages. */
  default String blockPath(long example, int column) throws IOException {
    int shard = shards().indexOf(example);
    return shard < 0 ? path() : folder().path(shards().get(shard).name());
  }

  /** Returns the identifiers of the examples, or empty if the examples are only numbered. */
  default Optional<ExampleIds> ids() {
    return Optional.empty();
  }

  /** Returns the sample metadata stored next to the data files, or empty if there is none. */
  default Optional<SampleMetadata> sampleMetadata() throws IOException {
    return Sidecars.of(folder(), shards().dataFiles());
  }

  /**
   * Returns the sample metadata including the per-token integers, such as token ids, in the form in
   * which formats without integer arrays write them; empty if there is neither.
   */
  default Optional<SampleMetadata> sampleMetadataWithTokens() throws IOException {
    return sampleMetadata();
  }

  /** Returns warnings about this dataset for the user, one line each. */
  default List<String> warnings() {
    return List.of();
  }
}
