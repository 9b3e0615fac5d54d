package org.saevhadoop.format.numpy.dataset;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.write.BlockSink;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.ShardSinks;
import org.saevhadoop.format.dataset.write.ShardSpool;
import org.saevhadoop.format.dataset.write.ShardWriter;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataSource;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenCopy;

/** Writes the files of a part, and the sample metadata next to the first file. */
final class ColumnSinks implements ShardSinks {
  private final NpyWritePlan plan;
  private final SampleMetadataSource sampleMetadata;

  ColumnSinks(NpyWritePlan plan, SampleMetadata sampleMetadata) {
    this.plan = plan;
    this.sampleMetadata = new SampleMetadataSource(sampleMetadata);
  }

  @Override
  public BlockSink open(long index, boolean anyOrder, Folder folder, Path localFolder) {
    return new PartSink(index, anyOrder, folder, localFolder);
  }

  @Override
  public void close() throws IOException {
    sampleMetadata.close();
  }

  /** Receives the blocks of a part. Files are opened when their first block arrives. */
  private final class PartSink implements BlockSink {
    private final long index;
    private final boolean anyOrder;
    private final Folder folder;
    private final Path localFolder;
    private final @Nullable BlockSink[] sinks = new BlockSink[plan.table().columns().size()];
    private final boolean[] closed = new boolean[sinks.length];
    private int current;

    PartSink(long index, boolean anyOrder, Folder folder, Path localFolder) {
      this.index = index;
      this.anyOrder = anyOrder;
      this.folder = folder;
      this.localFolder = localFolder;
    }

    @Override
    public void write(long example, int column, ByteBuffer block) throws IOException {
      sink(column).write(example, 0, block);
    }

    @Override
    public boolean writeRun(long example, int column, ByteBuffer run) throws IOException {
      long first = index * plan.examplesPerShard();
      long left = (first + plan.examples(index) - example) * plan.table().blockBytes(column);
      return run.remaining() <= left && sink(column).writeRun(example, 0, run);
    }

    /** Returns the sink of a column. If blocks are in order, closes the previous sink. */
    private BlockSink sink(int column) throws IOException {
      if (!anyOrder && column != current) {
        close(current);
        current = column;
      }
      BlockSink known = sinks[column];
      if (known == null) {
        known = open(column);
        sinks[column] = known;
      }
      return known;
    }

    private BlockSink open(int column) throws IOException {
      WritePlan files = plan.column(column);
      ShardPlan file = files.shard(index);
      return anyOrder
          ? new ShardSpool(file, files, folder, localFolder, null)
          : new ShardWriter(folder.create(file.name()), file, files);
    }

    private void close(int column) throws IOException {
      if (!closed[column]) {
        BlockSink sink = sinks[column] == null ? open(column) : sinks[column];
        closed[column] = true;
        sink.close();
      }
    }

    @Override
    public void close() throws IOException {
      IOException failure = null;
      for (int column = 0; column < sinks.length; column++) {
        try {
          close(column);
        } catch (IOException e) {
          if (failure == null) {
            failure = e;
          } else {
            failure.addSuppressed(e);
          }
        }
      }
      if (failure != null) {
        throw failure;
      }
      writeLabels();
      writeTokens();
      sampleMetadata.write(
          folder,
          plan.shardName(index),
          index * plan.examplesPerShard(),
          plan.examples(index),
          () -> null,
          localFolder);
    }

    private void writeTokens() throws IOException {
      TokenArrays tokens = plan.tokens();
      for (int i = 0; i < tokens.names().size(); i++) {
        ShardPlan file = plan.tokensFile(index, tokens.names().get(i));
        try (Output out = folder.create(file.name())) {
          out.write(ByteBuffer.wrap(file.header()));
          TokenCopy.copy(tokens, i, file.first(), file.examples(), out);
        }
      }
    }

    private void writeLabels() throws IOException {
      LabelSource labels = plan.labels();
      if (labels != null) {
        ShardPlan file = plan.labelsFile(index, labels);
        try (Output out = folder.create(file.name())) {
          out.write(ByteBuffer.wrap(file.header()));
          labels.copy(file.first(), file.examples(), out);
        }
      }
    }
  }
}
