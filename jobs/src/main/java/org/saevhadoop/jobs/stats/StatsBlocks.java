package org.saevhadoop.jobs.stats;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.permutation.ExampleSample;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.job.InputSpec;

/** Adds up the vectors of each layer in each group of examples. */
final class StatsBlocks
    extends Mapper<ActivationKey, ActivationWritable, LongWritable, BytesWritable> {
  @Override
  public void run(Context context) throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    ActivationDataset dataset = ActivationInputFormat.openPart(context).requireActivations();
    try (TokenMarks marks = TokenMarks.of(dataset)) {
      Run run = new Run(dataset, marks, conf, context);
      while (context.nextKeyValue()) {
        run.add(context.getCurrentKey(), context.getCurrentValue());
      }
      run.write();
    }
  }

  /** One run of the mapper. */
  private static final class Run {
    private final Geometry geometry;
    private final TokenMarks marks;
    private final Context context;
    private final @Nullable ExampleSample sample;
    private final SumsShape shape;
    private final ExampleGroups groups;
    private final VectorPairs pairs;
    private final VectorReader reader;

    /** The sums of the layers in the current group; null for those that have not been read. */
    private final @Nullable LayerSums[] sums;

    private long group = -1;
    private int layer = -1;

    Run(ActivationDataset dataset, TokenMarks marks, Configuration conf, Context context) {
      this.geometry = dataset.geometry();
      this.marks = marks;
      this.context = context;
      this.sample = InputSpec.fromConf(conf, List.of()).record().sample();
      long sampled = sample == null ? geometry.examples() : sample.count();
      this.shape = SumsShape.of(dataset);
      this.groups = ExampleGroups.of(geometry, shape, sampled);
      this.pairs =
          VectorPairs.draw(
              ConfSettings.get(conf, StatsKeys.PAIRS).intValue(),
              sampled * geometry.tokens(),
              ConfSettings.get(conf, StatsKeys.SEED));
      this.reader = new VectorReader(geometry.dim());
      this.sums = new LayerSums[geometry.layers().size()];
    }

    void add(ActivationKey key, ActivationWritable block) throws IOException, InterruptedException {
      long example = key.example();
      int next = geometry.layers().indexOf(key.layer());
      if (example / groups.examples() != group) {
        write();
        group = example / groups.examples();
        long first = group * groups.examples();
        marks.read(first, (int) Math.min(groups.examples(), geometry.examples() - first));
      } else if (groups.byLayer() && next != layer) {
        write();
      }
      layer = next;
      if (sums[layer] == null) {
        sums[layer] = new LayerSums(shape);
      }
      reader.begin(block.dtype(), block.bytes());
      add(example, sums[layer]);
    }

    private void add(long example, LayerSums into) throws IOException, InterruptedException {
      long first = (sample == null ? example : sample.rank(example)) * geometry.tokens();
      int pair = pairs.firstFrom(first);
      for (int token = 0; token < geometry.tokens(); token++) {
        boolean isPadding = marks.isPadding(example, token);
        if (isPadding) {
          into.padding++;
        }
        double[] vector = into.next();
        boolean hasDirection = false;
        if (!isPadding) {
          reader.read(token, vector);
          hasDirection =
              into.add(example * geometry.tokens() + token, token, marks.label(example, token));
        }
        for (; pairs.number(pair) == first + token; pair++) {
          if (hasDirection) {
            context.write(
                GroupParts.pairsKey(group, sums.length),
                GroupParts.vector(layer * pairs.slots() + pairs.slot(pair), vector));
          }
        }
      }
    }

    /** Writes the sums of the current group, or those of the layers that have been read. */
    void write() throws IOException, InterruptedException {
      for (int i = 0; i < sums.length; i++) {
        LayerSums done = sums[i];
        if (done != null) {
          context.write(GroupParts.key(group, i, sums.length), GroupParts.bytes(done));
          sums[i] = null;
        }
      }
    }
  }
}
