package org.saevhadoop.format.pickleshards.unpacked;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.io.MemoryOutput;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.pickle.value.PayloadData;
import org.saevhadoop.format.pickle.value.PayloadStore;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickleshards.shard.OpenShard;
import org.saevhadoop.format.pickleshards.shard.ShardSamples;
import org.saevhadoop.format.pickleshards.shard.ShardSamples.Sample;
import org.saevhadoop.format.tensor.DType;

/** An array that many samples share: the pickle contains it once, and fetches it from the memo. */
class SharedArrayTest {
  private static final int BYTES = 4 * 256 * Float.BYTES;

  /** Payloads of zeros that count the bytes that are read. */
  private static final class Counted implements PayloadStore {
    private long read;

    @Override
    public long begin(long streamPosition) {
      throw new AssertionError();
    }

    @Override
    public void append(ByteBuffer piece) {
      throw new AssertionError();
    }

    @Override
    public void read(long position, ByteBuffer dst) {
      read += dst.remaining();
      dst.position(dst.limit());
    }
  }

  @Test
  void ofAPartItIsHashedOnce(@TempDir Path folder) throws IOException {
    PythonValue.NumpyArray array = new PythonValue.NumpyArray();
    array.build(
        NumpyType.of(DType.F32).orElseThrow(),
        new long[] {4, 256},
        false,
        PayloadData.raw(0, BYTES));
    Counted payloads = new Counted();
    try (LocalSpool spool = LocalSpool.temporary(folder)) {
      ShardSamples none = new ShardSamples(List.of(), List.of(), List.of(), List.of());
      OpenShard shard = new OpenShard("shard", true, none, payloads, spool);
      BlockStore store =
          new BlockStore(shard, RaggedPolicy.ERROR, BlockChoice.NOTHING, new MemoryOutput("kept"));
      PythonValue.Dict dict = new PythonValue.Dict(PythonValue.Dict.Kind.DICT);
      long first = store.address(3, new Sample(0, array, dict)).checksum();
      for (long id = 1; id < 100; id++) {
        assertThat(store.address(3, new Sample(id, array, dict)).checksum()).isEqualTo(first);
      }
    }
    assertThat(payloads.read).isEqualTo(BYTES);
  }

  @Test
  void itIsNotComparedWithItself() throws IOException {
    Input unread =
        new Input() {
          @Override
          public String path() {
            return "blocks";
          }

          @Override
          public long length() {
            return Long.MAX_VALUE;
          }

          @Override
          public void readFully(long position, ByteBuffer dst) {
            throw new AssertionError("read at " + position);
          }

          @Override
          public void close() {}
        };
    ArrayComparison comparison = new ArrayComparison(unread);
    long none = ShardCatalogue.NO_CHECKSUM;
    assertThat(comparison.areEqual(BYTES, 7, none, 7, none)).isTrue();
    // blocks that were not kept have one address
    assertThat(comparison.areEqual(BYTES, 7, 1, 7, 2)).isFalse();
  }
}
