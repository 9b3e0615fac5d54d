package org.saevhadoop.format.pickleshards.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LongSummaryStatistics;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.write.BlockSequence;
import org.saevhadoop.format.dataset.write.BlockSink;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.gzip.BgzfOutput;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.pickleshards.directory.ShardError;
import org.saevhadoop.format.pickleshards.directory.ShardFacts;
import org.saevhadoop.format.pickleshards.shard.OpenShard;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.tensor.DType;

/**
 * Writes one shard from blocks in storage order, sample by sample, and then its {@link ShardFacts}
 * next to it. Sample metadata is read again for each layer, so that the metadata of only one sample
 * is in memory.
 */
final class ShardSink implements BlockSink {
  private final ShardForm form;
  private final SampleMetadata known;
  private final SampleOrigin origin;
  private final Geometry geometry;
  private final ShardPlan shard;
  private final Folder folder;
  private final HashedOutput file;
  private final Output out;
  private final ShardPickler pickler;
  private final BlockSequence sequence;
  private final OriginalValues numbers;
  private final LongSummaryStatistics ids = new LongSummaryStatistics();
  private final LongSummaryStatistics tokens = new LongSummaryStatistics();
  private long arrayBytes;
  private @Nullable SampleMetadataCursor cursor;

  /** Metadata of the next example or of a later one; null after the last. */
  private @Nullable ExampleMetadata sampleMetadata;

  /** Creates the file immediately. */
  ShardSink(
      PickleWritePlan plan,
      SampleMetadata sampleMetadata,
      SampleOrigin origin,
      ShardPlan shard,
      Folder folder)
      throws IOException {
    this.form = plan.form();
    this.known = sampleMetadata;
    this.origin = origin;
    this.geometry = plan.geometry();
    this.shard = shard;
    this.folder = folder;
    this.file = new HashedOutput(folder.create(shard.name()));
    this.out = form.gzip() == null ? file : new BgzfOutput(file, form.gzip());
    this.sequence = new BlockSequence(file.path(), shard, plan);
    this.numbers = new OriginalValues(file.path(), geometry.dtype());
    this.pickler = new ShardPickler(file.path(), out::write, form.protocol(), form.dialect());
  }

  @Override
  public void write(long example, int column, ByteBuffer block) throws IOException {
    sequence.check(example, column, block);
    int layer = geometry.layers().get(column);
    if (example == shard.first()) {
      beginLayer(layer);
    }
    while (cursor != null && sampleMetadata != null && sampleMetadata.end() <= example) {
      sampleMetadata = cursor.next();
    }
    if (sampleMetadata == null || sampleMetadata.first() > example) {
      writeOwn(example, layer, block);
    } else {
      writeRestored(example, layer, block, sampleMetadata);
    }
    sequence.advance();
  }

  private void beginLayer(int layer) throws IOException {
    if (cursor != null) {
      pickler.endLayer();
      cursor.close();
    }
    cursor = known.cursor(shard.first(), shard.examples());
    sampleMetadata = cursor.next();
    pickler.beginLayer(layer);
  }

  private void writeOwn(long example, int layer, ByteBuffer block) throws IOException {
    long[] shape = {geometry.tokens(), geometry.dim()};
    DType dtype = dtype(null);
    ByteBuffer data = numbers.as(dtype, block, what(example, example, layer));
    count(example, shape, data);
    pickler.sample(example, origin.metadata(example), dtype, shape, data);
  }

  private void writeRestored(long example, int layer, ByteBuffer block, ExampleMetadata original)
      throws IOException {
    String where = file.path() + ": sample metadata of example " + example;
    RestoredSample restored = RestoredSample.of(where, original, example, layer, geometry);
    RestoredSample sample = form.numbered() ? restored.numbered(example) : restored;
    String what = what(example, sample.id(example), layer);
    ShardError.NOT_RESTORABLE.check(
        form.dialect() == Form.SPEC || OpenShard.tokens(sample.shape()) > 0,
        file.path(),
        "%s has no tokens (expected at least one, or --dialect spec, which allows empty arrays)",
        what);
    DType dtype = dtype(sample.dtype());
    ByteBuffer kept =
        block.slice(
            block.position(),
            Math.toIntExact(OpenShard.tokens(sample.shape()) * geometry.vectorBytes()));
    ByteBuffer data = numbers.as(dtype, kept, what);
    block.position(block.limit());
    count(sample.id(example), sample.shape(), data);
    pickler.sample(sample.dict(), dtype, sample.shape(), data);
  }

  /** Returns the dtype of an array in the file. */
  private DType dtype(@Nullable DType original) {
    return form.original() ? RestoredSample.dtype(original, geometry.dtype()) : geometry.dtype();
  }

  private static String what(long example, long id, int layer) {
    return "example %d, sample %d of layer %d".formatted(example, id, layer);
  }

  private void count(long id, long[] shape, ByteBuffer data) {
    ids.accept(id);
    tokens.accept(OpenShard.tokens(shape));
    arrayBytes += data.remaining();
  }

  @Override
  public void close() throws IOException {
    try (out;
        SampleMetadataCursor reading = cursor) {
      sequence.checkComplete();
      if (reading != null) {
        pickler.endLayer();
      } else {
        writeEmptyLayers();
      }
      pickler.end();
    }
    try (Output facts = folder.create(PickleFinisher.factsName(shard.name()))) {
      facts.write(ByteBuffer.wrap(facts().toJson()));
    }
  }

  private void writeEmptyLayers() throws IOException {
    for (int layer : geometry.layers()) {
      pickler.beginLayer(layer);
      pickler.endLayer();
    }
  }

  private ShardFacts facts() {
    boolean any = shard.examples() > 0;
    SortedMap<Integer, Long> samplesOfLayer = new TreeMap<>();
    geometry.layers().forEach(layer -> samplesOfLayer.put(layer, shard.examples()));
    return new ShardFacts(
        shard.name(),
        file.position(),
        file.digest(),
        form.gzip() != null,
        samplesOfLayer,
        shard.examples(),
        any ? ids.getMin() : 0,
        any ? ids.getMax() : 0,
        arrayBytes,
        any ? tokens.getMax() : geometry.tokens(),
        geometry.dim());
  }
}
