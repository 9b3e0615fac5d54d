package org.saevhadoop.converters.planning;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.saevhadoop.format.pickleshards.directory.ShardFiles;

/**
 * A dataset whose documents are real and whose shards are not: each has {@value #EXAMPLES} examples
 * of 4 tokens of 1024 floats, so that a split is one shard.
 */
final class PlannedDataset {
  private static final int EXAMPLES = 48;
  private static final long EXAMPLE_BYTES = 4 * 1024 * 4;
  private static final long DATA = EXAMPLES * EXAMPLE_BYTES;
  private static final String TENSOR =
      "{\"layer_0\":{\"dtype\":\"F32\",\"shape\":[%d,4,1024],\"data_offsets\":[0,%d]}}"
          .formatted(EXAMPLES, DATA);

  /** Writes the documents for a number of shards. */
  @FunctionalInterface
  private interface Documents {
    void write(PlannedDataset dataset, int shards) throws IOException;
  }

  private final String name;
  private final IntFunction<String> names;
  private final Documents documents;
  private final InjectedFiles files;
  private final FileSystem fs;
  private int shards;

  private PlannedDataset(
      String name, IntFunction<String> names, long bytes, Documents documents, MiniDFSCluster dfs)
      throws IOException {
    this.name = name;
    this.names = names;
    this.documents = documents;
    this.files = new InjectedFiles(dfs, "/" + name, bytes);
    this.fs = dfs.getFileSystem();
    fs.mkdirs(new Path("/" + name));
  }

  static List<PlannedDataset> all(MiniDFSCluster dfs) throws IOException {
    return List.of(
        new PlannedDataset("saev", "acts%06d.bin"::formatted, DATA, PlannedDataset::saev, dfs),
        new PlannedDataset(
            "safetensors",
            "part-%06d.safetensors"::formatted,
            8 + TENSOR.length() + DATA,
            PlannedDataset::safetensors,
            dfs),
        new PlannedDataset(
            "pickle", "shard_%06d.pkl.gz"::formatted, DATA, (dataset, count) -> {}, dfs));
  }

  String name() {
    return name;
  }

  /** Adds shards until there are as many as are asked for. */
  void grow(int count) throws Exception {
    int most = name.equals("pickle") ? Math.min(count, ShardFiles.MAX_SHARDS) : count;
    documents.write(this, most);
    files.create(shards, most, i -> names.apply(i));
    shards = most;
  }

  private void saev(int count) throws IOException {
    write(
        "metadata.json",
        """
        {"vit_family": "clip", "vit_ckpt": "bench", "layers": [13], "n_patches_per_img": 3, \
        "cls_token": true, "d_vit": 1024, "n_imgs": %d, "max_patches_per_shard": %d, \
        "data": {"__class__": "Bench"}, "dtype": "float32", "protocol": "1.0.0"}
        """
            .formatted((long) count * EXAMPLES, 4 * EXAMPLES));
    write(
        "shards.json",
        list(count, "  {\"name\": \"%s\", \"n_imgs\": " + EXAMPLES + "}", "[\n", "\n]"));
  }

  private void safetensors(int count) throws IOException {
    String entry =
        String.format(
            Locale.ROOT,
            "{\"shard_path\": \"%%s\", \"samples_count\": %d, \"bytes\": %d}",
            EXAMPLES,
            files.bytes());
    write(
        "dataset_manifest.json",
        list(count, entry, "{\"format_version\": \"1.0\", \"shards\": [\n", "\n]}"));
    if (shards == 0) {
      byte[] file = new byte[(int) files.bytes()];
      byte[] header = TENSOR.getBytes(StandardCharsets.UTF_8);
      ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putLong(header.length).put(header);
      try (FSDataOutputStream out = fs.create(new Path("/" + name, names.apply(0)))) {
        out.write(file);
      }
      shards = 1;
    }
  }

  private String list(int count, String entry, String begin, String end) {
    return IntStream.range(0, count)
        .mapToObj(i -> entry.formatted(names.apply(i)))
        .collect(Collectors.joining(",\n", begin, end));
  }

  private void write(String document, String text) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path("/" + name, document))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }
}
