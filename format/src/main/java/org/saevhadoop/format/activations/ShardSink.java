package org.saevhadoop.format.activations;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LongSummaryStatistics;
import java.util.SortedMap;
import java.util.TreeMap;
import org.saevhadoop.format.attributes.AttributeCursor;
import org.saevhadoop.format.attributes.ExampleAttributes;
import org.saevhadoop.format.dataset.BlockSequence;
import org.saevhadoop.format.dataset.BlockSink;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.ShardPlan;
import org.saevhadoop.format.gzip.BgzfOutput;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.tensor.Conversion;
import org.saevhadoop.format.tensor.DType;

/**
 * Writes one shard from blocks in its order, sample by sample, and then its {@link ShardFacts}
 * beside it. Attributes are read anew for each layer: they are never held but for one sample.
 */
final class ShardSink implements BlockSink {
  private final PickleTarget target;
  private final Geometry geometry;
  private final ShardPlan plan;
  private final Folder folder;
  private final HashedOutput file;
  private final Output out;
  private final ShardPickler pickler;
  private final BlockSequence sequence;
  private final OriginalNumbers numbers;
  private final LongSummaryStatistics ids = new LongSummaryStatistics();
  private final LongSummaryStatistics tokens = new LongSummaryStatistics();
  private long arrayBytes;
  private AttributeCursor cursor;

  /** Those of the example that comes next or of one behind it; null after the last. */
  private ExampleAttributes attributes;

  /** Creates the file at once. */
  ShardSink(PickleTarget target, ShardPlan plan, Folder folder) throws IOException {
    this.target = target;
    this.geometry = target.geometry();
    this.plan = plan;
    this.folder = folder;
    this.file = new HashedOutput(folder.create(plan.name()));
    ShardForm form = target.form();
    this.out = form.gzip() == null ? file : new BgzfOutput(file, form.gzip());
    this.sequence = new BlockSequence(file.path(), plan, target);
    this.numbers = new OriginalNumbers(file.path(), geometry.dtype());
    this.pickler = new ShardPickler(file.path(), out::write, form.protocol(), form.keys());
  }

  @Override
  public void write(long example, int layerIndex, ByteBuffer block) throws IOException {
    sequence.check(example, layerIndex, block);
    int layer = geometry.layers().get(layerIndex);
    if (example == plan.first()) {
      beginLayer(layer);
    }
    while (attributes != null && attributes.end() <= example) {
      attributes = cursor.next();
    }
    if (attributes == null || attributes.first() > example) {
      writeOwn(example, layer, block);
    } else {
      writeRestored(example, layer, block);
    }
    sequence.advance();
  }

  private void beginLayer(int layer) throws IOException {
    if (cursor != null) {
      pickler.endLayer();
      cursor.close();
    }
    cursor = target.attributes().cursor(plan.first(), plan.examples());
    attributes = cursor.next();
    pickler.beginLayer(layer);
  }

  private void writeOwn(long example, int layer, ByteBuffer block) throws IOException {
    long[] shape = {geometry.tokens(), geometry.dim()};
    DType dtype = dtype(null);
    ByteBuffer data = numbers.as(dtype, block, what(example, example, layer));
    count(example, shape, data);
    pickler.sample(example, target.origin().metadata(example), dtype, shape, data);
  }

  private void writeRestored(long example, int layer, ByteBuffer block) throws IOException {
    String where = file.path() + ": attributes of example " + example;
    RestoredSample sample = RestoredSample.of(where, attributes, example, layer, geometry);
    DType dtype = dtype(sample.dtype());
    ByteBuffer kept = block.slice(block.position(), bytes(sample.shape()));
    ByteBuffer data = numbers.as(dtype, kept, what(example, sample.id(example), layer));
    block.position(block.limit());
    count(sample.id(example), sample.shape(), data);
    pickler.sample(sample.dict(), null, dtype, sample.shape(), data);
  }

  /** The type that an array gets. */
  private DType dtype(DType original) {
    if (!target.form().original()) {
      return geometry.dtype();
    }
    if (original != null) {
      return original;
    }
    return Conversion.isExact(geometry.dtype(), DType.F32) ? DType.F32 : geometry.dtype();
  }

  private int bytes(long[] shape) {
    return Math.toIntExact(OpenShard.tokens(shape) * geometry.vectorBytes());
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
        AttributeCursor reading = cursor) {
      sequence.checkComplete();
      if (reading != null) {
        pickler.endLayer();
      }
      pickler.end();
    }
    try (Output facts = folder.create(PickleTarget.factsName(plan.name()))) {
      facts.write(ByteBuffer.wrap(facts().toJson()));
    }
  }

  private ShardFacts facts() {
    SortedMap<Integer, Long> samplesOfLayer = new TreeMap<>();
    geometry.layers().forEach(layer -> samplesOfLayer.put(layer, plan.examples()));
    return new ShardFacts(
        plan.name(),
        file.position(),
        file.digest(),
        target.form().gzip() != null,
        samplesOfLayer,
        plan.examples(),
        ids.getMin(),
        ids.getMax(),
        arrayBytes,
        tokens.getMax(),
        geometry.dim());
  }
}
