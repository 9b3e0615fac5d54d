package org.saevhadoop.format.dataset;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.samples.DataFile;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.Sidecars;

/**
 * A dataset with random access: where each block lies, and no more. The package reader reads it; a
 * format only says where.
 */
public interface TableDataset {
  /** Where the files are. */
  Folder folder();

  /** The dataset's shape. */
  TableShape table();

  /** The files that hold examples. */
  Shards shards();

  /** The order of the blocks inside a shard. */
  BlockOrder storageOrder();

  /**
   * Where the blocks of a shard lie. Looks into the open file where the format keeps that there,
   * and throws a {@link org.saevhadoop.format.io.FormatException} where the file is not what the
   * dataset's documents say.
   */
  BlockOffsets placement(int shard, Input file) throws IOException;

  /**
   * Returns where the bytes of some examples of a shard should lie, as far as that can be
   * determined without opening the file: for locality, not for reading.
   *
   * @param columns the columns that are read: bytes of other columns that lie apart are left out
   */
  List<ByteRange> expectedRanges(
      int shard, long indexInShard, long examples, List<Integer> columns);

  /**
   * Returns this dataset as activations.
   *
   * @throws FormatException where its columns are no layers
   */
  default ActivationDataset requireActivations() throws FormatException {
    throw DatasetError.NO_ACTIVATIONS.in(folder().path(), "holds no activations");
  }

  /**
   * Returns the number of an example in the stored dataset, for messages: another one where this
   * dataset is a part of that one.
   */
  default long sourceExample(long example) {
    return example;
  }

  /** Returns what the examples are called; empty if they are merely numbered. */
  default Optional<ExampleIds> ids() {
    return Optional.empty();
  }

  /** The attributes of the examples: those beside the data files; empty where there are none. */
  default Optional<SampleMetadata> attributes() throws IOException {
    return Sidecars.of(
        folder(),
        shards().stream()
            .map(shard -> new DataFile(shard.name(), shard.first(), shard.examples()))
            .toList());
  }

  /** What a person should know about this dataset, a line each. */
  List<String> warnings();
}
