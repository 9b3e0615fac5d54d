package org.saevhadoop.format.pickleshards.unpacked;

import static org.saevhadoop.format.pickle.value.PickleError.BAD_ARRAY;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.pickle.value.ArrayBytes;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickleshards.directory.ShardError;
import org.saevhadoop.format.pickleshards.shard.OpenShard;
import org.saevhadoop.format.pickleshards.shard.ShardSamples.Sample;

/**
 * Determines the file from which the blocks of a shard are read later. Most blocks stay in place; a
 * block that is stored in another form is written to the spool in plain form. If only some blocks
 * are kept, they are copied from the spool to a separate file.
 */
final class BlockStore {
  private static final int COPY_BYTES = 1 << 20;

  /** The maximum number of array checksums that are held in memory. */
  private static final int MAX_CHECKSUMS = 1024;

  private final OpenShard shard;
  private final RaggedPolicy ragged;
  private final BlockChoice choice;
  private final @Nullable Output kept;
  private final ArrayBytes elements;

  /** The most recent array checksums; any number of samples may share an array. */
  private final Map<PythonValue.NumpyArray, Long> checksums = new IdentityHashMap<>();

  private ByteBuffer buffer = Input.buffer(0);

  /**
   * Creates the store of a shard.
   *
   * @param kept the output for the kept blocks; null if all blocks are kept, which then stay in the
   *     spool
   */
  BlockStore(OpenShard shard, RaggedPolicy ragged, BlockChoice choice, @Nullable Output kept) {
    this.shard = shard;
    this.ragged = ragged;
    this.choice = choice;
    this.kept = kept;
    this.elements = new ArrayBytes(shard.payloads());
  }

  ShardCatalogue.Entry address(int layer, Sample sample) throws IOException {
    PythonValue.NumpyArray array = sample.array();
    long[] shape = array.shape();
    BAD_ARRAY.check(
        shape.length > 0,
        shard.path(),
        "sample %d of layer %d is a single value (expected tokens)",
        sample.id(),
        layer);
    long dim = shape[shape.length - 1];
    long tokens = OpenShard.tokens(shape);
    boolean tooShort = ragged.mode() == RaggedPolicy.Mode.PAD && tokens < ragged.tokens();
    boolean stays = shard.isPlain(array) && !tooShort;
    long address;
    long checksum = ShardCatalogue.NO_CHECKSUM;
    if (stays && !shard.compressed()) {
      address = array.data().position() | ShardCatalogue.IN_SOURCE;
    } else if (kept == null) {
      address = stays ? array.data().position() : spool(layer, sample, tooShort);
    } else {
      checksum = checksum(array);
      address = keep(layer, sample, stays, tooShort, kept);
    }
    return new ShardCatalogue.Entry(sample.id(), sample.dtype(), tokens, dim, address, checksum);
  }

  private long checksum(PythonValue.NumpyArray array) throws IOException {
    Long known = checksums.get(array);
    if (known != null) {
      return known;
    }
    CRC32C crc = new CRC32C();
    elements.copy(array, crc::update);
    if (checksums.size() == MAX_CHECKSUMS) {
      checksums.clear();
    }
    checksums.put(array, crc.getValue());
    return crc.getValue();
  }

  private long keep(int layer, Sample sample, boolean stays, boolean tooShort, Output to)
      throws IOException {
    PythonValue.NumpyArray array = sample.array();
    long[] shape = array.shape();
    Optional<IndexRange> tokens =
        choice.tokens(shard.path(), layer, sample.id(), exampleTokens(shape), ragged);
    if (tokens.isEmpty()) {
      return ShardCatalogue.DROPPED;
    }
    long from = stays ? array.data().position() : spool(layer, sample, tooShort);
    long vectorBytes = shape[shape.length - 1] * array.type().itemSize();
    long address = to.position();
    copy(from + tokens.get().start() * vectorBytes, tokens.get().length() * vectorBytes, to);
    return address;
  }

  /**
   * Returns the number of tokens of the example made from an array; 0 if the array cannot become an
   * example.
   */
  private long exampleTokens(long[] shape) {
    long tokens = OpenShard.tokens(shape);
    return switch (ragged.mode()) {
      case ERROR, FLATTEN -> tokens;
      case TRUNCATE -> tokens < ragged.tokens() ? 0 : ragged.tokens();
      case PAD -> tokens > ragged.tokens() ? 0 : ragged.tokens();
    };
  }

  private void copy(long position, long length, Output to) throws IOException {
    int most = (int) Math.min(COPY_BYTES, length);
    buffer = buffer.capacity() < most ? Input.buffer(most) : buffer;
    for (long done = 0; done < length; done += buffer.limit()) {
      buffer.clear().limit((int) Math.min(COPY_BYTES, length - done));
      shard.spool().read(position + done, buffer);
      to.write(buffer.flip());
    }
  }

  /** Writes an array to the spool in the form of a block and returns its position. */
  private long spool(int layer, Sample sample, boolean tooShort) throws IOException {
    PythonValue.NumpyArray array = sample.array();
    elements.copy(array, shard.spool()::append);
    long position = shard.spool().length() - array.bytes();
    if (tooShort) {
      long[] shape = array.shape();
      long dim = shape[shape.length - 1];
      long vectorBytes = dim * array.type().itemSize();
      ShardError.TOO_LARGE.check(
          vectorBytes <= Integer.MAX_VALUE / ragged.tokens(),
          shard.path(),
          "sample %d of layer %d, of %d bytes per token, cannot be padded to %d tokens (expected"
              + " less than 2 GiB)",
          sample.id(),
          layer,
          vectorBytes,
          ragged.tokens());
      pad(sample, Math.multiplyExact(ragged.tokens() - OpenShard.tokens(shape), dim));
    }
    return position;
  }

  private void pad(Sample sample, long numbers) throws IOException {
    ByteBuffer filling = ragged.filling(shard.path(), sample.dtype());
    long left = numbers * sample.array().type().itemSize();
    while (left > 0) {
      filling.clear().limit((int) Math.min(left, filling.capacity()));
      left -= filling.limit();
      shard.spool().append(filling);
    }
  }
}
