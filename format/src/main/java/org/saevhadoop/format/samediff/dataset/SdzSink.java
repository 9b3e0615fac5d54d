package org.saevhadoop.format.samediff.dataset;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.write.BlockSequence;
import org.saevhadoop.format.dataset.write.BlockSink;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.samediff.container.SdzFile;
import org.saevhadoop.format.samediff.dataset.SdzWritePlan.Placed;
import org.saevhadoop.format.samediff.sdnb.SdnbLayout;
import org.saevhadoop.format.zip.ZipWriter;

/**
 * Writes an SDZ file from the blocks of all examples, column by column. A stored entry is first
 * written to a file on the local disk, because its CRC precedes it in the SDZ file.
 */
final class SdzSink implements BlockSink {
  private final Output out;
  private final SdzWritePlan plan;
  private final WrittenArrays arrays;
  private final BlockSequence sequence;
  private final List<List<Placed>> entries;
  private final int count;
  private final ZipWriter zip;
  private final @Nullable LocalSpool spool;

  /**
   * Index of the current entry, which is -1 before the first one, and of the current array in this
   * entry.
   */
  private int entry = -1;

  private int array;
  private @Nullable SdnbSection section;

  /** Number of examples of the current array that have not been written yet. */
  private long missing;

  SdzSink(Output out, SdzWritePlan plan, ShardPlan shard, Path localFolder) throws IOException {
    this.out = out;
    this.plan = plan;
    this.arrays = plan.arrays();
    this.sequence = new BlockSequence(out.path(), shard, plan);
    this.entries = plan.entries();
    this.count = plan.entryCount();
    this.zip = new ZipWriter(out, plan.level(), SdzFile.NAMES);
    this.spool = plan.deflated() ? null : LocalSpool.temporary(localFolder);
    if (count > 1) {
      SdnbLayout graph = plan.graph(entries);
      try (SdzEntryOutput first = open(0, graph)) {
        new SdnbSection(first, graph).begin();
        new SdnbSection(first, graph).end();
      }
    }
  }

  private SdzEntryOutput open(int index, SdnbLayout layout) throws IOException {
    String name = SdzWritePlan.entryName(index, count);
    return new SdzEntryOutput(out.path(), zip, name, layout.length(), spool);
  }

  @Override
  public void write(long example, int column, ByteBuffer block) throws IOException {
    sequence.check(example, column, block);
    if (missing == 0) {
      next();
    }
    section().out().write(block);
    missing--;
    sequence.advance();
  }

  /** Advances to the next array, and to the next entry if the array belongs to that entry. */
  private void next() throws IOException {
    array++;
    if (entry < 0 || array == entries.get(entry).size()) {
      endEntry();
      beginEntry();
    }
    Placed placed = entries.get(entry).get(array);
    missing = arrays.examples(placed.group());
    if (arrays.exampleBytes(placed.column()) > 0 && missing > 0) {
      section().advanceTo(array);
    }
  }

  private SdnbSection section() {
    return Objects.requireNonNull(section, "no entry has begun");
  }

  private void beginEntry() throws IOException {
    entry++;
    array = 0;
    int index = count == 1 ? 0 : entry + 1;
    SdnbLayout layout = plan.layout(entries.get(entry), index, count);
    section = new SdnbSection(open(index, layout), layout);
    section.begin();
  }

  private void endEntry() throws IOException {
    if (section != null) {
      SdnbSection closing = section;
      closing.end();
      section = null;
      closing.out().close();
    }
  }

  @Override
  public void close() throws IOException {
    try (out;
        spool) {
      sequence.checkComplete();
      writeLabels();
      if (entry < 0) {
        beginEntry(); // arrays without examples
      }
      endEntry();
      zip.close();
    }
  }

  private void writeLabels() throws IOException {
    for (long group = 0; arrays.labels() != null && group < arrays.groups(); group++) {
      if (arrays.examples(group) > 0) {
        next();
        arrays.labels().copy(arrays.first(group), missing, section().out());
      }
    }
  }
}
