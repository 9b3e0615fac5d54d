package org.saevhadoop.jobs.check;

import java.util.stream.LongStream;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.WritePlan;

/** Describes the part of a written dataset to which a byte of a file belongs. */
final class BytePosition {
  private BytePosition() {}

  /**
   * Returns a description of the block and the value to which a byte belongs, or of only its offset
   * if the byte belongs to no block.
   */
  static String describe(WritePlan plan, String file, long offset) {
    long index =
        LongStream.range(0, plan.shardCount())
            .filter(i -> plan.shardName(i).equals(file))
            .findFirst()
            .orElse(-1);
    if (index < 0) {
      return "byte " + offset;
    }
    ShardPlan shard = plan.shard(index);
    if (shard.length() == ShardPlan.UNKNOWN) {
      return "byte " + offset + " of the stream";
    }
    if (offset < shard.header().length) {
      return "byte " + offset + " of the header";
    }
    return inBlock(plan, shard, offset);
  }

  private static String inBlock(WritePlan plan, ShardPlan shard, long offset) {
    TableShape table = plan.table();
    BlockOffsets offsets =
        shard.scattered() != null
            ? shard.scattered().placement()
            : BlockOffsets.contiguous(table, plan.order(), shard.examples(), shard.blocksBegin());
    for (int column = 0; column < table.columns().size(); column++) {
      for (long i = 0; i < shard.examples(); i++) {
        long inside = offset - offsets.offset(i, column);
        if (inside >= 0 && inside < table.blockBytes(column)) {
          int bits = table.columns().get(column).dtype().bits();
          return "%s, value %d, at byte %d"
              .formatted(
                  table.describe(shard.first() + i, column), inside * Byte.SIZE / bits, offset);
        }
      }
    }
    return "byte " + offset;
  }
}
