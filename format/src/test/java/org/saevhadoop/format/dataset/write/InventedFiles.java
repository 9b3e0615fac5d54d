package org.saevhadoop.format.dataset.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Output;

/** Real files for tests: invented datasets written as a plan says, and fixtures to damage. */
public final class InventedFiles {
  private InventedFiles() {}

  /** Writes a whole dataset whose floats are those of {@link InventedDataset#vector}. */
  public static <P extends WritePlan & DatasetFinisher> void write(P target, Folder folder)
      throws IOException {
    for (long i = 0; i < target.shardCount(); i++) {
      writeShard(target, i, folder);
    }
    writeDocuments(target, folder);
  }

  /** Writes the same dataset through the sinks of its format. */
  public static void write(DatasetWrite write, Path to) throws IOException {
    Files.createDirectories(to);
    Folder folder = new LocalFolder(to);
    for (long i = 0; i < write.plan().shardCount(); i++) {
      writeBlocks(write.plan(), i, write.sinks().open(i, false, folder, to));
    }
    writeDocuments(write.finisher(), folder);
  }

  /** Writes the documents, in their order. */
  public static void writeDocuments(DatasetFinisher finisher, Folder folder) throws IOException {
    Files.createDirectories(Path.of(folder.path()));
    for (Document document : finisher.documents(folder)) {
      try (Output out = folder.create(document.name())) {
        document.content().accept(out);
      }
    }
  }

  /** Writes one data file. */
  public static void writeShard(WritePlan target, long index, Folder folder) throws IOException {
    Files.createDirectories(Path.of(folder.path()));
    ShardPlan plan = target.shard(index);
    writeBlocks(target, index, new ShardWriter(folder.create(plan.name()), plan, target));
  }

  private static void writeBlocks(WritePlan target, long index, BlockSink sink) throws IOException {
    ShardPlan plan = target.shard(index);
    long blocks = plan.examples() * target.table().columns().size();
    try (sink) {
      for (long ordinal = 0; ordinal < blocks; ordinal++) {
        long example = plan.first() + target.order().indexInGroup(ordinal, plan.examples());
        int column = target.order().column(ordinal, plan.examples());
        sink.write(example, column, block(geometry(target.table()), example, column));
      }
    }
  }

  /** The geometry of a table of layers. */
  public static Geometry geometry(TableShape table) {
    var block = table.columns().get(0).shape();
    return new Geometry(
        table.examples(), table.columnIds(), block.get(0).intValue(), block.get(1).intValue());
  }

  /** The block at a coordinate. */
  public static ByteBuffer block(Geometry geometry, long example, int column) {
    InventedDataset invented = new InventedDataset(geometry, false, 1);
    ByteBuffer block = ByteBuffer.allocate((int) geometry.blockBytes());
    for (int token = 0; token < geometry.tokens(); token++) {
      block.put(invented.vector(example, column, token));
    }
    return block.flip();
  }

  /** An example with all its layers. */
  public static ByteBuffer example(Geometry geometry, long example) {
    ByteBuffer bytes = ByteBuffer.allocate((int) geometry.exampleBytes());
    for (int i = 0; i < geometry.layers().size(); i++) {
      bytes.put(block(geometry, example, i));
    }
    return bytes.flip();
  }

  /** Returns the remaining bytes of a buffer, which stays as it is. */
  public static byte[] copy(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(bytes.position(), copy);
    return copy;
  }

  /** Creates a folder, or empties it. */
  public static LocalFolder empty(Path folder) throws IOException {
    if (Files.exists(folder)) {
      delete(folder);
    }
    return new LocalFolder(Files.createDirectories(folder));
  }

  /** Deletes a folder with all that is in it. */
  public static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(file);
      }
    }
  }

  /** Copies the files of a folder into another one, which is made. */
  public static Path copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, to.resolve(file.getFileName().toString()));
      }
    }
    return to;
  }
}
