package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.arrays.columns.ActivationColumns;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.BlockSink;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.ShardSpool;
import org.saevhadoop.format.dataset.write.ShardWriter;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Tail;
import org.saevhadoop.format.safetensors.header.EncodedHeader;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenReader;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Integers of tokens as tensors beside activations. */
@Tag("sampled")
class SafetensorsTokensTest {
  @TempDir Path local;

  /** Arrays whose values encode the array, the example and the token. */
  private record Numbered(List<String> names, int tokens) implements TokenArrays {
    @Override
    public TokenReader open() {
      return new TokenReader() {
        @Override
        public void read(int array, long first, LongBuffer dst) {
          for (int i = 0; dst.hasRemaining(); i++) {
            dst.put(1000L * array + 10 * (first + i / tokens) + i % tokens);
          }
        }

        @Override
        public void close() {}
      };
    }
  }

  @Property(tries = 200, sample = 50)
  void integersAreReadBackHoweverBlocksArrive(RandomValues any) throws IOException {
    int examples = any.intBetween(1, 9);
    Columns columns = any.of(Columns.class);
    int tokens = columns == Columns.ROWS ? 1 : any.intBetween(1, 4);
    DType dtype = any.of(List.of(DType.F32, DType.BF16, DType.U8, DType.F64));
    Geometry geometry = new Geometry(examples, List.of(10, 2, 3), tokens, 3, dtype);
    TokenArrays arrays =
        new Numbered(
            any.of(List.of(List.of("token_ids"), List.of("z", "loss_mask", "ids"))), tokens);
    LabelSource labels = any.bool() ? labels(examples, tokens) : null;
    BatchWritePlan plan =
        new BatchWritePlan(
            geometry.table(),
            columns,
            any.intBetween(1, 5),
            any.of(List.of(Tail.WRITE, Tail.PAD)),
            8,
            Provenance.NONE,
            labels,
            arrays);
    Path directory = Files.createTempDirectory(local, "dataset");
    Folder folder = any.bool() ? new LocalFolder(directory) : new MemoryStorage("/data");
    for (long index = 0; index < plan.shardCount(); index++) {
      write(plan, index, folder, any.bool() ? new Random(any.anyLong()) : null);
    }
    for (Document document : plan.documents(folder)) {
      try (Output out = folder.create(document.name())) {
        document.content().accept(out);
      }
    }
    SafetensorsDataset dataset = WrittenBatches.open(folder);
    assertThat(dataset.geometry().examples()).isEqualTo(examples);
    assertThat(dataset.tokenArrays().names()).isEqualTo(arrays.names());
    for (int array = 0; array < arrays.names().size(); array++) {
      assertThat(values(dataset.tokenArrays(), array, examples))
          .isEqualTo(values(arrays, array, examples));
    }
    for (int shard = 0; shard < dataset.shards().size(); shard++) {
      checkBlocks(dataset, shard);
    }
    assertThat(dataset.hasLabels()).isEqualTo(labels != null);
  }

  private static LabelSource labels(int examples, int tokens) throws IOException {
    Geometry geometry = new Geometry(examples, List.of(1), tokens, 1);
    return LabelSource.of(
        new InventedDataset(geometry, false, examples).withLabels(tokens), geometry);
  }

  private static ByteBuffer block(Geometry geometry, long example, int column) {
    ByteBuffer block = ByteBuffer.allocate((int) geometry.blockBytes());
    while (block.hasRemaining()) {
      block.put((byte) (example * 31 + column * 7 + block.position()));
    }
    return block.flip();
  }

  /** Writes a file in the order of the plan, or in any order. */
  private void write(BatchWritePlan plan, long index, Folder folder, @Nullable Random order)
      throws IOException {
    ShardPlan shard = plan.shard(index);
    Geometry geometry =
        new Geometry(
            plan.table().examples(),
            plan.table().columnIds(),
            plan.table().columns().get(0).shape().get(0).intValue(),
            3,
            plan.table().columns().get(0).dtype());
    List<Long> ordinals = new ArrayList<>();
    for (long i = 0; i < shard.examples() * plan.table().columns().size(); i++) {
      ordinals.add(i);
    }
    boolean spool = order != null || shard.scattered() != null;
    if (order != null) {
      Collections.shuffle(ordinals, order);
    }
    try (BlockSink sink =
        spool
            ? new ShardSpool(shard, plan, folder, local, null)
            : new ShardWriter(folder.create(shard.name()), shard, plan)) {
      for (long ordinal : ordinals) {
        long example = shard.first() + plan.order().indexInGroup(ordinal, shard.examples());
        int column = plan.order().column(ordinal, shard.examples());
        sink.write(example, column, block(geometry, example, column));
      }
    }
  }

  private static void checkBlocks(SafetensorsDataset dataset, int shard) throws IOException {
    Geometry geometry = dataset.geometry();
    try (var file = dataset.folder().open(dataset.shards().get(shard).name())) {
      var placement = dataset.placement(shard, file);
      for (long i = 0; i < dataset.shards().get(shard).examples(); i++) {
        for (int column = 0; column < geometry.layers().size(); column++) {
          ByteBuffer found = ByteBuffer.allocate((int) geometry.blockBytes());
          file.readFully(placement.offset(i, column), found);
          assertThat(found.flip())
              .isEqualTo(block(geometry, dataset.shards().get(shard).first() + i, column));
        }
      }
    }
  }

  private static List<Long> values(TokenArrays arrays, int array, long examples)
      throws IOException {
    LongBuffer values = LongBuffer.allocate((int) examples * arrays.tokens());
    try (TokenReader reader = arrays.open()) {
      reader.read(array, 0, values);
    }
    return Arrays.stream(values.array()).boxed().toList();
  }

  @Test
  void aDatasetWithIntegersHasOtherNamesThanOneWithout() {
    Geometry geometry = new Geometry(1, List.of(1), 2, 3);
    assertThat(plan(geometry, TokenArrays.NONE).shardName(0))
        .isNotEqualTo(plan(geometry, new Numbered(List.of("ids"), 2)).shardName(0));
  }

  private static BatchWritePlan plan(Geometry geometry, TokenArrays arrays) {
    return new BatchWritePlan(
        geometry.table(), Columns.LAYERS, 1, Tail.WRITE, 8, Provenance.NONE, null, arrays);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "ids; I64; 1,3; ids",
        "ids; I32; 1,2; ids",
        "ids; I64; 1,2,1; ids",
        "../ids; I64; 1,2; ../ids",
        "layer_2; I64; 1,2; layer_2",
        "ids; I64; 1,2; ids,x"
      })
  void tensorsThatAreNoIntegersOfTokensAreRefused(
      String name, DType dtype, String shape, String names) throws IOException {
    List<Long> sizes = Stream.of(shape.split(",")).map(Long::valueOf).toList();
    EncodedHeader header =
        SafetensorsHeader.encode(
            List.of(
                new TensorSpec("layer_1", DType.F32, List.of(1L, 2L, 1L)),
                new TensorSpec(name, dtype, sizes)),
            Map.of(ActivationColumns.TOKEN_ARRAYS_KEY, names),
            8);
    MemoryStorage folder = new MemoryStorage("/data");
    folder.put(
        "f.safetensors", Arrays.copyOf(header.toByteArray(), Math.toIntExact(header.fileBytes())));
    assertFails(DatasetError.BAD_TOKEN_ARRAY, "f.safetensors", () -> WrittenBatches.open(folder));
  }
}
