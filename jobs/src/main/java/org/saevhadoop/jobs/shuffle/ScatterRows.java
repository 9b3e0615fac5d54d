package org.saevhadoop.jobs.shuffle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.IndexRanges;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.padding.TokenPadding;
import org.saevhadoop.format.permutation.Permutation;
import org.saevhadoop.format.shuffle.ExampleChoice;
import org.saevhadoop.format.shuffle.RowScatter;
import org.saevhadoop.format.shuffle.ShufflePlan;
import org.saevhadoop.format.shuffle.ShuffledDataset;
import org.saevhadoop.format.tokens.PaddingMarks;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.input.ExampleSplit;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.io.DatasetCounter;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.MeteredFolder;
import org.saevhadoop.mapreduce.staging.SideFiles;

/**
 * Appends the rows of the examples of a split to the buckets of a file, and the data beside them to
 * those of another. Records ascend, and examples that are not chosen have no rows.
 */
final class ScatterRows
    extends Mapper<ActivationKey, ActivationWritable, NullWritable, NullWritable> {
  static final SettingKey<String> PLAN =
      SettingKey.internalName("saev.shuffle.plan", "The plan of the shuffle.");

  static final SettingKey<String> ORDER =
      SettingKey.internalName("saev.shuffle.order", "The order of the rows, for records of runs.");

  private ShufflePlan plan;
  private Permutation permutation;
  private ExampleChoice choice;
  private IndexRanges examples;
  private IndexRanges tokens;
  private RowScatter scatter;
  private @Nullable RowScatter side;
  private ByteBuffer sideRow;
  private @Nullable PatchLabels labels;
  private ByteBuffer sideOfExample;
  private @Nullable TokenPadding padding;
  private long nextRow;

  @Override
  protected void setup(Context context) throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    byte[] text = ConfSettings.get(conf, PLAN).getBytes(StandardCharsets.UTF_8);
    plan = ShufflePlan.parse(PLAN.name(), text);
    permutation = plan.permutation();
    choice = ExampleChoice.of(plan.order());
    examples = new IndexRanges(plan.order().examples());
    tokens = new IndexRanges(plan.order().tokens());
    ExampleSplit split = (ExampleSplit) context.getInputSplit();
    if (plan.order().padding() > 0 || plan.side().marks() > 0) {
      padding = TokenPadding.of(open(context));
    }
    if (plan.order().padding() > 0) {
      Folder folder = HadoopFolder.of(SideFiles.folder(conf), conf);
      nextRow = UnpaddedTokens.before(split.first(), folder);
    } else {
      nextRow = choice.rank(split.first()) * plan.rowsOfExample();
    }
    ByteMeter written = ByteMeter.of(context, DatasetCounter.BYTES_WRITTEN);
    Folder target = new MeteredFolder(SideFiles.create(context), written);
    String range = StagedRows.range(split.first(), split.count());
    scatter = new RowScatter(plan.format(), target.create(ShuffledDataset.PREFIX + range));
    sideRow = plan.side().buffer();
    sideOfExample =
        ByteBuffer.allocate(plan.side().labels() * plan.rowsOfExample() + plan.side().marks());
    if (plan.side().labels() > 0) {
      labels = open(context).openLabels();
    }
    if (plan.side().bytes() > 0) {
      side = new RowScatter(plan.sideFormat(), target.create(ShuffledDataset.SIDE + range));
    }
  }

  private static ActivationDataset open(Context context) throws IOException {
    return ActivationInputFormat.openPart(context).requireActivations();
  }

  @Override
  protected void map(ActivationKey key, ActivationWritable value, Context context)
      throws IOException {
    if (!choice.contains(key.example())) {
      return;
    }
    BitSet marked = padding == null ? new BitSet() : padding.read(key.example(), 1);
    readSide(key.example(), marked);
    BitSet left = plan.order().padding() > 0 ? marked : new BitSet();
    ByteBuffer rows = value.bytes();
    for (int i = left.nextClearBit(0); i < plan.rowsOfExample(); i = left.nextClearBit(i + 1)) {
      int bytes = plan.format().rowBytes();
      long row = permutation.at(nextRow++);
      scatter.add(row, rows.slice(rows.position() + i * bytes, bytes));
      if (side != null) {
        int count = plan.side().labels() + plan.side().marks(); // which are of rows of examples
        ByteBuffer sideOfRow = sideOfExample.slice(i * count, count);
        long example = examples.index(key.example());
        plan.side().put(example, (int) tokens.index(i), sideOfRow, sideRow);
        side.add(row, sideRow);
      }
    }
  }

  /** Reads the labels of an example, which its marks follow. */
  private void readSide(long example, BitSet marked) throws IOException {
    sideOfExample.clear();
    if (labels != null) {
      sideOfExample.limit(sideOfExample.capacity() - plan.side().marks());
      labels.read(example, sideOfExample);
      sideOfExample.limit(sideOfExample.capacity());
    }
    for (int token = 0; token < plan.side().marks(); token++) {
      sideOfExample.put((byte) (marked.get(token) ? PaddingMarks.MASKED : PaddingMarks.TOKEN));
    }
  }

  @Override
  protected void cleanup(Context context) throws IOException {
    scatter.close();
    if (side != null) {
      side.close();
    }
    if (labels != null) {
      labels.close();
    }
    if (padding != null) {
      padding.close();
    }
  }
}
